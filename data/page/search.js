// SPDX-License-Identifier: MIT
// Search in the timeline: names of calls, commands and ranges, and what is told of them. "name" in
// quotes is the whole name.
"use strict";

(() => {
	if (!tacho.view)
		return;

	const HITS = 100000; // that can be stepped through; more are counted
	const { make, button, format_count } = tacho;
	const { runs, load } = tacho.lanes;
	const { view, draw_soon } = tacho.view;

	const input = make("input", { type: "search", id: "search", autocomplete: "off",
		placeholder: "name or argument" });
	const told = make("span", { className: "told hits" });
	told.setAttribute("role", "status");
	let hits = [], total = 0, at = -1, turn = 0, query = "";

	const fits_of = (text) => {
		const whole = text.match(/^"(.*)"$/);
		const lower = text.toLowerCase();
		return whole ? (name) => name === whole[1] : (name) => name.toLowerCase().includes(lower);
	};
	const is_whole = (text) => /^".*"$/.test(text);

	// Which names and which texts fit, by number.
	const find_names = (run, fits) => {
		run.found_names = Uint8Array.from([...run.names, "other"], (name) => (fits(name) ? 1 : 0));
		run.found_texts = null;
	};
	const find_texts = async (run, text, is_current, tell) => {
		if (!tacho.can_unpack || is_whole(text))
			return;
		const found = new Uint8Array(run.texts.count + 1);
		const lower = text.toLowerCase();
		let number = 1, any = false;
		for (const [piece, [from, size]] of run.texts.pieces.entries()) {
			const list = await run.store.get({ at: from, size }, tacho.read_texts);
			if (!is_current())
				return;
			for (const one of list) {
				if (one.toLowerCase().includes(lower))
					found[number] = 1, any = true;
				number++;
			}
			if (piece % 50 === 49)
				tell(`reading arguments, ${Math.round(100 * piece / run.texts.pieces.length)}%`);
		}
		run.found_texts = any ? found : null;
	};

	const fits_mark = (run, marks, i) => run.found_names[marks.name[i]] ||
		(run.found_texts && run.found_texts[marks.text[i]]);

	const find_marks = async (run, is_current) => {
		for (const lane of run.lanes) {
			const level = tacho.can_unpack ? lane.levels[0] : lane.levels[lane.levels.length - 1];
			for (let c = 0; c < level.chunks.length; c++) {
				const marks = await load(lane, level, c);
				if (!is_current())
					return;
				for (let i = 0; i < marks.start.length; i++) {
					if (!fits_mark(run, marks, i))
						continue;
					total++;
					if (hits.length < HITS)
						hits.push({ lane, level, c, i, start: marks.start[i] });
				}
			}
		}
	};

	const tell = (text) => {
		told.textContent = text ?? (!query ? "" : !total ? "nothing found" :
			`${at < 0 ? "" : `${format_count(at + 1)} of `}${format_count(total)}` +
			(at < 0 ? " found" : "") +
			(total > hits.length ? `, the first ${format_count(HITS)} in turn` : ""));
		told.dataset.total = total;
		told.dataset.at = at;
	};

	tacho.is_found = null;
	tacho.search = async (text, is_noted = true) => {
		const mine = ++turn, is_current = () => mine === turn;
		query = text.trim();
		if (input.value.trim() !== query)
			input.value = query;
		hits = [], total = 0, at = -1;
		delete told.dataset.ready;
		tacho.is_found = query ? fits_mark : null;
		tacho.on_search?.(query);
		if (is_noted)
			tacho.note_place?.();
		if (query) {
			const fits = fits_of(query);
			for (const run of runs)
				find_names(run, fits);
			draw_soon();
			tell("searching");
			for (const run of runs) {
				await find_texts(run, query, is_current, tell);
				if (is_current())
					await find_marks(run, is_current);
			}
			if (!is_current())
				return;
			hits.sort((a, b) => a.start - b.start);
		}
		tell();
		told.dataset.ready = "1";
		draw_soon();
	};

	const go = async (by) => {
		if (!hits.length)
			return;
		const first = hits.findIndex((hit) => hit.start >= view.from);
		at = at >= 0 ? (at + by + hits.length) % hits.length : Math.max(first, 0);
		const { lane, level, c, i } = hits[at];
		tell();
		tacho.choose({ lane, marks: await load(lane, level, c), i }, true);
	};

	let timer = 0;
	input.addEventListener("input", () => {
		clearTimeout(timer);
		timer = setTimeout(() => tacho.search(input.value).catch(tacho.complain), 250);
	});
	input.addEventListener("keydown", (event) => {
		if (event.key === "Enter")
			go(event.shiftKey ? -1 : 1).catch(tacho.complain);
		else if (event.key === "Escape")
			tacho.chart.canvas.focus();
	});

	tacho.next_hit = (by) => go(by).catch(tacho.complain);
	tacho.query = () => query;
	tacho.chart.search = make("span", { className: "search" },
		make("label", { htmlFor: "search" }, "Search"), input,
		button("↑", "the hit before (Shift+N)", () => tacho.next_hit(-1)),
		button("↓", "the next hit (N)", () => tacho.next_hit(1)), told);
	tacho.focus_search = () => {
		input.focus();
		input.select();
	};

	// ---- names in tables find their marks ----

	const known = new Set(runs.flatMap((run) => run.names));
	for (const id of ["kernels", "api", "transfers"])
		for (const cell of document.querySelectorAll(`#${id} tbody th .name`)) {
			const name = cell.textContent;
			if (!known.has(name))
				continue;
			const finder = make("button", { type: "button", className: "find",
				title: `${name}: show in the timeline` });
			finder.setAttribute("aria-pressed", "false");
			cell.replaceWith(finder);
			finder.append(cell);
			finder.addEventListener("click", () => {
				const wanted = `"${name}"`;
				const is_new = query !== wanted;
				tacho.search(is_new ? wanted : "").catch(tacho.complain);
				if (is_new)
					document.getElementById("timeline").scrollIntoView();
			});
		}
	tacho.on_search = (text) => {
		for (const finder of document.querySelectorAll("button.find")) {
			const is_it = text === `"${finder.textContent}"`;
			finder.setAttribute("aria-pressed", String(is_it));
			finder.closest("tr").classList.toggle("found", is_it);
		}
	};
})();
