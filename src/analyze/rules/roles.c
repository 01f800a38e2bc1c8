/* SPDX-License-Identifier: MIT */
#include "analyze/rules/roles.h"

#include <stdlib.h>
#include <string.h>

static const struct tacho__api_roles *const tables[] = {&tacho__opencl_roles, &tacho__vulkan_roles};

const struct tacho__api_roles *tacho__api_roles_get(size_t index)
{
	return index < sizeof(tables) / sizeof(tables[0]) ? tables[index] : NULL;
}

const struct tacho__api_roles *tacho__api_roles_find(const char *api)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!strcmp(tables[i]->api, api))
			return tables[i];
	return NULL;
}

const struct tacho__function_role *tacho__function_role_find(const struct tacho__api_roles *roles,
							     const char *function)
{
	for (const struct tacho__function_role *role = roles->roles; role->function; role++)
		if (!strcmp(role->function, function))
			return role;
	return NULL;
}

const struct tacho__deprecated *tacho__deprecated_find(const struct tacho__api_roles *roles,
						       const char *function)
{
	for (const struct tacho__deprecated *one = roles->deprecated; one->function; one++)
		if (!strcmp(one->function, function))
			return one;
	return NULL;
}

static int hex_digit(char letter)
{
	if (letter >= '0' && letter <= '9')
		return letter - '0';
	letter = (char)(letter | 0x20);
	return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* As strtoull() does, which takes several times as long. */
static uint64_t read_hex(const char *text)
{
	uint64_t value = 0;

	for (int digit; (digit = hex_digit(*text)) >= 0; text++) {
		if (value >> 60)
			return UINT64_MAX;
		value = value << 4 | (uint64_t)digit;
	}
	return value;
}

uint64_t tacho__argument_handle(const char *text)
{
	if (!text)
		return 0;
	if (*text == '[')
		text++;
	return strncmp(text, "0x", 2) ? 0 : read_hex(text + 2);
}

size_t tacho__argument_handles(const char *text, uint64_t *handles, size_t room)
{
	size_t count = 0;

	if (!text || *text != '[')
		return 0;
	while (text) {
		uint64_t handle = tacho__argument_handle(text + 1);

		if (handle) {
			if (count < room)
				handles[count] = handle;
			count++;
		}
		text = strchr(text + 1, ',');
	}
	return count;
}

bool tacho__argument_has_flag(const char *text, const char *name, uint64_t bit)
{
	while (text && *text) {
		size_t size = strcspn(text, "|,[]");

		if (size && size == strlen(name) && !strncmp(text, name, size))
			return true;
		if (bit && size && *text >= '0' && *text <= '9' && strtoull(text, NULL, 0) & bit)
			return true;
		text += size;
		text += *text != '\0';
	}
	return false;
}

bool tacho__argument_is_true(const char *text)
{
	size_t size = text ? strlen(text) : 0;

	if (!size || !strcmp(text, "0") || !strcmp(text, "NULL"))
		return false;
	return size < 5 || strcmp(text + size - 5, "FALSE") != 0;
}
