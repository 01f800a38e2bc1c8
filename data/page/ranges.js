// SPDX-License-Identifier: MIT
// A selected range of time and its sums: of calls, commands, bytes and counters, for each thread and
// each queue. Calls and commands count where they begin; times are those inside the range.
"use strict";

(() => {
	if (!tacho.view)
		return;

	const { make, button, format_time, format_moment, format_count, format_bytes, format_share,
		format_value } = tacho;
	const { runs, between, load_values, has_value, walk } = tacho.lanes;
	const { view, draw_soon } = tacho.view;

	const WORDS = new Set(["lane", "counter", "unit", "kernel", "queue", "sizes"]); // titles of texts

	tacho.selection = null;

	// ---- sums ----

	const add_marks = (sum, marks, begin, end, { from, to }) => {
		const { KERNEL, TRANSFER } = tacho.flag;
		for (let i = begin; i < end; i++) {
			const start = marks.start[i], stop = start + marks.time[i];
			const inside = Math.max(Math.min(stop, to) - Math.max(start, from), 0);
			const share = marks.time[i] ? marks.busy[i] / marks.time[i] : 0;

			sum.time += inside * share;
			// Marks are sorted by start: what is before the end so far is counted.
			const free = Math.max(start, from, sum.reach);
			if (stop > free)
				sum.busy += Math.max(Math.min(stop, to) - free, 0) * Math.min(share, 1);
			sum.reach = Math.max(sum.reach, Math.min(stop, to));
			if (stop > start && stop > from)
				sum.parts.push(Math.max(start, from), Math.min(stop, to));
			if (start < from || start >= to)
				continue;
			sum.count += marks.many[i];
			sum.failed += marks.failed[i];
			sum.merged += marks.many[i] > 1 && share !== 1;
			sum.kernels += marks.flags[i] & KERNEL && marks.many[i] === 1 ? 1 : 0;
			if (marks.flags[i] & TRANSFER && marks.many[i] === 1) {
				sum.transfers++;
				sum.bytes += marks.moved[i] - 1;
			}
		}
	};

	const sum_lane = async (lane, range) => {
		const sum = { lane, count: 0, failed: 0, time: 0, busy: 0, kernels: 0, transfers: 0, bytes: 0,
			merged: 0, reach: -Infinity, parts: [] };
		sum.is_exact = await walk(lane, range.from, range.to,
			(marks, begin, end) => add_marks(sum, marks, begin, end, range));
		return sum;
	};

	// How long at least one of the intervals lasted.
	const unite = (parts) => {
		const order = parts.length / 2;
		const pairs = Array.from({ length: order }, (_, i) => i)
			.sort((a, b) => parts[2 * a] - parts[2 * b]);
		let total = 0, reach = -Infinity;
		for (const i of pairs) {
			const from = Math.max(parts[2 * i], reach), to = parts[2 * i + 1];
			total += Math.max(to - from, 0);
			reach = Math.max(reach, to);
		}
		return total;
	};

	const sum_columns = async (series, { from, to }) => {
		const sums = series.columns.map((column) => ({ column, count: 0, sum: 0,
			least: Infinity, most: -Infinity }));
		if (!tacho.can_unpack)
			return sums;
		const [first, last] = between(series, from, to);
		for (let c = first; c < last; c++) {
			const part = await load_values(series, c);
			sums.forEach((one, k) => {
				const { states, numbers } = part.values[k];
				for (let i = 0; i < numbers.length; i++) {
					if (part.start[i] < from || part.start[i] >= to || !has_value(states[i]))
						continue;
					one.count++;
					one.sum += numbers[i];
					one.least = Math.min(one.least, numbers[i]);
					one.most = Math.max(one.most, numbers[i]);
				}
			});
		}
		return sums;
	};

	const sum_run = async (run, range) => {
		const lanes = [];
		for (const lane of run.lanes)
			lanes.push(await sum_lane(lane, range));
		const of = (kind) => lanes.filter((sum) => sum.lane.kind === kind);
		const add = (sums, key) => sums.reduce((total, sum) => total + sum[key], 0);
		const devices = new Map();
		for (const sum of of("queue"))
			devices.set(sum.lane.group, [...devices.get(sum.lane.group) ?? [], ...[sum]]);
		const busy = [...devices].map(([name, sums]) => ({ name,
			busy: sums.length === 1 ? sums[0].busy : unite(sums.flatMap((sum) => sum.parts)) }));
		const columns = [];
		for (const series of run.series)
			columns.push(...await sum_columns(series, range));
		return { run, range, lanes, devices: busy, columns,
			calls: add(of("thread"), "count"), failed: add(of("thread"), "failed"),
			api: add(of("thread"), "time"), commands: add(of("queue"), "count"),
			kernels: add(of("queue"), "kernels"), transfers: add(of("queue"), "transfers"),
			bytes: add(of("queue"), "bytes"), merged: add(lanes, "merged"),
			is_exact: lanes.every((sum) => sum.is_exact) };
	};

	// ---- shown ----

	const fact = (label, value, below, data) => {
		const tile = make("div", { className: "tile" }, make("dt", {}, label),
			make("dd", {}, make("span", { className: "value" }, value), " ",
				make("small", {}, below)));
		if (data !== undefined)
			tile.dataset.v = data;
		return tile;
	};

	const make_facts = (sums) => {
		const length = sums.range.to - sums.range.from;
		const facts = make("dl", { className: "tiles" },
			fact("Selected", format_time(length), `from ${format_moment(sums.range.from)}`, length),
			fact("Calls", format_count(sums.calls),
				`${format_time(sums.api)} in the API` +
				(sums.failed ? `, ${format_count(sums.failed)} failed` : ""), sums.calls),
			fact("Kernels", format_count(sums.kernels),
				`of ${format_count(sums.commands)} commands`, sums.kernels),
			fact("Transfers", format_count(sums.transfers), format_bytes(sums.bytes), sums.bytes));
		for (const { name, busy } of sums.devices)
			facts.append(fact("Device busy", format_time(busy),
				`${format_share(busy, length)} of ${name}; idle ` +
				`${format_time(Math.max(length - busy, 0))}`, busy));
		return facts;
	};

	const cell = (text, value) => {
		const element = make("td", { className: "num" }, text);
		if (value !== undefined)
			element.dataset.v = value;
		return element;
	};
	const head = (text) => make("th", { scope: "row" }, make("span", { className: "name" }, text));
	const make_table = (id, caption, titles, lines) => {
		const header = make("tr", {}, ...titles.map((title) => {
			const element = make("th", { scope: "col" }, title);
			element.dataset.sort = !title ? "no" : WORDS.has(title) ? "text" : "number";
			return element;
		}));
		const table = make("table", { className: "data", id }, make("caption", {}, caption),
			make("thead", {}, header), make("tbody", {}, ...lines));
		const scroll = make("div", { className: "scroll", tabIndex: 0 }, table);
		scroll.setAttribute("role", "group");
		scroll.setAttribute("aria-label", caption);
		return scroll;
	};
	tacho.table = { make: make_table, cell, head };

	const make_lanes = (sums) => {
		const length = sums.range.to - sums.range.from;
		const lines = sums.lanes.filter((sum) => sum.count || sum.time).map((sum) =>
			make("tr", {}, head(`${sum.lane.label}, ${sum.lane.group}`),
				cell(format_count(sum.count), sum.count),
				cell(format_time(sum.busy), sum.busy),
				cell(format_share(sum.busy, length), sum.busy / length),
				cell(sum.lane.kind === "queue" ? format_count(sum.kernels) : "", sum.kernels),
				cell(sum.lane.kind === "queue" ? format_count(sum.transfers) : "", sum.transfers),
				cell(sum.lane.kind === "queue" ? format_bytes(sum.bytes) : "", sum.bytes)));
		return make_table(`sums-${sums.run.index}`, "for each thread and queue",
			["lane", "count", "busy", "share", "kernels", "transfers", "bytes"], lines);
	};

	const make_columns = (sums) => {
		const lines = sums.columns.filter((one) => one.count).map(({ column, ...one }) => {
			const show = (value) => cell(format_value(value, column.unit), value);
			return make("tr", {}, head(column.name + (column.simulated ? " [simulated]" : "")),
				cell(format_count(one.count), one.count),
				column.adds ? show(one.sum) : cell("", ""), show(one.sum / one.count),
				show(one.least), show(one.most), make("td", {}, column.unit));
		});
		return lines.length ? make_table(`counters-${sums.run.index}`, "counters in the range",
			["counter", "counted", "total", "average", "min", "max", "unit"], lines) : "";
	};

	const panel = make("div", { className: "panel", hidden: true });
	panel.setAttribute("role", "region");
	panel.setAttribute("aria-label", "Selected range");
	tacho.chart.panel = panel;

	const show_sums = (all) => {
		const tools = make("div", { className: "tools" },
			button("Zoom to it", "show the selected range (Z)", tacho.zoom_to_selection),
			button("Clear", "select nothing (Escape)", () => tacho.select(null)));
		panel.replaceChildren(tools);
		for (const sums of all) {
			if (all.length > 1)
				panel.append(make("h3", {}, sums.run.run));
			panel.append(make_facts(sums), make_lanes(sums), make_columns(sums));
			if (!sums.is_exact)
				panel.append(make("p", { className: "rest" },
					"Some calls are in marks with others: sums at the edges of the range, " +
					"kernels and bytes are those of what stands alone."));
			panel.append(tacho.make_launches(sums.run, sums.range));
		}
		panel.hidden = false;
		panel.dataset.ready = "1";
	};

	let turn = 0;
	tacho.select = async (from, to, is_final = true) => {
		const mine = ++turn;
		if (from === null) {
			tacho.selection = null;
			panel.hidden = true;
			delete panel.dataset.ready;
			draw_soon();
			tacho.note_place?.();
			return;
		}
		tacho.selection = { from: Math.round(Math.min(from, to)), to: Math.round(Math.max(from, to)) };
		draw_soon();
		if (tacho.selection.from === tacho.selection.to) {
			if (is_final)
				tacho.select(null);
			return;
		}
		if (!is_final)
			return;
		delete panel.dataset.ready;
		tacho.note_place?.();
		try {
			const all = [];
			for (const run of runs)
				all.push(await sum_run(run, tacho.selection));
			if (mine === turn)
				show_sums(all);
		} catch (error) {
			tacho.complain(error);
		}
	};
	tacho.select_view = () => tacho.select(view.from, view.to);
	tacho.zoom_to_selection = () => tacho.selection &&
		tacho.view.set_view(tacho.selection.from, tacho.selection.to);
})();
