// SPDX-License-Identifier: MIT
// The launches of a selected range, the longest first, with their counters.
"use strict";

(() => {
	if (!tacho.view)
		return;

	const SHOWN = 200;
	const { make, format_time, format_moment, format_count, format_value } = tacho;
	const { walk, between, load_values, has_value, read_text, name_of } = tacho.lanes;

	const collect = async (run, { from, to }) => {
		const found = [];
		for (const lane of run.lanes) {
			if (lane.kind !== "queue")
				continue;
			await walk(lane, from, to, (marks, begin, end) => {
				for (let i = begin; i < end; i++)
					if (marks.flags[i] & tacho.flag.KERNEL && marks.many[i] === 1 &&
					    marks.start[i] >= from && marks.start[i] < to)
						found.push({ lane, marks, i, time: marks.time[i] });
			});
		}
		return found.sort((a, b) => b.time - a.time);
	};

	// The values of launches, by call.
	const collect_values = async (run, { from, to }) => {
		const values = new Map();
		for (const series of run.series) {
			if (series.kind !== "launches")
				continue;
			const [first, last] = between(series, from, to);
			for (let c = first; c < last; c++) {
				const part = await load_values(series, c);
				part.call.forEach((call, i) => values.set(call, part.values.map((one) =>
					has_value(one.states[i]) ? one.numbers[i] : null)));
			}
		}
		return values;
	};

	const make_line = async (run, launch, columns, values) => {
		const { lane, marks, i } = launch;
		const { cell, head } = tacho.table;
		const numbers = values.get(marks.call[i]);
		const text = await read_text(run, marks.text[i]);
		const go = tacho.button("show", "show it in the timeline",
			() => tacho.choose({ lane, marks, i }, true));
		return make("tr", {}, head(name_of(run, marks.name[i])),
			cell(format_moment(marks.start[i]), marks.start[i]),
			cell(format_time(marks.time[i]), marks.time[i]),
			cell(marks.wait[i] ? format_time(marks.wait[i]) : "", marks.wait[i] || ""),
			make("td", {}, lane.label), make("td", {}, text),
			...columns.map((column, k) => {
				const number = numbers?.[k] ?? null;
				return number === null ? cell("-", "") :
					cell(format_value(number, column.unit), number);
			}), make("td", {}, go));
	};

	const fill = async (holder, run, range) => {
		const launches = await collect(run, range);
		const values = await collect_values(run, range);
		const columns = run.series.filter((series) => series.kind === "launches")
			.flatMap((series) => series.columns);
		const lines = [];
		for (const launch of launches.slice(0, SHOWN))
			lines.push(await make_line(run, launch, columns, values));
		const shown = launches.length > SHOWN ?
			`the ${SHOWN} longest of ${format_count(launches.length)} launches` :
			`${format_count(launches.length)} launches, the longest first`;
		const table = tacho.table.make(`launches-${run.index}`, shown, ["kernel", "start", "time",
			"waited", "queue", "sizes", ...columns.map((column) => column.name +
				(column.simulated ? " [simulated]" : "")), ""], lines);
		holder.append(lines.length ? table : make("p", { className: "none" }, "none"));
		if (lines.length)
			tacho.make_sortable(table.querySelector("table"));
	};

	tacho.make_launches = (run, range) => {
		const holder = make("details", { className: "launches" },
			make("summary", {}, "Launches in the range"));
		holder.addEventListener("toggle", () => {
			if (holder.open && !holder.dataset.filled) {
				holder.dataset.filled = "1";
				fill(holder, run, range).catch(tacho.complain);
			}
		});
		return holder;
	};
})();
