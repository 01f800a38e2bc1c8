// SPDX-License-Identifier: MIT
// Draws the chart on its two canvases.
"use strict";

(() => {
	if (!tacho.view)
		return;

	const COLORS = 10; // what has no color of its own has this one
	const API = 64; // colors of API functions begin here
	const AXIS = 26, OVERVIEW = 36; // heights
	const { runs, choose_level, each_part, name_of, has_value } = tacho.lanes;
	const { top, canvas, box, scroller, shown } = tacho.chart;
	const { rows, headings, ROW, GROUP } = tacho.layout;
	const { view, low, first, length, to_x, draw_soon } = tacho.view;
	const { format_time, format_value } = tacho;

	// ---- colors ----

	let style = {};
	const read_style = () => {
		const of = getComputedStyle(document.documentElement);
		style = {};
		for (const name of ["page", "card", "line", "faint", "text", "quiet", "accent", "bad"])
			style[name] = of.getPropertyValue(`--${name}`).trim();
		style.k = [], style.a = [];
		for (let i = 0; i <= COLORS; i++) {
			style.k.push(of.getPropertyValue(`--k${i}`).trim());
			style.a.push(of.getPropertyValue(`--a${i}`).trim());
		}
		style.font = `12px ${getComputedStyle(document.body).fontFamily}`;
	};
	const hex_of = (tint) => `#${(tint - 1).toString(16).padStart(6, "0")}`;
	const color_of = (run, name) => {
		const tint = run.tints?.[name]; // one more than 0xRRGGBB
		if (tint)
			return hex_of(tint);
		const color = run.colors[name] ?? COLORS;
		return color >= API ? style.a[color - API] : style.k[color];
	};
	// Of names in marks: calls and what is bright have dark ones.
	const text_color_of = (lane, name) => {
		const tint = (lane.run.tints?.[name] || 1) - 1;
		const bright = 0.3 * (tint >> 16) + 0.6 * (tint >> 8 & 255) + 0.1 * (tint & 255);
		return lane.kind === "thread" || bright > 140 ? "#1b2027" : "#fff";
	};

	// ---- canvases and texts ----

	const prepare = (element, wanted) => {
		const ratio = devicePixelRatio || 1;
		const pixels = [Math.round(view.width * ratio), Math.round(wanted * ratio)];
		if (element.width !== pixels[0] || element.height !== pixels[1])
			[element.width, element.height] = pixels;
		element.style.height = `${wanted}px`;
		const context = element.getContext("2d");
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.clearRect(0, 0, view.width, wanted);
		context.font = style.font;
		context.textBaseline = "middle";
		return context;
	};

	const clip_text = (context, text, room) => {
		if (context.measureText(text).width <= room)
			return text;
		let least = 0, most = text.length;
		while (least < most) {
			const middle = (least + most + 1) >> 1;
			if (context.measureText(`${text.slice(0, middle)}…`).width <= room)
				least = middle;
			else
				most = middle - 1;
		}
		return least ? `${text.slice(0, least)}…` : "";
	};

	// What stands before its last word gives way: by their numbers lanes are told apart.
	const clip_label = (context, text, room) => {
		const [, first, last] = text.match(/^(.*?)( ?[^ ]*)$/);
		if (context.measureText(text).width <= room)
			return text;
		const rest = clip_text(context, first, room - context.measureText(last).width);
		if (rest || !/^ \d+$/.test(last))
			return rest ? rest + last : clip_text(context, text, room);
		let tail = last.trim();
		while (tail && context.measureText(`…${tail}`).width > room)
			tail = tail.slice(1);
		return `…${tail}`;
	};

	// ---- the axis ----

	// Steps of 1, 2 or 5, about one for each 100 pixels.
	const step_of = () => {
		const rough = (view.to - view.from) / Math.max((view.width - view.gutter) / 100, 1);
		const power = 10 ** Math.floor(Math.log10(rough));
		return Math.max([1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough), 1);
	};

	const format_tick = (ns, step) => {
		const units = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];
		const largest = Math.max(Math.abs(view.from), Math.abs(view.to));
		const [size, unit] = units.find(([one]) => largest >= one) ?? units[3];
		const decimals = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
		return `${(ns / size).toFixed(decimals)} ${unit}`;
	};

	const draw_axis = (context) => {
		const step = step_of();
		context.strokeStyle = style.line;
		context.fillStyle = style.quiet;
		context.beginPath();
		for (let n = Math.ceil(view.from / step); n * step <= view.to; n++) {
			const x = Math.round(to_x(n * step)) + 0.5;
			if (x < view.gutter)
				continue;
			const text = format_tick(n * step, step);
			context.moveTo(x, OVERVIEW + AXIS - 6);
			context.lineTo(x, OVERVIEW + AXIS);
			if (x + 3 + context.measureText(text).width <= view.width)
				context.fillText(text, x + 3, OVERVIEW + AXIS / 2);
		}
		context.moveTo(0, OVERVIEW + AXIS - 0.5);
		context.lineTo(view.width, OVERVIEW + AXIS - 0.5);
		context.stroke();
	};

	// ---- the strip above: how busy all is over the whole time, in columns of two pixels ----

	const overview_of = (is_in, columns) => {
		const sums = new Float64Array(columns);
		let count = 0;
		for (const lane of rows) {
			if (lane.kind === "track" || !is_in(lane))
				continue;
			count++;
			for (const marks of lane.levels[lane.levels.length - 1].marks)
				for (let i = 0; i < marks.start.length; i++) {
					const time = Math.max(marks.time[i], 1);
					const density = marks.busy[i] / time;
					const from = (marks.start[i] - first) / length * columns;
					const to = Math.min((marks.start[i] - first + time) / length * columns,
						columns);
					for (let c = Math.floor(from); c < to; c++)
						sums[c] += density * (Math.min(to, c + 1) - Math.max(from, c));
				}
		}
		return sums.map((sum) => Math.min(sum / Math.max(count, 1), 1));
	};

	// Two rows: threads above queues, or the queues of two runs.
	const halves = runs.length > 1 ?
		runs.slice(0, 2).map((run) => ({ text: `${run.run} queues`, color: "k",
			is_in: (lane) => lane.run === run && lane.kind === "queue" })) :
		[{ text: "threads", color: "a", is_in: (lane) => lane.kind === "thread" },
			{ text: "queues", color: "k", is_in: (lane) => lane.kind === "queue" }];
	let overview = null;

	const draw_overview = (context) => {
		const wide = view.width - view.gutter;
		const columns = Math.max(Math.floor(wide / 2), 1);
		if (overview?.columns !== columns)
			overview = { columns, sums: halves.map((one) => overview_of(one.is_in, columns)) };
		const half = OVERVIEW / 2 - 2;
		halves.forEach(({ text, color }, n) => {
			const y = n ? half + 2 : 1;
			context.fillStyle = style[color][0];
			overview.sums[n].forEach((share, c) => {
				const tall = share ? Math.max(share * half, 1) : 0;
				context.fillRect(view.gutter + c * 2, y + half - tall, 2, tall);
			});
			context.fillStyle = style.quiet;
			context.fillText(text, 8, y + half / 2 + 1);
		});
		const from = view.gutter + Math.max((view.from - first) / length, 0) * wide;
		const to = view.gutter + Math.min((view.to - first) / length, 1) * wide;
		context.fillStyle = style.quiet;
		context.globalAlpha = 0.25;
		context.fillRect(view.gutter, 0, from - view.gutter, OVERVIEW);
		context.fillRect(to, 0, view.width - to, OVERVIEW);
		context.globalAlpha = 1;
		context.strokeStyle = style.accent;
		context.strokeRect(from + 0.5, 0.5, Math.max(to - from - 1, 2), OVERVIEW - 1);
	};

	// ---- lanes of marks ----

	const tall_of = (lane, is_merged) => lane.rows > 1 && !is_merged ? ROW - 2 : lane.height - 8;

	// Marks that fall on one pixel are drawn once: the pixel of the first of them.
	const draw_marks = (context, lane) => {
		const level = choose_level(lane, view.from, view.to, draw_soon);
		const is_merged = level.cell !== 0;
		const tall = tall_of(lane, is_merged);
		const ends = new Array(is_merged ? 1 : lane.rows).fill(-1);
		const { run } = lane;
		let busy = 0;

		each_part(lane, level, view.from, view.to, (marks, begin, end) => {
			for (let i = begin; i < end; i++) {
				const from = Math.max(marks.start[i], view.from);
				const to = Math.min(marks.start[i] + marks.time[i], view.to);
				if (to < from)
					continue;
				const share = marks.time[i] ? Math.min(marks.busy[i] / marks.time[i], 1) : 1;
				busy += (to - from) * share;
				const row = is_merged ? 0 : marks.row[i];
				const x = to_x(from), wide = Math.max(to_x(to) - x, 1);
				if (x + wide <= ends[row] + 0.5)
					continue;
				ends[row] = x + wide;
				draw_mark(context, lane, marks, i, { x, wide, tall, share,
					y: lane.y + 4 + row * ROW });
			}
		});
		context.globalAlpha = 1;
		lane.is_merged = is_merged;
		return busy / (view.to - view.from);
	};

	const draw_mark = (context, lane, marks, i, { x, y, wide, tall, share }) => {
		const { run } = lane;
		const name = marks.name[i];
		const is_dense = marks.many[i] > 1 && share < 1;
		const alpha = tacho.is_found && !tacho.is_found(run, marks, i) ? 0.15 : 1;
		const wide_shown = wide > 3 ? wide - 0.5 : wide;

		context.globalAlpha = alpha;
		context.fillStyle = color_of(run, name);
		if (is_dense) {
			// Merged: as high as it is busy, before a faint ground.
			const high = Math.max(share * tall, 1.5);
			context.fillRect(x, y + tall - high, wide_shown, high);
			context.globalAlpha = alpha * 0.22;
			context.fillRect(x, y, wide_shown, tall);
			context.globalAlpha = alpha;
		} else {
			context.fillRect(x, y, wide_shown, tall);
		}
		if (marks.failed[i]) {
			context.fillStyle = style.bad;
			context.fillRect(x, y + tall - 3, wide, 3);
		}
		if (wide > 30) {
			context.fillStyle = is_dense ? style.text : text_color_of(lane, name);
			context.fillText(clip_text(context, name_of(run, name), wide - 8), x + 4,
				y + tall / 2);
		}
	};

	const outline = (context, mark, color) => {
		const { lane, marks, i } = mark;
		const x = to_x(marks.start[i]), right = to_x(marks.start[i] + marks.time[i]);
		const tall = tall_of(lane, lane.is_merged);
		const y = lane.y + 4 + (lane.is_merged ? 0 : marks.row[i] * ROW);
		if (right < view.gutter || x > view.width)
			return null;
		const left = Math.max(x, view.gutter), end = Math.min(right, view.width);
		context.strokeStyle = color;
		context.lineWidth = 2;
		context.strokeRect(left - 1, y - 1, Math.max(end - left, 1) + 2, tall + 2);
		context.lineWidth = 1;
		return { left, right: end, y: y + tall / 2 };
	};

	// A line from the call to what it gave to the device.
	const draw_partner = (context, mark) => {
		const partner = tacho.partner_of(mark);
		if (!partner)
			return;
		const [call, command] = mark.lane.kind === "thread" ? [mark, partner] : [partner, mark];
		const from = outline(context, call, style.text);
		const to = outline(context, command, style.text);
		if (!from || !to)
			return;
		context.strokeStyle = style.text;
		context.setLineDash([4, 3]);
		context.beginPath();
		context.moveTo(from.right, from.y);
		context.lineTo(to.left, to.y);
		context.stroke();
		context.setLineDash([]);
	};

	// ---- tracks of values ----

	// Values in the view: [start, end, least, mean, largest], exact ones if they are few enough.
	const values_of = (track) => {
		const { series, k, run } = track;
		const [begin, end] = tacho.lanes.between(series, view.from, view.to);
		const found = [];
		let is_exact = tacho.can_unpack && end - begin <= 24;

		for (let c = begin; c < end && is_exact; c++)
			if (!tacho.lanes.peek_values(series, c)) {
				is_exact = false;
				for (let d = c; d < end; d++)
					tacho.lanes.load_values(series, d).then(draw_soon, tacho.complain);
			}
		for (let c = begin; c < end && is_exact; c++) {
			const rows_of = tacho.lanes.peek_values(series, c);
			const { states, numbers } = rows_of.values[k];
			for (let i = 0; i < numbers.length; i++)
				if (has_value(states[i]))
					found.push([rows_of.start[i], rows_of.start[i] + rows_of.time[i],
						numbers[i], numbers[i], numbers[i]]);
		}
		if (is_exact)
			return found;
		const part = run.length / series.parts;
		return track.column.overview.map(([n, least, mean, largest]) =>
			[run.first + n * part, run.first + (n + 1) * part, least, mean, largest]);
	};

	const draw_track = (context, track) => {
		const values = values_of(track).filter(([from, to]) => to >= view.from && from <= view.to);
		const most = Math.max(...track.column.overview.map((part) => part[3]), 0);
		const least = Math.min(...track.column.overview.map((part) => part[1]), 0);
		const tall = track.height - 8, base = track.y + 4 + tall;
		const y_of = (value) => base - (value - least) / (most - least || 1) * tall;
		let last = -1;

		for (const [from, to, low_value, mean, high_value] of values) {
			const x = to_x(Math.max(from, view.from));
			const wide = Math.max(to_x(Math.min(to, view.to)) - x, 1.5);
			if (x + wide <= last + 0.5 && values.length > 4000)
				continue;
			last = x + wide;
			context.fillStyle = style.k[2];
			context.globalAlpha = 0.3;
			context.fillRect(x, y_of(high_value), wide, base - y_of(high_value));
			context.globalAlpha = 1;
			context.fillRect(x, y_of(mean) - 1, wide, 2);
			if (high_value !== low_value)
				context.fillRect(x + wide / 2 - 0.5, y_of(high_value), 1,
					Math.max(y_of(low_value) - y_of(high_value), 1));
		}
		context.fillStyle = style.quiet;
		context.textAlign = "right";
		context.fillText(`${format_value(most, track.column.unit)}`, view.gutter - 8, track.y + 11);
		context.textAlign = "left";
	};

	// ---- all together ----

	const draw_row = (context, row) => {
		context.fillStyle = row.index % 2 ? style.card : style.faint;
		context.fillRect(0, row.y, view.width, row.height);
		context.save();
		context.beginPath();
		context.rect(view.gutter, row.y, view.width - view.gutter, row.height);
		context.clip();
		const busy = row.kind === "track" ? 0 : draw_marks(context, row);
		if (row.kind === "track") {
			context.restore();
			context.save();
			draw_track(context, row);
		}
		context.restore();
		const y = row.kind === "track" ? row.y + 27 : row.y + row.height / 2;
		const right = row.kind === "track" ? row.column.unit :
			row.rows > 1 ? `${row.rows} rows` :
				`${(100 * busy).toFixed(busy < 0.0995 ? 1 : 0)}%`;
		const room = row.kind === "track" ? view.gutter - 16 : view.gutter - 58;
		context.fillStyle = style.text;
		context.fillText(clip_label(context, row.label, room), 8, y);
		if (row.kind !== "track") {
			context.fillStyle = style.quiet;
			context.textAlign = "right";
			context.fillText(right, view.gutter - 8, y);
			context.textAlign = "left";
		}
		if (document.activeElement === canvas && row.index === tacho.chosen_row) {
			context.strokeStyle = style.accent;
			context.strokeRect(0.5, row.y + 0.5, view.gutter - 3, row.height - 1);
		}
	};

	// The selected range: what is outside lies in shadow.
	const draw_selection = (context, from_y, to_y) => {
		const range = tacho.selection;
		if (!range)
			return;
		const from = Math.max(to_x(range.from), view.gutter);
		const to = Math.min(to_x(range.to), view.width);
		context.fillStyle = style.accent;
		context.globalAlpha = 0.12;
		if (to > from)
			context.fillRect(from, from_y, Math.max(to - from, 1), to_y - from_y);
		context.globalAlpha = 1;
		context.strokeStyle = style.accent;
		context.beginPath();
		for (const x of [to_x(range.from), to_x(range.to)])
			if (x >= view.gutter && x <= view.width) {
				context.moveTo(Math.round(x) + 0.5, from_y);
				context.lineTo(Math.round(x) + 0.5, to_y);
			}
		context.stroke();
	};

	tacho.draw = (is_whole = false) => {
		view.width = box.clientWidth;
		if (!view.width)
			return;
		view.gutter = view.width < 560 ? 96 : 190;
		if (!style.font)
			read_style();
		const above = prepare(top, OVERVIEW + AXIS);
		draw_overview(above);
		draw_axis(above);
		draw_selection(above, OVERVIEW, OVERVIEW + AXIS);
		const height = tacho.layout.height() + 4;
		const context = prepare(canvas, height);
		const from_y = is_whole ? 0 : scroller.scrollTop;
		const to_y = is_whole ? height : from_y + scroller.clientHeight;
		for (const { y, text } of headings) {
			context.fillStyle = style.quiet;
			context.fillText(clip_text(context, text, view.width - 16), 8, y + GROUP / 2 + 1);
		}
		for (const row of rows)
			if (row.y + row.height >= from_y && row.y <= to_y)
				draw_row(context, row);
		context.save();
		context.beginPath();
		context.rect(view.gutter, 0, view.width - view.gutter, height);
		context.clip();
		draw_selection(context, 0, height);
		for (const mark of [tacho.chosen, tacho.hovered])
			if (mark) {
				draw_partner(context, mark);
				outline(context, mark, style.accent);
			}
		context.restore();
		shown.textContent = `${format_time(view.to - view.from)} from ${format_time(view.from)}`;
	};

	tacho.axis = { OVERVIEW, AXIS };
	const restyle = () => {
		style = {};
		draw_soon();
	};
	scroller.addEventListener("scroll", draw_soon);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
	document.addEventListener("themechange", restyle);
	addEventListener("beforeprint", () => { style = {}; tacho.draw(true); });
	addEventListener("afterprint", restyle);
})();
