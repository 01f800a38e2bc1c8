/* SPDX-License-Identifier: MIT */
/*
 * How long a mangled name can become. In such names a few letters stand for what was written
 * before, whatever its length, so that 300 bytes can stand for as many gigabytes: what a library
 * makes of them is bounded by looking at them first. Each reference is taken for the longest thing
 * in front of it, and what is not understood is refused (https://itanium-cxx-abi.github.io).
 */
#include <string.h>

#include "base/array.h"
#include "base/demangle.h"
#include "base/text.h"

enum {
	DEPTH_MAX = 100,
	WORD_BYTES = 24,     /* of a letter: "unsigned long long", "const&", "operator new[]" */
	CLONE_BYTES = 12,    /* of each byte of ".isra.0": " [clone .i]" */
	STANDARD_BYTES = 96, /* of "Ss": a string with all that it stands for */
};

/* What is between a letter that opens and its "E"; the whole name at first. */
struct level {
	char opened;	  /* by this letter */
	unsigned joined;  /* so many more types belong to the one that is read */
	uint64_t before;  /* bytes of the types that are whole */
	uint64_t current; /* of what is read */
};

struct scan {
	const char *at;
	struct level levels[DEPTH_MAX], *level;
	uint64_t longest; /* of all things that are whole */
};

static void add(struct scan *scan, uint64_t bytes)
{
	scan->level->current += bytes;
	if (scan->level->current > scan->longest)
		scan->longest = scan->level->current;
}

/* In a list one type is behind another. */
static void end_type(struct scan *scan)
{
	struct level *level = scan->level;

	if (*scan->at == 'I' || *scan->at == 'B') /* what belongs to it comes yet */
		return;
	if (level->joined) {
		level->joined--;
	} else if (strchr("IZU", level->opened)) { /* a list of types */
		level->before += level->current;
		level->current = 0;
	}
}

static void skip_digits(struct scan *scan)
{
	while (tacho__is_digit(*scan->at))
		scan->at++;
}

/* "10_", "_": a number that is no length. */
static void skip_count(struct scan *scan)
{
	skip_digits(scan);
	scan->at += *scan->at == '_';
}

static bool open_level(struct scan *scan, char letter)
{
	if (scan->level == &scan->levels[DEPTH_MAX - 1])
		return false;
	*++scan->level = (struct level){.opened = letter};
	return true;
}

static bool close_level(struct scan *scan)
{
	uint64_t bytes = scan->level->before + scan->level->current;

	if (scan->level == scan->levels)
		return false;
	if (scan->level->opened == 'U')
		skip_count(scan);
	scan->level--;
	add(scan, bytes + 2);
	end_type(scan);
	return true;
}

/* "4vadd"; the value of a literal is a number, too. */
static bool take_number(struct scan *scan)
{
	const char *digits = scan->at;
	size_t size = 0;

	skip_digits(scan);
	if (scan->level->opened == 'L' && scan->level->current)
		return true;
	for (; digits < scan->at && size < 100000; digits++)
		size = size * 10 + (size_t)(*digits - '0');
	if (!size || strnlen(scan->at, size) < size)
		return false;
	scan->at += size;
	add(scan, size + 2);
	end_type(scan);
	return true;
}

/* "S_", "S1A_", "T_", "T0_": what came before. */
static bool take_reference(struct scan *scan)
{
	scan->at += strspn(scan->at, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	if (*scan->at != '_')
		return false;
	scan->at++;
	add(scan, scan->longest);
	end_type(scan);
	return true;
}

/* "St" is in front of a name, others are whole. */
static bool take_standard(struct scan *scan)
{
	bool is_whole = *scan->at != 't';

	if (!*scan->at || !strchr("tabsiod", *scan->at))
		return take_reference(scan);
	scan->at++;
	add(scan, STANDARD_BYTES);
	if (is_whole)
		end_type(scan);
	return true;
}

static bool take_closure(struct scan *scan)
{
	char letter = *scan->at;

	add(scan, WORD_BYTES);
	if (letter == 'l') {
		scan->at++;
		return open_level(scan, 'U');
	}
	if (letter != 't') {
		scan->level->joined++;
		return true;
	}
	scan->at++;
	skip_count(scan);
	end_type(scan);
	return true;
}

static bool take_d(struct scan *scan)
{
	char letter = *scan->at;

	if (!letter)
		return false;
	scan->at++;
	add(scan, WORD_BYTES);
	if (strchr("tT", letter))
		return open_level(scan, 'X');
	if (letter == 'v')
		skip_count(scan);
	else if (strchr("nacisudefh", letter))
		end_type(scan);
	else if (!strchr("po012345", letter))
		return false;
	return true;
}

/* Inside of lists it is a literal, in names it says that they are the file's own. */
static bool take_l(struct scan *scan)
{
	char around = scan->level->opened;

	if (around == 'N' || around == 'Z' || scan->level == scan->levels)
		return true;
	if (strncmp(scan->at, "_Z", 2))
		return open_level(scan, 'L');
	scan->at += 2;
	return open_level(scan, 'Z');
}

/*
 * Operators that have an end of their own, a number that is no length behind them, or that refer to
 * what comes yet, are none of kernels.
 */
static bool is_odd(const struct scan *scan, char letter)
{
	static const char *const odd[] = {"cl", "il", "tl", "nw", "na", "sP"};
	bool is_name = scan->level->opened == 'N' || scan->level->opened == 'X' ||
		       (!scan->level->before && !scan->level->current);

	if (letter == 'c' && !strncmp(scan->at, "vT", 2))
		return true;
	if (letter == 'v' && is_name && tacho__is_digit(*scan->at))
		return true;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(odd) && scan->level->opened == 'X'; i++)
		if (letter == odd[i][0] && *scan->at == odd[i][1])
			return true;
	return false;
}

static bool take_word(struct scan *scan, char letter)
{
	if (is_odd(scan, letter))
		return false;
	/* names that wait for a type: "sr3std9is_signedIT_EE5value" */
	if (scan->level->opened == 'X' && letter == 's' && scan->at[0] == 'r' &&
	    tacho__is_digit(scan->at[1])) {
		scan->at++;
		return open_level(scan, 'N');
	}
	add(scan, WORD_BYTES);
	if (letter == '_') /* "_0": one of several of that name */
		skip_digits(scan);
	if (letter >= 'a' && letter <= 'z' && letter != 'r' && letter != 'u')
		end_type(scan);
	return letter >= 'a' ? letter <= 'z' : strchr("PRKVOGCY_", letter) != NULL;
}

static bool take_capital(struct scan *scan, char letter)
{
	switch (letter) {
	case 'E': return close_level(scan);
	case 'I':
	case 'J':
	case 'F': return open_level(scan, 'I');
	case 'N':
	case 'X': return open_level(scan, letter);
	case 'Z': scan->level->joined++; return open_level(scan, letter);
	case 'L': return take_l(scan);
	case 'S': return take_standard(scan);
	case 'T': return take_reference(scan);
	case 'U': return take_closure(scan);
	case 'D': return take_d(scan);
	case 'M': scan->level->joined++; break;
	case 'A': skip_count(scan); break;
	case 'B': add(scan, sizeof("[abi:]")); return tacho__is_digit(*scan->at);
	case 'C':
		if (tacho__is_digit(*scan->at))
			scan->at++;
		break;
	default: return take_word(scan, letter);
	}
	add(scan, WORD_BYTES);
	return true;
}

static bool take_next(struct scan *scan)
{
	if (tacho__is_digit(*scan->at))
		return take_number(scan);
	scan->at++;
	return take_capital(scan, scan->at[-1]);
}

bool tacho__demangled_fits(const char *symbol, uint64_t most)
{
	struct scan scan = {.at = symbol + 2};

	scan.level = scan.levels;
	scan.level->opened = 'I';
	while (*scan.at && *scan.at != '.')
		if (!take_next(&scan) || scan.longest > most || scan.level->before > most)
			return false;
	return scan.level == scan.levels &&
	       scan.level->before + scan.level->current + strlen(scan.at) * CLONE_BYTES <= most;
}
