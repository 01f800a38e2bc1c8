// SPDX-License-Identifier: MIT
// The address holds what is shown: #t=FROM,TO (nanoseconds from the start of the run), s=FROM,TO
// (what is selected), q=TEXT (what is searched). It can be sent to others, and back goes back.
"use strict";

(() => {
	if (!tacho.view)
		return;

	const SETTLED = 500; // ms without a move until the address follows
	const { view, set_view, show_all, on_change, low, high } = tacho.view;
	let timer = 0, is_reading = false;

	const place = () => {
		const parts = [`t=${Math.round(view.from)},${Math.round(view.to)}`];
		if (tacho.selection)
			parts.push(`s=${tacho.selection.from},${tacho.selection.to}`);
		if (tacho.query())
			parts.push(`q=${encodeURIComponent(tacho.query())}`);
		return `#${parts.join("&")}`;
	};

	const note = () => {
		clearTimeout(timer);
		if (is_reading || location.hash === place())
			return;
		timer = setTimeout(() => {
			if (location.hash !== place())
				history.pushState(null, "", place());
		}, SETTLED);
	};

	const pair_of = (text) => {
		const numbers = (text ?? "").split(",").map(Number);
		const is_good = numbers.length === 2 && numbers.every(Number.isFinite) &&
			numbers[0] < numbers[1] && numbers[1] >= low && numbers[0] <= high;
		return is_good ? numbers : null;
	};

	// Whether the address names a moment; other places of the page it names, too.
	const read = () => {
		const parts = new Map(location.hash.slice(1).split("&").map((part) => {
			const sign = part.indexOf("=");
			return sign < 0 ? [part, ""] : [part.slice(0, sign), part.slice(sign + 1)];
		}));
		const shown = pair_of(parts.get("t")), selected = pair_of(parts.get("s"));
		let query = "";
		try {
			query = decodeURIComponent(parts.get("q") ?? "");
		} catch {
			// not written by this page
		}
		if (location.hash && !parts.has("t") && !parts.has("q") && !parts.has("s"))
			return false;
		is_reading = true;
		if (shown)
			set_view(...shown);
		else
			show_all();
		if (selected)
			tacho.select(...selected);
		else if (tacho.selection)
			tacho.select(null);
		if (query !== tacho.query())
			tacho.search(query, false).catch(tacho.complain);
		is_reading = false;
		return parts.has("t");
	};

	on_change(note);
	tacho.note_place = note;
	addEventListener("popstate", read);
	tacho.read_place = read;
	tacho.copy_place = async (button) => {
		clearTimeout(timer);
		history.replaceState(null, "", place());
		try {
			await navigator.clipboard.writeText(location.href);
			button.textContent = "copied";
		} catch {
			button.textContent = "it is in the address bar";
		}
		setTimeout(() => { button.textContent = "Copy link"; }, 2000);
	};
})();
