/* SPDX-License-Identifier: MIT */
/*
 * pty ROWS COLUMNS COMMAND...: runs COMMAND on a terminal of that size and copies what it shows.
 * PTY_INTERRUPT=TEXT: types Ctrl-C when that is shown, once.
 */
#include <errno.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Types Ctrl-C when `text` is at the end of something that was shown. */
static void interrupt_at(const char **text, const char *bytes, size_t count, int terminal)
{
	static size_t seen; /* of the text, up to here */

	for (size_t i = 0; *text && i < count; i++) {
		if (bytes[i] != (*text)[seen])
			seen = 0;
		seen += bytes[i] == (*text)[seen];
		if ((*text)[seen])
			continue;
		if (write(terminal, "\003", 1) != 1)
			perror("write");
		*text = NULL;
	}
}

int main(int argc, char **argv)
{
	const char *text = getenv("PTY_INTERRUPT");
	struct winsize size = {0};
	char bytes[4096];
	int terminal, status;
	ssize_t count;
	pid_t child;

	if (argc < 4) {
		fputs("usage: pty ROWS COLUMNS COMMAND...\n", stderr);
		return 2;
	}
	unsetenv("PTY_INTERRUPT");
	size.ws_row = (unsigned short)atoi(argv[1]);
	size.ws_col = (unsigned short)atoi(argv[2]);
	child = forkpty(&terminal, NULL, NULL, &size);
	if (child < 0) {
		perror("forkpty");
		return 2;
	}
	if (child == 0) {
		execvp(argv[3], argv + 3);
		perror(argv[3]);
		_exit(127);
	}
	setvbuf(stdout, NULL, _IONBF, 0);
	/* EIO says that nobody holds the other side any more. */
	while ((count = read(terminal, bytes, sizeof(bytes))) > 0 ||
	       (count < 0 && errno == EINTR)) {
		if (count > 0 && fwrite(bytes, 1, (size_t)count, stdout) != (size_t)count)
			return 2;
		if (count > 0 && text && *text)
			interrupt_at(&text, bytes, (size_t)count, terminal);
	}
	if (waitpid(child, &status, 0) != child)
		return 2;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
