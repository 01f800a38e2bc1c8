// SPDX-License-Identifier: MIT
// Tables that can be sorted and filtered, commands that can be copied, light and dark.
"use strict";

(() => {
	const { make } = tacho;

	// What a cell is worth: the number in base units, "" for what is not known, else its text.
	const worth = (cell, is_number) => {
		if (!is_number)
			return cell.textContent.trim();
		const value = cell.dataset.v ?? cell.textContent;
		return value === "" ? NaN : Number(value);
	};

	// What is not known comes last in both directions.
	const compare = (a, b, is_number, sign) => {
		if (!is_number)
			return sign * a.localeCompare(b, "en", { numeric: true });
		if (Number.isNaN(a) || Number.isNaN(b))
			return Number.isNaN(a) - Number.isNaN(b);
		return sign * (a - b);
	};

	const sort = (table, title, column) => {
		const is_number = title.dataset.sort === "number";
		const before = title.getAttribute("aria-sort");
		// Numbers begin with the largest.
		const first = is_number ? "descending" : "ascending";
		const second = is_number ? "ascending" : "descending";
		const order = before === first ? second : first;
		const sign = order === "ascending" ? 1 : -1;
		const body = table.tBodies[0];
		const rows = [...body.rows].map((row) => [worth(row.cells[column], is_number), row]);

		rows.sort((a, b) => compare(a[0], b[0], is_number, sign));
		body.append(...rows.map((row) => row[1]));
		for (const other of table.tHead.rows[0].cells)
			other.removeAttribute("aria-sort");
		title.setAttribute("aria-sort", order);
	};

	const make_sortable = (table) => {
		[...table.tHead.rows[0].cells].forEach((title, column) => {
			if (title.dataset.sort === "no")
				return;
			const button = make("button", { type: "button" }, ...title.childNodes);
			button.title = title.title ? `${title.title}; sort` : "sort";
			title.removeAttribute("title");
			title.replaceChildren(button);
			button.addEventListener("click", () => sort(table, title, column));
		});
	};

	const filter = (table, input, told) => {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0;

		for (const row of table.tBodies[0].rows) {
			const text = row.textContent.toLowerCase();
			row.hidden = !words.every((word) => text.includes(word));
			shown += !row.hidden;
		}
		told.textContent = words.length ?
			`${shown} of ${table.tBodies[0].rows.length} rows` : "";
	};

	tacho.make_sortable = make_sortable;

	let filters = 0;
	const make_filterable = (table) => {
		if (table.tBodies[0].rows.length < 8)
			return;
		const id = `filter-${++filters}`;
		const input = make("input", { type: "search", id, autocomplete: "off" });
		const told = make("span", { className: "told" });
		told.setAttribute("role", "status");
		input.addEventListener("input", () => filter(table, input, told));
		table.closest(".scroll").before(make("div", { className: "tools" },
			make("label", { htmlFor: id }, "Filter"), input, told));
	};

	for (const table of document.querySelectorAll("table.data")) {
		make_sortable(table);
		make_filterable(table);
	}

	// A page from a file has no clipboard in some browsers; selected text can be copied always.
	const copy = async (code, button) => {
		try {
			await navigator.clipboard.writeText(code.textContent);
		} catch {
			getSelection().selectAllChildren(code);
			try {
				if (!document.execCommand("copy"))
					throw new Error("refused");
			} catch {
				button.textContent = "selected: press Ctrl+C";
				return;
			}
		}
		button.textContent = "copied";
		setTimeout(() => { button.textContent = "copy"; }, 2000);
	};

	for (const code of document.querySelectorAll("code.copy")) {
		const button = make("button", { type: "button", className: "copier" }, "copy");
		button.addEventListener("click", () => copy(code, button));
		code.after(" ", button);
	}

	// Paper cannot be opened.
	addEventListener("beforeprint", () => {
		for (const details of document.querySelectorAll("details"))
			details.open = true;
	});

	const theme = () => document.documentElement.dataset.theme ??
		(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
	const toggle = make("button", { type: "button" });
	const name_toggle = () => {
		toggle.textContent = theme() === "dark" ? "Light" : "Dark";
	};
	toggle.addEventListener("click", () => {
		document.documentElement.dataset.theme = theme() === "dark" ? "light" : "dark";
		name_toggle();
		document.dispatchEvent(new Event("themechange"));
	});
	name_toggle();
	document.querySelector("nav ul").append(make("li", { className: "last" }, toggle));
})();
