// SPDX-License-Identifier: MIT
// All keys and moves of the timeline, in a dialog.
"use strict";

(() => {
	if (!tacho.view)
		return;

	const { make } = tacho;
	const lines = [
		["drag; A, D or ← →", "move"],
		["Ctrl and wheel; W, S or + −", "zoom"],
		["double click", "zoom to a mark"],
		["0 or Home", "show all"],
		["drag in the strip above", "choose the part that is shown"],
		["drag on the scale, or with Shift", "select a range, and sum it up"],
		["X, Z, Escape", "select what is shown, zoom to it, select nothing"],
		["↑ ↓", "choose a lane"],
		["Page Up, Page Down", "step through its marks"],
		["/", "search; Enter and Shift+Enter step through what is found"],
		["N, Shift+N", "the next one found, the one before"],
		["?", "this"],
	];
	const close = tacho.button("Close", "close (Escape)", () => dialog.close());
	const dialog = make("dialog", { className: "help" },
		make("h3", { id: "help-title" }, "Keys of the timeline"),
		make("dl", {}, ...lines.flatMap(([keys, what]) => [make("dt", {}, keys),
			make("dd", {}, what)])), close);
	dialog.setAttribute("aria-labelledby", "help-title");

	tacho.chart.help = dialog;
	tacho.show_help = () => dialog.showModal();
})();
