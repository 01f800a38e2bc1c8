// SPDX-License-Identifier: MIT
// The timeline put together, and its keys.
"use strict";

(() => {
	if (!tacho.view)
		return;

	const { make, button } = tacho;
	const { runs } = tacho.lanes;
	const { chart, canvas, box, picked, tools, shown, search, panel, help, tip, legend } =
		tacho.chart;
	const { zoom, move, show_all, draw_soon } = tacho.view;

	const clear = () => {
		tacho.choose(null);
		tacho.select(null);
	};
	const keys = {
		ArrowLeft: () => move(-0.1), ArrowRight: () => move(0.1),
		a: () => move(-0.1), d: () => move(0.1),
		"+": () => zoom(0.5), "=": () => zoom(0.5), w: () => zoom(0.5),
		"-": () => zoom(2), s: () => zoom(2),
		0: show_all, Home: show_all,
		ArrowUp: () => tacho.step_row(-1), ArrowDown: () => tacho.step_row(1),
		PageUp: () => tacho.step_mark(-1), PageDown: () => tacho.step_mark(1),
		Escape: clear, x: tacho.select_view, z: tacho.zoom_to_selection,
		n: () => tacho.next_hit(1), N: () => tacho.next_hit(-1),
		"/": tacho.focus_search, "?": tacho.show_help,
	};
	// In the timeline all of them; elsewhere on the page those that nothing else takes.
	const anywhere = new Set(["/", "?"]);
	const is_typing = (target) => target.matches?.("input, textarea, select, dialog *");

	document.addEventListener("keydown", (event) => {
		const key = event.shiftKey && event.key === "N" ? "N" :
			event.key.length === 1 ? event.key.toLowerCase() : event.key;
		if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, key) ||
		    is_typing(event.target))
			return;
		if (event.target !== canvas && !anywhere.has(key))
			return;
		event.preventDefault();
		keys[key]();
	});
	canvas.addEventListener("focus", draw_soon);
	canvas.addEventListener("blur", draw_soon);

	const copier = button("Copy link", "the address of what is shown", () => tacho.copy_place(copier));
	tools.append(button("Select", "sum up what is shown (X)", tacho.select_view), copier,
		button("?", "keys (?)", tacho.show_help), search, shown);
	legend.append(make("small", {}, "Drag to move, Ctrl and wheel to zoom, drag on the scale to " +
		"select; ? tells all keys. Percentages: how busy a lane is in what is shown. A dashed line " +
		"joins a call with its command."));
	if (!tacho.can_unpack)
		legend.prepend(make("b", {}, "This browser cannot unpack data (it has no " +
			"DecompressionStream): what is shown is merged, and arguments are missing. "));
	for (const series of runs.flatMap((run) => run.series))
		if (series.stride > 1)
			legend.append(make("small", {}, ` Of ${series.label} one row in ` +
				`${series.stride} is here: ${tacho.format_count(series.rows)} of ` +
				`${tacho.format_count(series.seen)}.`));
	chart.append(tools, box, picked, panel, legend, tip, help);
	chart.hidden = false;

	// What was read, for those who look at the page from outside.
	const sum = (kind, fn) => runs.flatMap((run) => run.lanes).reduce((total, lane) =>
		total + (lane.kind === kind ? fn(lane) : 0), 0);
	const busy_of = (lane) => lane.levels[lane.levels.length - 1].marks.reduce((total, marks) =>
		total + marks.busy.reduce((part, one) => part + one, 0), 0);
	chart.dataset.marks = String(runs.flatMap((run) => run.lanes).reduce((total, lane) => total +
		lane.levels[0].chunks.reduce((count, chunk) => count + chunk.count, 0), 0));
	chart.dataset.calls = String(sum("thread", (lane) => lane.total));
	chart.dataset.busy = String(sum("queue", busy_of));

	show_all();
	tacho.read_place();
	tacho.draw();
	chart.dataset.drawn = String(Math.round(performance.now()));
	new ResizeObserver(draw_soon).observe(box);
})();
