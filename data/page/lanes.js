// SPDX-License-Identifier: MIT
// The runs of a page: lanes of marks at several levels, and values over time. Times count from the
// start of the run.
"use strict";

(() => {
	const CHUNKS_SHOWN = 24; // of a lane: for more, a coarser level does

	const read_chunks = (chunks, zero) => {
		let reach = -Infinity;
		return chunks.map(([from, to, count, low, high, at, size]) => {
			reach = Math.max(reach, to - zero);
			return { from: from - zero, to: to - zero, reach, count, low, high, at, size };
		});
	};

	const read_level = (level, run) => {
		const chunks = read_chunks(level.chunks, run.zero);
		const marks = level.packed ? null : chunks.map((chunk) =>
			run.store.get_plain(chunk, (bytes) => tacho.read_marks(bytes, chunk)));
		return { cell: level.cell, chunks, marks, starts: chunks.map((chunk) => chunk.from),
			reaches: chunks.map((chunk) => chunk.reach) };
	};

	const read_run = (element, index) => {
		const run = JSON.parse(element.textContent);
		const holder = document.getElementById(element.id.replace("-data", "-store"));
		run.index = index;
		run.store = tacho.make_store(holder.textContent);
		run.first = -run.zero;
		run.last = run.length - run.zero;
		run.lanes = run.lanes.map((lane) => ({ ...lane, run,
			levels: lane.levels.map((level) => read_level(level, run)) }));
		run.series = run.series.map((series) => {
			const chunks = read_chunks(series.chunks, run.zero);
			return { ...series, run, chunks, starts: chunks.map((chunk) => chunk.from),
				reaches: chunks.map((chunk) => chunk.reach) };
		});
		return run;
	};

	const runs = [...document.querySelectorAll("script[id^=timeline-data]")].map(read_run);
	if (!runs.length || !document.getElementById("chart"))
		return;

	// Chunks of which something lies between two times: first and behind the last.
	const between = (level, from, to) => [tacho.first_from(level.reaches, from),
		tacho.first_from(level.starts, to)];

	const peek = (lane, level, i) => level.marks ? level.marks[i] :
		lane.run.store.peek(level.chunks[i]);
	const load = (lane, level, i) => level.marks ? Promise.resolve(level.marks[i]) :
		lane.run.store.get(level.chunks[i], (bytes) => tacho.read_marks(bytes, level.chunks[i]));

	// The finest level that is not too much; while it is read, one that is there.
	const choose_level = (lane, from, to, on_loaded) => {
		for (const level of lane.levels) {
			const [first, last] = between(level, from, to);
			if (!level.marks && (last - first > CHUNKS_SHOWN || !tacho.can_unpack))
				continue;
			let missing = 0;
			for (let i = first; i < last; i++)
				if (!peek(lane, level, i)) {
					missing++;
					load(lane, level, i).then(on_loaded, tacho.complain);
				}
			if (!missing)
				return level;
		}
		return lane.levels[lane.levels.length - 1];
	};

	// Calls fn(marks, first, last) for each chunk of a level that is there.
	const each_part = (lane, level, from, to, fn) => {
		const [first, last] = between(level, from, to);
		for (let i = first; i < last; i++) {
			const marks = peek(lane, level, i);
			if (marks)
				fn(marks, tacho.first_from(marks.reaches, from),
					tacho.first_from(marks.start, to));
		}
	};

	// All marks between two times as exactly as the page has them, one chunk after the other.
	const walk = async (lane, from, to, fn) => {
		const level = tacho.can_unpack ? lane.levels[0] : lane.levels[lane.levels.length - 1];
		const [first, last] = between(level, from, to);
		for (let i = first; i < last; i++) {
			const marks = await load(lane, level, i);
			fn(marks, tacho.first_from(marks.reaches, from), tacho.first_from(marks.start, to));
		}
		return level.cell === 0;
	};

	// The mark of a call in lanes of a kind: undefined while it is read, null when there is none.
	const find_call = (run, kind, call, on_loaded) => {
		let is_waiting = false;
		for (const lane of run.lanes) {
			const level = lane.levels[0];
			if (lane.kind !== kind || (!level.marks && !tacho.can_unpack))
				continue;
			for (let c = 0; c < level.chunks.length; c++) {
				if (call < level.chunks[c].low || call > level.chunks[c].high)
					continue;
				const marks = peek(lane, level, c);
				if (!marks) {
					is_waiting = true;
					load(lane, level, c).then(on_loaded, tacho.complain);
					continue;
				}
				for (let i = marks.call.indexOf(call); i >= 0; i = marks.call.indexOf(call, i + 1))
					if (marks.flags[i] & tacho.flag.JOINED && marks.many[i] === 1)
						return { lane, marks, i };
			}
		}
		return is_waiting ? undefined : null;
	};

	// What is told of a mark, "" when nothing is.
	const read_text = async (run, number) => {
		if (!number || !tacho.can_unpack)
			return "";
		const piece = run.texts.pieces[Math.floor((number - 1) / run.texts.of)];
		const list = await run.store.get({ at: piece[0], size: piece[1] }, tacho.read_texts);
		return list[(number - 1) % run.texts.of] ?? "";
	};

	const load_values = (series, i) => series.run.store.get(series.chunks[i],
		(bytes) => tacho.read_values(bytes, series.chunks[i], series.columns.length));
	const peek_values = (series, i) => series.run.store.peek(series.chunks[i]);

	// A number that is none: absent, or of what cannot have it.
	const has_value = (state) => (state & 15) !== 4 && !(state & 0x20);

	const name_of = (run, name) => run.names[name] ?? "other";

	tacho.lanes = { runs, between, peek, load, choose_level, each_part, walk, find_call, read_text,
		load_values, peek_values, has_value, name_of };
})();
