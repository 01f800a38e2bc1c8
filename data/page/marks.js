// SPDX-License-Identifier: MIT
// Marks under the pointer or chosen by keys, what is told of them, and moving by mouse and touch.
"use strict";

(() => {
	if (!tacho.view)
		return;

	const { make, format_time, format_moment, format_count, format_value } = tacho;
	const { choose_level, each_part, find_call, read_text, name_of } = tacho.lanes;
	const { chart, top, canvas, tip, picked, box } = tacho.chart;
	const { rows, ROW } = tacho.layout;
	const { view, first, length, SHORTEST, to_x, to_ns, set_view, zoom, move, show, show_row,
		draw_soon } = tacho.view;

	tacho.hovered = null;
	tacho.chosen = null;
	tacho.chosen_row = 0;

	// A call and its command are drawn joined. Undefined while that is looked up.
	tacho.partner_of = ({ lane, marks, i }) => {
		if (!(marks.flags[i] & tacho.flag.JOINED) || marks.many[i] > 1)
			return null;
		return find_call(lane.run, lane.kind === "thread" ? "queue" : "thread", marks.call[i],
			draw_soon);
	};

	// What is drawn at this point, a pixel or two beside it also.
	const find_mark = (x, y) => {
		const lane = rows.find((one) => y >= one.y && y < one.y + one.height);
		if (!lane || lane.kind === "track" || x < view.gutter)
			return null;
		const slack = to_ns(x + 2) - to_ns(x);
		const at = to_ns(x);
		const level = choose_level(lane, view.from, view.to, draw_soon);
		const has_rows = lane.rows > 1 && level.cell === 0;
		const row = Math.floor((y - lane.y - 4) / ROW);
		let best = null, least = Infinity;
		each_part(lane, level, at - slack, at + slack, (marks, begin, end) => {
			for (let i = begin; i < end; i++) {
				if (has_rows && marks.row[i] !== row)
					continue;
				const distance = Math.max(marks.start[i] - at,
					at - marks.start[i] - marks.time[i], 0);
				if (distance <= slack && distance <= least) {
					best = { lane, marks, i };
					least = distance;
				}
			}
		});
		return best;
	};

	// ---- words about a mark ----

	const count_words = ({ lane, marks, i }) => {
		const many = { thread: "calls", range: "ranges", queue: "commands" }[lane.kind];
		const count = format_count(marks.many[i]), time = format_time(marks.time[i]);
		if (marks.many[i] === 1)
			return time;
		if (marks.call[i] && lane.levels[0].cell === 0 && marks.text[i])
			return `${count} equal ${many}, ${time}`;
		return `${count} ${many}, the longest is this one; busy ${format_time(marks.busy[i])} ` +
			`of ${time}`;
	};

	const describe = (mark) => {
		const { lane, marks, i } = mark;
		const words = [count_words(mark), `${format_moment(marks.start[i])} after the start`];
		if (marks.failed[i])
			words.push(marks.many[i] > 1 ? `${format_count(marks.failed[i])} failed` : "failed");
		if (marks.wait[i])
			words.push(`waited ${format_time(marks.wait[i])} since it was queued`);
		const partner = tacho.partner_of(mark);
		if (partner && lane.kind === "thread")
			words.push(`gave ${name_of(lane.run, partner.marks.name[partner.i])} to ` +
				partner.lane.label);
		if (partner && lane.kind === "queue")
			words.push(`given by ${partner.lane.label}`);
		return { name: name_of(lane.run, marks.name[i]), words: words.join("; ") };
	};

	const show_tip = async (mark, x, y) => {
		if (!mark) {
			tip.hidden = true;
			return;
		}
		const text = await read_text(mark.lane.run, mark.marks.text[mark.i]).catch(() => "");
		if (tacho.hovered !== mark)
			return;
		const { name, words } = describe(mark);
		const is_call = text.startsWith("(");
		tip.replaceChildren(make("b", {}, name), is_call ? text : "", make("br"),
			is_call || !text ? "" : `${text}; `, words);
		tip.hidden = false;
		const left = Math.min(x + 14, chart.clientWidth - tip.offsetWidth - 4);
		tip.style.left = `${Math.max(left, 4)}px`;
		tip.style.top = `${y + 18}px`;
	};

	tacho.choose = async (mark, is_shown) => {
		tacho.chosen = mark;
		draw_soon();
		if (!mark) {
			picked.textContent = "";
			return;
		}
		const { lane, marks, i } = mark;
		tacho.chosen_row = lane.index;
		if (is_shown) {
			show(marks.start[i], marks.start[i] + marks.time[i]);
			show_row(lane);
		}
		const text = await read_text(lane.run, marks.text[i]).catch(() => "");
		if (tacho.chosen !== mark)
			return;
		const { name, words } = describe(mark);
		picked.replaceChildren(make("b", {}, name), text.startsWith("(") ? text : ` ${text}`,
			` - ${words} - ${lane.label}`);
		picked.dataset.start = marks.start[i];
		picked.dataset.time = marks.time[i];
		picked.dataset.many = marks.many[i];
	};

	// ---- values under the pointer ----

	const show_value = (track, x, y, at) => {
		const { series, k, column } = track;
		const [begin, end] = tacho.lanes.between(series, at, at + 1);
		for (let c = begin; c < end; c++) {
			const part = tacho.lanes.peek_values(series, c);
			const i = part ? part.start.findIndex((start, n) => start <= at &&
				at <= start + part.time[n]) : -1;
			if (i < 0 || !tacho.lanes.has_value(part.values[k].states[i]))
				continue;
			tip.replaceChildren(make("b", {}, column.name), make("br"),
				`${format_value(part.values[k].numbers[i], column.unit)} ` +
				`${column.unit === "percent" ? "" : column.unit}`.trim() +
				(series.kind === "launches" ? `, ${name_of(track.run, part.name[i])}` :
					` in ${format_time(part.time[i])}`) +
				`, ${format_moment(part.start[i])} after the start`);
			tip.hidden = false;
			tip.style.left = `${Math.max(Math.min(x + 14,
				chart.clientWidth - tip.offsetWidth - 4), 4)}px`;
			tip.style.top = `${y + 18}px`;
			return;
		}
		tip.hidden = true;
	};

	// ---- mouse and touch: drag moves, with shift it selects ----

	let drag = null;
	const point_of = (event) => {
		const at = canvas.getBoundingClientRect();
		return [event.clientX - at.left, event.clientY - at.top];
	};

	canvas.addEventListener("pointerdown", (event) => {
		if (event.button !== 0)
			return;
		const [x, y] = point_of(event);
		drag = { x, from: view.from, to: view.to, mark: find_mark(x, y), is_moved: false,
			start: event.shiftKey ? to_ns(x) : null };
		canvas.setPointerCapture(event.pointerId);
	});
	const hover = (event, x, y) => {
		const base = chart.getBoundingClientRect();
		const left = event.clientX - base.left, above = event.clientY - base.top;
		const row = rows.find((one) => y >= one.y && y < one.y + one.height);
		tacho.hovered = find_mark(x, y);
		if (row?.kind === "track" && x >= view.gutter)
			show_value(row, left, above, to_ns(x));
		else
			show_tip(tacho.hovered, left, above);
		draw_soon();
	};
	canvas.addEventListener("pointermove", (event) => {
		const [x, y] = point_of(event);
		if (!drag) {
			hover(event, x, y);
			return;
		}
		if (Math.abs(x - drag.x) > 3)
			drag.is_moved = true;
		if (!drag.is_moved)
			return;
		tip.hidden = true;
		if (drag.start !== null) {
			tacho.select(drag.start, to_ns(x), false);
			return;
		}
		const by = (drag.x - x) / (view.width - view.gutter) * (drag.to - drag.from);
		canvas.classList.add("moving");
		set_view(drag.from + by, drag.to + by);
	});
	canvas.addEventListener("pointerup", () => {
		if (drag && !drag.is_moved)
			tacho.choose(drag.mark, false);
		else if (drag && drag.start !== null && tacho.selection)
			tacho.select(tacho.selection.from, tacho.selection.to, true);
		drag = null;
		canvas.classList.remove("moving");
	});
	canvas.addEventListener("pointercancel", () => { drag = null; });
	canvas.addEventListener("pointerleave", () => {
		tacho.hovered = null;
		tip.hidden = true;
		draw_soon();
	});
	canvas.addEventListener("dblclick", (event) => {
		const mark = find_mark(...point_of(event));
		if (!mark)
			return zoom(0.5, to_ns(point_of(event)[0]));
		const time = Math.max(mark.marks.time[mark.i], SHORTEST), start = mark.marks.start[mark.i];
		set_view(start - time, start + 2 * time);
	});
	// A plain wheel scrolls the page, as everywhere.
	box.addEventListener("wheel", (event) => {
		const delta = Math.max(Math.min(event.deltaY, 100), -100);
		if (event.ctrlKey || event.metaKey) {
			event.preventDefault();
			zoom(1.003 ** delta, to_ns(event.clientX - box.getBoundingClientRect().left));
		} else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
			event.preventDefault();
			move((event.deltaX || event.deltaY) / 1000);
		}
	}, { passive: false });

	// In the strip above a click or a drag chooses the part that is shown; on the scale below it a
	// drag selects.
	let part = null;
	const strip_of = (event) => {
		const at = top.getBoundingClientRect();
		const x = event.clientX - at.left, is_scale = event.clientY - at.top > tacho.axis.OVERVIEW;
		return { is_scale, ns: is_scale ? to_ns(x) :
			first + (x - view.gutter) / (view.width - view.gutter) * length };
	};
	top.addEventListener("pointerdown", (event) => {
		part = strip_of(event);
		top.setPointerCapture(event.pointerId);
	});
	const ns_of = (event) => part.is_scale ?
		to_ns(event.clientX - top.getBoundingClientRect().left) :
		first + (event.clientX - top.getBoundingClientRect().left - view.gutter) /
			(view.width - view.gutter) * length;
	top.addEventListener("pointermove", (event) => {
		if (!part)
			return;
		const now = ns_of(event);
		if (part.is_scale && Math.abs(to_x(now) - to_x(part.ns)) > 3)
			tacho.select(part.ns, now, false);
		else if (!part.is_scale && Math.abs(now - part.ns) > length / 200)
			set_view(Math.min(part.ns, now), Math.max(part.ns, now));
	});
	top.addEventListener("pointerup", (event) => {
		if (!part)
			return;
		const now = ns_of(event), size = view.to - view.from;
		if (part.is_scale)
			tacho.select(part.ns, Math.abs(to_x(now) - to_x(part.ns)) > 3 ? now : part.ns, true);
		else if (Math.abs(now - part.ns) <= length / 200)
			set_view(now - size / 2, now + size / 2);
		part = null;
	});

	// ---- by keys ----

	tacho.step_row = (by) => {
		tacho.chosen_row = Math.min(Math.max(tacho.chosen_row + by, 0), rows.length - 1);
		const row = rows[tacho.chosen_row];
		tacho.chosen = null;
		picked.textContent = row.kind === "track" ? `${row.label}: ${row.series.label}` :
			`${row.group}, ${row.label}: ${format_count(row.total)} ` +
			(row.kind === "thread" ? "calls" : row.kind === "range" ? "ranges" : "commands");
		show_row(row);
		draw_soon();
	};

	// The next mark of the lane, as exactly as the page has it.
	tacho.step_mark = async (by) => {
		const lane = rows[tacho.chosen_row];
		if (lane.kind === "track")
			return;
		const { chosen } = tacho;
		const from = chosen?.lane === lane ? chosen.marks.start[chosen.i] : null;
		const level = tacho.can_unpack ? lane.levels[0] : lane.levels[lane.levels.length - 1];
		const step = async (c, i) => {
			if (c < 0 || c >= level.chunks.length)
				return;
			const marks = await tacho.lanes.load(lane, level, c);
			const at = i === Infinity ? marks.start.length - 1 : i;
			tacho.choose({ lane, marks, i: at }, true);
		};
		const at = from ?? (by > 0 ? view.from : view.to);
		let c = Math.max(tacho.first_from(level.starts, at + 1) - 1, 0);
		const marks = await tacho.lanes.load(lane, level, c);
		let i = from !== null && marks === chosen.marks ? chosen.i + by :
			by > 0 ? tacho.first_from(marks.start, from === null ? at : at + 1) :
				tacho.first_from(marks.start, at) - 1;
		if (i < 0)
			return step(c - 1, Infinity);
		return i >= marks.start.length ? step(c + 1, 0) : step(c, i);
	};
})();
