// SPDX-License-Identifier: MIT
// The chart: its elements, where each lane stands, and the part of the time that is shown.
"use strict";

(() => {
	if (!tacho.lanes)
		return;

	const { make, button, format_time } = tacho;
	const { runs } = tacho.lanes;
	const GROUP = 22, LANE = 26, ROW = 14, TRACK = 40;
	const SHORTEST = 20; // ns that the view shows at least

	// ---- where each lane is drawn: groups have headings ----

	const headings = [], rows = [];
	let height = 0;

	const add_heading = (text) => {
		headings.push({ y: height, text });
		height += GROUP;
	};
	const add_row = (row) => {
		rows.push(Object.assign(row, { y: height, index: rows.length }));
		height += row.height;
	};

	for (const run of runs) {
		let before = null;
		for (const lane of run.lanes) {
			if (lane.group !== before?.group)
				add_heading(runs.length > 1 ? `${run.run}: ${lane.group}` : lane.group);
			before = lane;
			lane.height = lane.rows > 1 ? lane.rows * ROW + 8 : LANE;
			add_row(lane);
		}
		for (const series of run.series) {
			const label = series.label +
				(series.columns.some((one) => one.simulated) ? " [simulated]" : "");
			add_heading(runs.length > 1 ? `${run.run}: ${label}` : label);
			series.columns.forEach((column, k) => add_row({ kind: "track", run, series, k,
				column, label: column.name, height: TRACK }));
		}
	}

	// ---- the elements ----

	const chart = document.getElementById("chart");
	const top = make("canvas");
	const canvas = make("canvas", { tabIndex: 0 });
	const tip = make("div", { className: "tip", hidden: true });
	const shown = make("span", { className: "told" });
	const picked = make("p", { className: "picked" });
	const scroller = make("div", { className: "lanes" }, canvas);
	const box = make("div", { className: "canvases" }, top, scroller);

	canvas.setAttribute("role", "application");
	canvas.setAttribute("aria-roledescription", "timeline");
	top.setAttribute("aria-hidden", "true");
	picked.setAttribute("role", "status");

	// ---- the part of the time that is shown ----

	const low = Math.min(0, ...runs.map((run) => run.first));
	const high = Math.max(1, ...runs.map((run) => run.last));
	const first = Math.min(...runs.map((run) => run.first));
	const length = Math.max(high - first, 1);
	const view = { from: first, to: high, gutter: 150, width: 0 };
	const listeners = [];

	const to_x = (ns) => view.gutter +
		(ns - view.from) / (view.to - view.from) * (view.width - view.gutter);
	const to_ns = (x) => view.from +
		(x - view.gutter) / (view.width - view.gutter) * (view.to - view.from);

	let is_waiting = false;
	const draw_soon = () => {
		if (is_waiting)
			return;
		is_waiting = true;
		requestAnimationFrame(() => {
			is_waiting = false;
			tacho.draw();
		});
	};

	const set_view = (from, to) => {
		const size = Math.min(Math.max(to - from, SHORTEST), length * 1.02);
		const least = first - 0.01 * length, most = high + 0.01 * length;
		view.from = Math.min(Math.max(from, least), most - size);
		view.to = view.from + size;
		for (const listener of listeners)
			listener();
		draw_soon();
	};
	const show_all = () => set_view(first - 0.005 * length, high + 0.005 * length);
	const zoom = (factor, at = (view.from + view.to) / 2) =>
		set_view(at - (at - view.from) * factor, at + (view.to - at) * factor);
	const move = (part) => {
		const by = (view.to - view.from) * part;
		set_view(view.from + by, view.to + by);
	};
	// Moves, and widens if need be, so that these times are in the middle.
	const show = (from, to) => {
		if (from >= view.from && to <= view.to && to - from > (view.to - view.from) / 2000)
			return;
		const wanted = Math.min(view.to - view.from, Math.max((to - from) * 200, SHORTEST));
		const size = Math.max(wanted, (to - from) * 1.2);
		set_view((from + to - size) / 2, (from + to + size) / 2);
	};
	const show_row = (row) => {
		if (row.y < scroller.scrollTop)
			scroller.scrollTop = row.y - GROUP;
		else if (row.y + row.height > scroller.scrollTop + scroller.clientHeight)
			scroller.scrollTop = row.y + row.height - scroller.clientHeight;
	};

	const tools = make("div", { className: "tools" },
		button("+", "zoom in (W or +)", () => zoom(0.5)),
		button("−", "zoom out (S or -)", () => zoom(2)),
		button("Show all", "the whole run (0)", show_all));
	const legend = make("p", { className: "legend" });

	canvas.setAttribute("aria-label", `Timeline of ${rows.length} lanes over ` +
		`${format_time(length)}. A and D or left and right move, W and S or plus and minus zoom, ` +
		"0 shows all, up and down choose a lane, page up and page down a mark in it, slash " +
		"searches, question mark shows all keys.");

	tacho.chart = { chart, top, canvas, tip, shown, picked, scroller, box, tools, legend };
	tacho.layout = { rows, headings, height: () => height, ROW, GROUP };
	tacho.view = { view, low, high, first, length, SHORTEST, to_x, to_ns, set_view, show_all, zoom,
		move, show, show_row, draw_soon, on_change: (fn) => listeners.push(fn) };
	tacho.complain = (error) => { picked.textContent = `Cannot be shown: ${error.message}`; };
})();
