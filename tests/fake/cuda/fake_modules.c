/* SPDX-License-Identifier: MIT */
/*
 * Modules: texts of the fake's own.
 *
 *	fake module
 *	kernel _Z5scalePffj does=scale registers=32 shared=1024 local=16 arguments=8,4,4
 */
#include <stdio.h>

#include "fake_driver.h"

static uint32_t number_of(const char *line, const char *word)
{
	const char *at = strstr(line, word);

	return at ? (uint32_t)strtoul(at + strlen(word), NULL, 10) : 0;
}

/* False: a line that is none. */
static bool read_kernel(const char *line, struct CUfunc_st *out_function)
{
	const char *arguments = strstr(line, " arguments=");
	struct fake_cuda_function *base = &out_function->base;
	char does[32] = "";
	const char *at = strstr(line, " does=");

	if (sscanf(line, "kernel %127s", base->name) != 1 || !at ||
	    sscanf(at, " does=%31s", does) != 1)
		return false;
	base->run = fake_kernel_find(does);
	base->registers = number_of(line, " registers=");
	base->shared_bytes = number_of(line, " shared=");
	base->local_bytes = number_of(line, " local=");
	out_function->max_shared_bytes = 48 << 10;
	for (char *end; arguments && base->argument_count < 16; arguments = end) {
		arguments += base->argument_count ? 1 : strlen(" arguments=");
		base->argument_bytes[base->argument_count++] =
			(uint32_t)strtoul(arguments, &end, 10);
		if (*end != ',')
			break;
	}
	return base->run != NULL;
}

static CUresult read_module(CUmodule module)
{
	char *copy = strdup(module->text), *rest = NULL;
	CUresult status = CUDA_SUCCESS;

	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		struct CUfunc_st *functions;

		if (line == copy || !*line)
			continue;
		functions = realloc(module->functions, (module->count + 1) * sizeof(*functions));
		module->functions = functions;
		memset(&functions[module->count], 0, sizeof(*functions));
		functions[module->count].module = module;
		if (!read_kernel(line, &functions[module->count++]))
			status = CUDA_ERROR_INVALID_IMAGE;
	}
	free(copy);
	return status;
}

CUresult fake_cuModuleLoadData(CUmodule *out_module, const void *image)
{
	CUmodule module;

	if (!fake_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	if (strncmp(image, "fake module\n", 12) != 0)
		return CUDA_ERROR_INVALID_IMAGE;
	module = calloc(1, sizeof(*module));
	module->text = strdup(image);
	if (read_module(module)) {
		free(module->functions);
		free(module->text);
		free(module);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	pthread_mutex_lock(&fake_driver.lock);
	module->id = ++fake_driver.module_count;
	module->next = fake_driver.modules;
	fake_driver.modules = module;
	pthread_mutex_unlock(&fake_driver.lock);
	fake_tell((struct fake_cuda_object){.event = FAKE_CUDA_MODULE_LOADED,
					    .context = fake_context(),
					    .module_id = module->id,
					    .module_text = module->text,
					    .module_bytes = strlen(module->text)});
	*out_module = module;
	return CUDA_SUCCESS;
}

CUresult fake_cuModuleLoadDataEx(CUmodule *out_module, const void *image, unsigned int count,
				 CUjit_option *options, void **values)
{
	(void)options;
	(void)values;
	return count > 64 ? CUDA_ERROR_INVALID_VALUE : fake_cuModuleLoadData(out_module, image);
}

static bool is_module(CUmodule module)
{
	bool is = false;

	pthread_mutex_lock(&fake_driver.lock);
	for (CUmodule known = fake_driver.modules; known && !is; known = known->next)
		is = known == module && !known->is_dead;
	pthread_mutex_unlock(&fake_driver.lock);
	return is;
}

CUresult fake_cuModuleUnload(CUmodule module)
{
	if (!is_module(module))
		return CUDA_ERROR_INVALID_HANDLE;
	fake_tell((struct fake_cuda_object){.event = FAKE_CUDA_MODULE_UNLOADING,
					    .context = fake_context(),
					    .module_id = module->id,
					    .module_text = module->text,
					    .module_bytes = strlen(module->text)});
	pthread_mutex_lock(&fake_driver.lock);
	module->is_dead = true;
	pthread_mutex_unlock(&fake_driver.lock);
	return CUDA_SUCCESS;
}

CUresult fake_cuModuleGetFunction(CUfunction *out_function, CUmodule module, const char *name)
{
	if (!is_module(module))
		return CUDA_ERROR_INVALID_HANDLE;
	for (size_t i = 0; i < module->count; i++)
		if (!strcmp(module->functions[i].base.name, name)) {
			*out_function = &module->functions[i];
			return CUDA_SUCCESS;
		}
	return CUDA_ERROR_NOT_FOUND;
}

/* A library is a module, and its kernels are functions, in the current context. */
CUresult fake_cuLibraryLoadData(CUlibrary *out_library, const void *code, CUjit_option *options,
				void **values, unsigned int count, CUlibraryOption *library_options,
				void **library_values, unsigned int library_count)
{
	(void)options;
	(void)values;
	(void)count;
	(void)library_options;
	(void)library_values;
	(void)library_count;
	return fake_cuModuleLoadData((CUmodule *)out_library, code);
}

CUresult fake_cuLibraryUnload(CUlibrary library)
{
	return fake_cuModuleUnload((CUmodule)library);
}

CUresult fake_cuLibraryGetKernel(CUkernel *out_kernel, CUlibrary library, const char *name)
{
	return fake_cuModuleGetFunction((CUfunction *)out_kernel, (CUmodule)library, name);
}

CUresult fake_cuKernelGetFunction(CUfunction *out_function, CUkernel kernel)
{
	*out_function = (CUfunction)kernel;
	return CUDA_SUCCESS;
}

CUresult fake_cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
	switch (attribute) {
	case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = 1024; return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
		*value = (int)function->base.shared_bytes;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = 0; return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
		*value = (int)function->base.local_bytes;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_NUM_REGS:
		*value = (int)function->base.registers;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
		*value = function->max_shared_bytes;
		return CUDA_SUCCESS;
	default: return CUDA_ERROR_INVALID_VALUE;
	}
}

CUresult fake_cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
	if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0)
		return CUDA_ERROR_INVALID_VALUE;
	function->max_shared_bytes = value;
	return CUDA_SUCCESS;
}

CUresult fake_cuFuncGetName(const char **name, CUfunction function)
{
	*name = function->base.name;
	return CUDA_SUCCESS;
}

CUresult fake_cuKernelGetName(const char **name, CUkernel kernel)
{
	return fake_cuFuncGetName(name, (CUfunction)kernel);
}

CUresult fake_cuFuncGetModule(CUmodule *out_module, CUfunction function)
{
	*out_module = function->module;
	return CUDA_SUCCESS;
}
