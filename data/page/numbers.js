// SPDX-License-Identifier: MIT
// What the scripts of a page share: elements, and numbers for people as the tables have them.
"use strict";

const tacho = {};

(() => {
	tacho.make = (name, properties, ...children) => {
		const element = Object.assign(document.createElement(name), properties);
		element.append(...children);
		return element;
	};

	tacho.button = (text, title, action) => {
		const element = tacho.make("button", { type: "button", title }, text);
		element.addEventListener("click", action);
		return element;
	};

	const scale = (value, units) => {
		let unit = 0;
		while (unit + 1 < units.length && Math.abs(value) >= 999.5) {
			value /= 1000;
			unit++;
		}
		const size = Math.abs(value);
		const decimals = unit === 0 && Number.isInteger(value) ? 0 :
			size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
		return `${value.toFixed(decimals)} ${units[unit]}`.trim();
	};

	tacho.format_time = (ns) => scale(ns, ["ns", "us", "ms", "s"]);
	// A moment: close ones must look different.
	tacho.format_moment = (ns) => `${(ns / 1e6).toLocaleString("en-US",
		{ minimumFractionDigits: 3, maximumFractionDigits: 3 })} ms`;
	tacho.format_bytes = (bytes) => scale(bytes, ["B", "kB", "MB", "GB", "TB"]);
	tacho.format_count = (count) => count.toLocaleString("en-US");
	tacho.format_share = (part, whole) => whole ? `${(100 * part / whole).toFixed(1)}%` : "-";

	// A counter's value.
	tacho.format_value = (value, unit) => {
		if (unit === "nanoseconds")
			return tacho.format_time(value);
		if (unit === "bytes")
			return tacho.format_bytes(value);
		const text = Number.isInteger(value) ? tacho.format_count(value) :
			Number(value.toPrecision(4)).toLocaleString("en-US",
				{ maximumSignificantDigits: 4 });
		return unit === "percent" ? `${text}%` : text;
	};

	// The first place in a sorted list that is not below the value.
	tacho.first_from = (list, value) => {
		let low = 0, high = list.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (list[middle] < value)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	};
})();
