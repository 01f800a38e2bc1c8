/* SPDX-License-Identifier: MIT */
/* Collections: AMD's library counts elsewhere in the process; what comes of it goes to the sink. */
#include "backend/rocm/rocm_private.h"
#include "base/error.h"

struct collection {
	struct tacho__collection base;
	struct tacho__rocm_live *live;
};

static struct collection *own(struct tacho__collection *base)
{
	return TACHO__OWN(struct collection, base);
}

int tacho__rocm_begin(struct tacho_device *base, const struct tacho__collection_options *options,
		      struct tacho__collection **out_collection)
{
	const struct tacho__rocm_device *device = TACHO__OWN(struct tacho__rocm_device, base);
	struct collection *collection;

	if (!device->live)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   "AMD's library counts kernels in the program that launches them",
				   "let tacho run the program: tacho stat -m ... -- PROGRAM",
				   "%s counts no ranges of this process", device->gpu.name);
	collection = tacho__collection_create(sizeof(*collection), options);
	if (!collection)
		return TACHO_E_NOMEM;
	collection->live = device->live;
	*out_collection = &collection->base;
	return 0;
}

int tacho__rocm_begin_pass(struct tacho__collection *base, uint32_t pass)
{
	struct collection *collection = own(base);

	collection->live->open = (struct tacho__rocm_pass){.collection = base, .pass = pass};
	return tacho__collection_begin_pass(base, pass);
}

int tacho__rocm_end_pass(struct tacho__collection *base)
{
	own(base)->live->open.collection = NULL;
	return tacho__collection_end_pass(base);
}

void tacho__rocm_end(struct tacho__collection *base)
{
	own(base)->live->open.collection = NULL;
	tacho__collection_destroy(base);
}

int tacho__rocm_deliver(const struct tacho__rocm_pass *pass, const struct tacho_row *row,
			const struct tacho_column *columns)
{
	const struct tacho__batch batch = {
		.pass = pass->pass, .row_count = 1, .rows = row, .columns = columns};

	return tacho__collection_deliver(pass->collection, &batch);
}
