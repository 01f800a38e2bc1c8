/* SPDX-License-Identifier: MIT */
/* pty ROWS COLUMNS COMMAND...: runs COMMAND on a terminal of that size and copies what it shows. */
#include <errno.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct winsize size = {0};
	char bytes[4096];
	int terminal, status;
	ssize_t count;
	pid_t child;

	if (argc < 4) {
		fputs("usage: pty ROWS COLUMNS COMMAND...\n", stderr);
		return 2;
	}
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
	while ((count = read(terminal, bytes, sizeof(bytes))) > 0 || (count < 0 && errno == EINTR))
		if (count > 0 && fwrite(bytes, 1, (size_t)count, stdout) != (size_t)count)
			return 2;
	if (waitpid(child, &status, 0) != child)
		return 2;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
