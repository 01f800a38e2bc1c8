/* SPDX-License-Identifier: MIT */
/* libcupti as a fake: callbacks of calls and objects, and the numbers of objects. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cupti_target.h"

enum { DOMAINS = 7, NUMBERS = 1024 };

typedef void (*callback)(void *user, int domain, uint32_t number, const void *data);

static struct {
	_Atomic(callback) callback;
	void *_Atomic user;
	atomic_bool enabled[DOMAINS][NUMBERS];
	uint64_t unused;
} subscriber;

static bool wants(int domain, uint32_t number)
{
	return number < NUMBERS && subscriber.callback && subscriber.enabled[domain][number];
}

static void call_back(int domain, uint32_t number, const void *data)
{
	callback function = subscriber.callback;

	if (function)
		function(subscriber.user, domain, number, data);
}

static struct fake_cuda_observer observer;

static void tell_call(struct fake_cuda_call *call, int site)
{
	const CUpti_CallbackData data = {.callbackSite = site,
					 .functionName = call->name,
					 .functionParams = call->params,
					 .functionReturnValue = site ? call->result : NULL,
					 .symbolName = call->symbol,
					 .context = call->context,
					 .contextUid = call->context_id,
					 .correlationData = &call->data[observer.number],
					 .correlationId = call->correlation};

	if (wants((int)call->api, call->number))
		call_back((int)call->api, call->number, &data);
}

static void on_enter(struct fake_cuda_call *call)
{
	tell_call(call, 0);
}

static void on_exit(struct fake_cuda_call *call)
{
	tell_call(call, 1);
}

static void on_object(const struct fake_cuda_object *object)
{
	CUpti_ModuleResourceData module = {object->module_id, object->module_bytes,
					   object->module_text};
	CUpti_GraphData graph = {.graph = object->graph,
				 .node = object->node,
				 .originalNode = object->original_node,
				 .nodeType = object->node_type,
				 .graphExec = object->exec};
	CUpti_ResourceData data = {.context = object->context,
				   .resourceHandle.stream = object->stream};

	if (object->event == FAKE_CUDA_MODULE_LOADED || object->event == FAKE_CUDA_MODULE_UNLOADING)
		data.resourceDescriptor = &module;
	else if (object->event >= FAKE_CUDA_GRAPH_CREATED)
		data.resourceDescriptor = &graph;
	if (wants(CUPTI_CB_DOMAIN_RESOURCE, object->event))
		call_back(CUPTI_CB_DOMAIN_RESOURCE, object->event, &data);
}

static void on_synchronized(CUcontext context, CUstream stream)
{
	const CUpti_SynchronizeData data = {context, stream};
	uint32_t number = stream ? 1 : 2;

	if (wants(CUPTI_CB_DOMAIN_SYNCHRONIZE, number))
		call_back(CUPTI_CB_DOMAIN_SYNCHRONIZE, number, &data);
}

static struct fake_cuda_observer observer = {
	.enter = on_enter, .exit = on_exit, .object = on_object, .synchronized = on_synchronized};
static const struct fake_cuda_hooks *driver;

static void attach(void)
{
	driver = fake_cuda_find();
	if (!driver)
		return;
	driver->observe(&observer);
	fake_activity_observe(driver);
}

const struct fake_cuda_hooks *fake_cupti_driver(void)
{
	return fake_cuda_find();
}

const struct fake_cuda_hooks *fake_cupti_attach(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!fake_cuda_find() || fake_cuda_find()->has_word("old_driver"))
		return NULL;
	pthread_once(&once, attach);
	return driver;
}

EXPORT int cuptiSubscribe(void **handle, callback function, void *user)
{
	const struct fake_cuda_hooks *hooks = fake_cupti_attach();
	callback none = NULL;

	if (!hooks)
		return CUPTI_NOT_INITIALIZED;
	if (!handle || !function)
		return CUPTI_INVALID_PARAMETER;
	if (hooks->has_word("subscribed"))
		return CUPTI_MULTIPLE_SUBSCRIBERS;
	subscriber.user = user;
	if (!atomic_compare_exchange_strong(&subscriber.callback, &none, function))
		return CUPTI_MULTIPLE_SUBSCRIBERS;
	*handle = &subscriber;
	return 0;
}

EXPORT int cuptiSubscribe_v2(void **handle, callback function, void *user,
			     CUpti_SubscriberParams *params)
{
	int status;

	if (params && params->structSize != sizeof(*params))
		return CUPTI_INVALID_PARAMETER;
	status = cuptiSubscribe(handle, function, user);
	if (status == CUPTI_MULTIPLE_SUBSCRIBERS && params && params->oldSubscriberName &&
	    params->oldSubscriberSize >= 64)
		snprintf(params->oldSubscriberName, params->oldSubscriberSize, "FakeOtherTool");
	return status;
}

static bool is_subscriber(const void *handle)
{
	return handle == &subscriber && subscriber.callback;
}

EXPORT int cuptiUnsubscribe(void *handle)
{
	if (!is_subscriber(handle))
		return CUPTI_INVALID_PARAMETER;
	subscriber.callback = NULL;
	memset(subscriber.enabled, 0, sizeof(subscriber.enabled));
	return 0;
}

EXPORT int cuptiEnableCallback(uint32_t enable, void *handle, int domain, uint32_t number)
{
	if (!is_subscriber(handle) || domain < 1 || domain >= DOMAINS || number >= NUMBERS)
		return CUPTI_INVALID_PARAMETER;
	subscriber.enabled[domain][number] = enable;
	return 0;
}

EXPORT int cuptiEnableDomain(uint32_t enable, void *handle, int domain)
{
	if (!is_subscriber(handle) || domain < 1 || domain >= DOMAINS)
		return CUPTI_INVALID_PARAMETER;
	for (uint32_t i = 0; i < NUMBERS; i++)
		subscriber.enabled[domain][i] = enable;
	return 0;
}

EXPORT int cuptiEnableAllDomains(uint32_t enable, void *handle)
{
	for (int i = 1; i < DOMAINS; i++)
		if (cuptiEnableDomain(enable, handle, i))
			return CUPTI_INVALID_PARAMETER;
	return 0;
}

EXPORT int cuptiGetCallbackState(uint32_t *enable, void *handle, int domain, uint32_t number)
{
	if (!enable || !is_subscriber(handle) || domain < 1 || domain >= DOMAINS ||
	    number >= NUMBERS)
		return CUPTI_INVALID_PARAMETER;
	*enable = subscriber.enabled[domain][number];
	return 0;
}

/* Also of the runtime, when the program has its fake. */
static const char *name_runtime(uint32_t number)
{
	void *runtime = dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD);
	const char *(*name)(uint32_t) =
		runtime ? (const char *(*)(uint32_t))dlsym(runtime, "fake_cudart_name") : NULL;

	if (runtime)
		dlclose(runtime);
	return name ? name(number) : NULL;
}

EXPORT int cuptiGetCallbackName(int domain, uint32_t number, const char **name)
{
	const struct fake_cuda_hooks *hooks = fake_cuda_find();
	const char *found = NULL;

	if (!name)
		return CUPTI_INVALID_PARAMETER;
	if (domain == CUPTI_CB_DOMAIN_DRIVER_API && hooks)
		found = hooks->function_name(FAKE_CUDA_DRIVER_API, number);
	else if (domain == CUPTI_CB_DOMAIN_RUNTIME_API)
		found = name_runtime(number);
	if (!found)
		return CUPTI_INVALID_PARAMETER;
	*name = found;
	return 0;
}

static void be_slow(void)
{
	enum { QUICK = 8, SLOW_NS = 100000 };
	static atomic_int readings;
	const struct timespec slow = {.tv_nsec = SLOW_NS};

	if (atomic_fetch_add(&readings, 1) >= QUICK)
		nanosleep(&slow, NULL);
}

EXPORT int cuptiGetTimestamp(uint64_t *timestamp)
{
	const struct fake_cuda_hooks *hooks = fake_cupti_attach();

	if (!hooks)
		return CUPTI_NOT_INITIALIZED;
	if (!timestamp)
		return CUPTI_INVALID_PARAMETER;
	if (hooks->has_word("slow_clock"))
		be_slow();
	*timestamp = hooks->now();
	return 0;
}

EXPORT int cuptiGetResultString(int status, const char **text)
{
	static const struct {
		int status;
		const char *text;
	} texts[] = {{0, "CUPTI_SUCCESS"},
		     {1, "CUPTI_ERROR_INVALID_PARAMETER"},
		     {7, "CUPTI_ERROR_INVALID_OPERATION"},
		     {12, "CUPTI_ERROR_MAX_LIMIT_REACHED"},
		     {15, "CUPTI_ERROR_NOT_INITIALIZED"},
		     {26, "CUPTI_ERROR_HARDWARE_BUSY"},
		     {27, "CUPTI_ERROR_NOT_SUPPORTED"},
		     {35, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"},
		     {39, "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"},
		     {43, "CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED"}};

	for (size_t i = 0; text && i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].status == status) {
			*text = texts[i].text;
			return 0;
		}
	return CUPTI_INVALID_PARAMETER;
}

EXPORT int cuptiGetContextId(CUcontext context, uint32_t *id)
{
	const struct fake_cuda_hooks *hooks = fake_cupti_attach();

	if (!hooks)
		return CUPTI_NOT_INITIALIZED;
	if (!id || !hooks->context_id(context))
		return id ? CUPTI_INVALID_CONTEXT : CUPTI_INVALID_PARAMETER;
	*id = hooks->context_id(context);
	return 0;
}

EXPORT int cuptiGetDeviceId(CUcontext context, uint32_t *device)
{
	const struct fake_cuda_hooks *hooks = fake_cupti_attach();

	if (!hooks)
		return CUPTI_NOT_INITIALIZED;
	if (!context)
		context = hooks->current_context();
	if (!device || hooks->context_device(context) < 0)
		return device ? CUPTI_INVALID_CONTEXT : CUPTI_INVALID_PARAMETER;
	*device = (uint32_t)hooks->context_device(context);
	return 0;
}

EXPORT int cuptiGetStreamIdEx(CUcontext context, CUstream stream, uint8_t per_thread, uint32_t *id)
{
	const struct fake_cuda_hooks *hooks = fake_cupti_attach();
	uint32_t found;

	if (!hooks)
		return CUPTI_NOT_INITIALIZED;
	if (!id)
		return CUPTI_INVALID_PARAMETER;
	found = hooks->stream_id(context ? context : hooks->current_context(), stream, per_thread);
	if (!found)
		return CUPTI_INVALID_STREAM;
	*id = found;
	return 0;
}

EXPORT int cuptiGetGraphNodeId(CUgraphNode node, uint64_t *id)
{
	const struct fake_cuda_hooks *hooks = fake_cupti_attach();

	if (!hooks || !node || !id)
		return hooks ? CUPTI_INVALID_PARAMETER : CUPTI_NOT_INITIALIZED;
	*id = hooks->node_id(node);
	return 0;
}

EXPORT int cuptiGetGraphId(CUgraph graph, uint32_t *id)
{
	const struct fake_cuda_hooks *hooks = fake_cupti_attach();

	if (!hooks || !graph || !id)
		return hooks ? CUPTI_INVALID_PARAMETER : CUPTI_NOT_INITIALIZED;
	*id = hooks->graph_id(graph);
	return 0;
}

EXPORT int cuptiGetGraphExecId(CUgraphExec exec, uint32_t *id)
{
	const struct fake_cuda_hooks *hooks = fake_cupti_attach();

	if (!hooks || !exec || !id)
		return hooks ? CUPTI_INVALID_PARAMETER : CUPTI_NOT_INITIALIZED;
	*id = hooks->exec_id(exec);
	return 0;
}

struct chip_name {
	size_t size;
	void *priv;
	size_t device;
	const char *name;
};

EXPORT int cuptiDeviceGetChipName(struct chip_name *params)
{
	const struct fake_cuda_hooks *hooks = fake_cupti_attach();

	/* The real one does not check this, and crashes. */
	if (!hooks || !hooks->is_initialized())
		return CUPTI_NOT_INITIALIZED;
	if (params->size != sizeof(*params) || params->device >= hooks->get_word("devices", 1))
		return CUPTI_INVALID_PARAMETER;
	params->name = "GF100";
	return 0;
}

EXPORT int cuptiFinalize(void)
{
	if (!fake_cupti_attach())
		return CUPTI_NOT_INITIALIZED;
	fake_activity_finish();
	return cuptiUnsubscribe(&subscriber) ? CUPTI_INVALID_OPERATION : 0;
}
