// SPDX-License-Identifier: MIT
// The timeline: lanes of marks on a canvas, moved by mouse, touch and keyboard.
"use strict";

(() => {
	const source = document.getElementById("timeline-data");
	const chart = document.getElementById("chart");

	if (!source || !chart)
		return;

	const COLORS = 10; // what has no color of its own has this one
	const API = 64; // colors of API functions begin here
	const AXIS = 26, OVERVIEW = 36; // heights
	const GROUP = 22, LANE = 26, ROWS_MAX = 4, ROW = 14;
	const SHORTEST = 20; // ns that the view shows at least

	// ---- numbers for people, as the tables have them ----

	const scale = (value, units) => {
		let unit = 0;
		while (unit + 1 < units.length && Math.abs(value) >= 999.5) {
			value /= 1000;
			unit++;
		}
		const size = Math.abs(value);
		const decimals = unit === 0 && Number.isInteger(value) ? 0 :
			size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
		return `${value.toFixed(decimals)} ${units[unit]}`;
	};
	const format_time = (ns) => scale(ns, ["ns", "us", "ms", "s"]);
	const format_count = (count) => count.toLocaleString("en-US");

	// ---- the data ----

	const data = JSON.parse(source.textContent);

	const add_up = (differences) => {
		let sum = 0;
		return differences.map((difference) => (sum += difference));
	};

	// Commands of one queue may overlap: each goes to the first row that is free.
	const place_rows = (lane) => {
		const ends = [];
		lane.rows = lane.start.map((start, i) => {
			let row = ends.findIndex((end) => end <= start);
			if (row < 0)
				row = Math.min(ends.length, ROWS_MAX - 1);
			ends[row] = Math.max(ends[row] ?? 0, start + lane.time[i]);
			return row;
		});
		lane.row_count = Math.max(1, ends.length);
	};

	// The latest end among the marks up to each: marks are sorted by start, not by end.
	const reach_of = (lane) => {
		let reach = 0;
		return lane.start.map((start, i) => (reach = Math.max(reach, start + lane.time[i])));
	};

	const lanes = data.lanes.map((lane) => {
		const full = {
			...lane,
			start: add_up(lane.start),
			call: lane.call && add_up(lane.call),
		};
		full.reach = reach_of(full);
		if (lane.cell)
			full.row_count = 1;
		else
			place_rows(full);
		full.height = full.row_count > 1 ? full.row_count * ROW + 8 : LANE;
		return full;
	});

	// Where each lane is drawn; a group has a heading.
	let height = 0;
	const headings = [];
	lanes.forEach((lane, i) => {
		if (!i || lane.group !== lanes[i - 1].group || lane.kind !== lanes[i - 1].kind) {
			headings.push({ y: height, text: lane.group });
			height += GROUP;
		}
		lane.y = height;
		height += lane.height;
	});

	// A call and its command are drawn joined: where each call is.
	const places = { thread: new Map(), queue: new Map() };
	for (const lane of lanes)
		lane.call?.forEach((call, i) => places[lane.kind].set(call, { lane, i }));
	const partner_of = (mark) => mark?.lane.call &&
		places[mark.lane.kind === "thread" ? "queue" : "thread"].get(mark.lane.call[mark.i]);

	const length = Math.max(data.length, 1);
	const zero = data.zero;
	const view = { from: 0, to: length };

	// ---- the elements ----

	const make = (name, properties, ...children) => {
		const element = Object.assign(document.createElement(name), properties);
		element.append(...children);
		return element;
	};
	const button = (text, title, action) => {
		const element = make("button", { type: "button", title }, text);
		element.addEventListener("click", action);
		return element;
	};
	const top = make("canvas");
	const canvas = make("canvas", { tabIndex: 0 });
	const tip = make("div", { className: "tip", hidden: true });
	const range = make("span", { className: "told" });
	const picked = make("p", { className: "picked" });
	const scroller = make("div", { className: "lanes" }, canvas);
	const box = make("div", { className: "canvases" }, top, scroller);

	canvas.setAttribute("role", "application");
	canvas.setAttribute("aria-roledescription", "timeline");
	canvas.setAttribute("aria-label", `Timeline of ${lanes.length} lanes over ` +
		`${format_time(length)}. Left and right move, plus and minus zoom, 0 shows all, ` +
		"up and down choose a lane, page up and page down a mark in it.");
	top.setAttribute("aria-hidden", "true");
	picked.setAttribute("role", "status");

	let gutter = 150, width = 0;
	let hovered = null, chosen = null, chosen_lane = 0, found = "";

	const to_x = (ns) => gutter + (ns - view.from) / (view.to - view.from) * (width - gutter);
	const to_ns = (x) => view.from + (x - gutter) / (width - gutter) * (view.to - view.from);

	const set_view = (from, to) => {
		const wanted = Math.max(to - from, SHORTEST);
		const size = Math.min(wanted, length * 1.02);
		const low = -0.01 * length, high = 1.01 * length;
		view.from = Math.min(Math.max(from, low), high - size);
		view.to = view.from + size;
		draw_soon();
	};
	const show_all = () => set_view(-0.005 * length, 1.005 * length);
	const zoom = (factor, at = (view.from + view.to) / 2) =>
		set_view(at - (at - view.from) * factor, at + (view.to - at) * factor);
	const move = (part) => {
		const by = (view.to - view.from) * part;
		set_view(view.from + by, view.to + by);
	};

	// ---- looking marks up ----

	const first_from = (array, value) => {
		let low = 0, high = array.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (array[middle] < value)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	};

	// Marks from the first that reaches into the view to the last that begins in it.
	const visible = (lane) => [first_from(lane.reach, view.from),
		first_from(lane.start, view.to)];

	const busy_of = (lane, i) => lane.busy ? lane.busy[i] : lane.time[i];

	// What is drawn at this point, a pixel or two beside it also.
	const find_mark = (x, y) => {
		const lane = lanes.find((one) => y >= one.y && y < one.y + one.height);
		if (!lane || x < gutter)
			return null;
		const slack = to_ns(x + 2) - to_ns(x);
		const at = to_ns(x);
		const row = lane.row_count > 1 ? Math.floor((y - lane.y - 4) / ROW) : 0;
		let best = null, best_distance = Infinity;
		const end = first_from(lane.start, at + slack);
		for (let i = first_from(lane.reach, at - slack); i < end; i++) {
			if (lane.rows && lane.row_count > 1 && lane.rows[i] !== row)
				continue;
			const distance = Math.max(lane.start[i] - at,
				at - lane.start[i] - lane.time[i], 0);
			if (distance <= slack && distance <= best_distance) {
				best = { lane, i };
				best_distance = distance;
			}
		}
		return best;
	};

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
	const tint_of = (lane, i) => data.tints?.[lane.name[i]]; // one more than 0xRRGGBB
	const color_of = (lane, i) => {
		const tint = tint_of(lane, i);
		if (tint)
			return `#${(tint - 1).toString(16).padStart(6, "0")}`;
		const color = data.colors[lane.name[i]] ?? COLORS;
		return color >= API ? style.a[color - API] : style.k[color];
	};
	// Of names in marks: calls and what is bright have dark ones.
	const text_color_of = (lane, i) => {
		const tint = (tint_of(lane, i) || 1) - 1;
		const bright = 0.3 * (tint >> 16) + 0.6 * (tint >> 8 & 255) + 0.1 * (tint & 255);
		return lane.kind === "thread" || bright > 140 ? "#1b2027" : "#fff";
	};
	const name_of = (lane, i) => data.names[lane.name[i]] ?? "other";

	// ---- drawing ----

	const prepare = (element, wanted) => {
		const ratio = devicePixelRatio || 1;
		const pixels = [Math.round(width * ratio), Math.round(wanted * ratio)];
		if (element.width !== pixels[0] || element.height !== pixels[1])
			[element.width, element.height] = pixels;
		element.style.height = `${wanted}px`;
		const context = element.getContext("2d");
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.clearRect(0, 0, width, wanted);
		context.font = style.font;
		context.textBaseline = "middle";
		return context;
	};

	// Steps of 1, 2 or 5, about one for each 100 pixels.
	const step_of = () => {
		const rough = (view.to - view.from) / Math.max((width - gutter) / 100, 1);
		const power = 10 ** Math.floor(Math.log10(rough));
		return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough);
	};

	const each_tick = (draw) => {
		const step = Math.max(step_of(), 1);
		for (let n = Math.ceil((view.from - zero) / step); n * step + zero <= view.to; n++)
			draw(n * step);
	};

	const format_tick = (ns) => {
		const step = Math.max(step_of(), 1);
		const units = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];
		const largest = Math.max(Math.abs(view.from - zero), Math.abs(view.to - zero));
		const [size, unit] = units.find(([one]) => largest >= one) ?? units[3];
		const decimals = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
		return `${(ns / size).toFixed(decimals)} ${unit}`;
	};

	// How busy threads and queues are over the whole run, in columns of two pixels.
	const overview_of = (kind, columns) => {
		const sums = new Float64Array(columns);
		let count = 0;
		for (const lane of lanes) {
			if (lane.kind !== kind)
				continue;
			count++;
			lane.start.forEach((start, i) => {
				const time = Math.max(lane.time[i], 1);
				const density = busy_of(lane, i) / time;
				const first = start / length * columns;
				const last = Math.min((start + time) / length * columns, columns);
				for (let c = Math.floor(first); c < last; c++)
					sums[c] += density *
						(Math.min(last, c + 1) - Math.max(first, c));
			});
		}
		return sums.map((sum) => Math.min(sum / Math.max(count, 1), 1));
	};
	let overview = null;

	const draw_overview = (context) => {
		const columns = Math.max(Math.floor((width - gutter) / 2), 1);
		if (overview?.columns !== columns)
			overview = { columns, thread: overview_of("thread", columns),
				queue: overview_of("queue", columns) };
		const half = OVERVIEW / 2 - 2;
		for (const [kind, y, color] of [["thread", 1, style.a[0]], ["queue", half + 2, style.k[0]]]) {
			context.fillStyle = color;
			overview[kind].forEach((share, c) => {
				const tall = share ? Math.max(share * half, 1) : 0;
				context.fillRect(gutter + c * 2, y + half - tall, 2, tall);
			});
			context.fillStyle = style.quiet;
			context.fillText(kind === "thread" ? "threads" : "queues", 8, y + half / 2 + 1);
		}
		const from = gutter + Math.max(view.from / length, 0) * (width - gutter);
		const to = gutter + Math.min(view.to / length, 1) * (width - gutter);
		context.fillStyle = style.quiet;
		context.globalAlpha = 0.25;
		context.fillRect(gutter, 0, from - gutter, OVERVIEW);
		context.fillRect(to, 0, width - to, OVERVIEW);
		context.globalAlpha = 1;
		context.strokeStyle = style.accent;
		context.strokeRect(from + 0.5, 0.5, Math.max(to - from - 1, 2), OVERVIEW - 1);
	};

	const draw_axis = (context) => {
		context.strokeStyle = style.line;
		context.fillStyle = style.quiet;
		context.beginPath();
		each_tick((ns) => {
			const x = Math.round(to_x(ns + zero)) + 0.5;
			if (x < gutter)
				return;
			const text = format_tick(ns);
			context.moveTo(x, OVERVIEW + AXIS - 6);
			context.lineTo(x, OVERVIEW + AXIS);
			if (x + 3 + context.measureText(text).width <= width)
				context.fillText(text, x + 3, OVERVIEW + AXIS / 2);
		});
		context.moveTo(0, OVERVIEW + AXIS - 0.5);
		context.lineTo(width, OVERVIEW + AXIS - 0.5);
		context.stroke();
	};

	const clip_text = (context, text, room) => {
		if (context.measureText(text).width <= room)
			return text;
		let low = 0, high = text.length;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (context.measureText(`${text.slice(0, middle)}…`).width <= room)
				low = middle;
			else
				high = middle - 1;
		}
		return low ? `${text.slice(0, low)}…` : "";
	};

	// Marks that fall on one pixel are drawn once: the pixel of the longest.
	const draw_marks = (context, lane) => {
		const [first, last] = visible(lane);
		const tall = lane.row_count > 1 ? ROW - 2 : lane.height - 8;
		const pixel_ends = new Array(lane.row_count).fill(-1);
		let busy = 0;

		for (let i = first; i < last; i++) {
			const from = Math.max(lane.start[i], view.from);
			const to = Math.min(lane.start[i] + lane.time[i], view.to);
			if (to < from)
				continue;
			const share = lane.time[i] ? busy_of(lane, i) / lane.time[i] : 1;
			busy += (to - from) * Math.min(share, 1);
			const row = lane.rows ? lane.rows[i] : 0;
			const x = to_x(from), wide = Math.max(to_x(to) - x, 1);
			if (x + wide <= pixel_ends[row] + 0.5)
				continue;
			pixel_ends[row] = x + wide;
			const y = lane.y + 4 + row * ROW;
			const is_other = found && name_of(lane, i) !== found;
			const shown = wide > 3 ? wide - 0.5 : wide;
			context.globalAlpha = is_other ? 0.15 : 1;
			context.fillStyle = color_of(lane, i);
			if (lane.busy && lane.count[i] > 1) {
				// Merged: as high as it is busy, before a faint ground.
				const high = Math.max(Math.min(share, 1) * tall, 1.5);
				context.fillRect(x, y + tall - high, shown, high);
				context.globalAlpha *= 0.22;
				context.fillRect(x, y, shown, tall);
				context.globalAlpha = is_other ? 0.15 : 1;
			} else {
				context.fillRect(x, y, shown, tall);
			}
			if (lane.failed?.[i]) {
				context.fillStyle = style.bad;
				context.fillRect(x, y + tall - 3, wide, 3);
			}
			if (wide > 30) {
				const is_faint = lane.busy && lane.count[i] > 1;
				context.fillStyle = is_faint ? style.text : text_color_of(lane, i);
				context.fillText(clip_text(context, name_of(lane, i), wide - 8),
					x + 4, y + tall / 2);
			}
		}
		context.globalAlpha = 1;
		return busy / (view.to - view.from);
	};

	const outline = (context, mark, color) => {
		const { lane, i } = mark;
		const x = to_x(lane.start[i]), right = to_x(lane.start[i] + lane.time[i]);
		const tall = lane.row_count > 1 ? ROW - 2 : lane.height - 8;
		const y = lane.y + 4 + (lane.rows ? lane.rows[i] : 0) * ROW;
		if (right < gutter || x > width)
			return null;
		const left = Math.max(x, gutter);
		context.strokeStyle = color;
		context.lineWidth = 2;
		context.strokeRect(left - 1, y - 1, Math.max(Math.min(right, width) - left, 1) + 2,
			tall + 2);
		context.lineWidth = 1;
		return { left, right: Math.min(right, width), y: y + tall / 2 };
	};

	// A line from the call to what it gave to the device.
	const draw_partner = (context, mark) => {
		const partner = partner_of(mark);
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

	const draw_lane = (context, lane, index) => {
		context.fillStyle = index % 2 ? style.card : style.faint;
		context.fillRect(0, lane.y, width, lane.height);
		context.save();
		context.beginPath();
		context.rect(gutter, lane.y, width - gutter, lane.height);
		context.clip();
		const busy = draw_marks(context, lane);
		context.restore();
		context.fillStyle = style.text;
		const share = `${(100 * busy / lane.row_count).toFixed(busy < 0.0995 ? 1 : 0)}%`;
		const room = gutter - 58;
		context.fillText(clip_text(context, lane.label, room), 8, lane.y + lane.height / 2);
		context.fillStyle = style.quiet;
		context.textAlign = "right";
		context.fillText(lane.row_count > 1 ? `${lane.row_count} rows` : share, gutter - 8,
			lane.y + lane.height / 2);
		context.textAlign = "left";
		if (document.activeElement === canvas && index === chosen_lane) {
			context.strokeStyle = style.accent;
			context.strokeRect(0.5, lane.y + 0.5, gutter - 3, lane.height - 1);
		}
	};

	const draw = () => {
		width = box.clientWidth;
		if (!width)
			return;
		gutter = width < 560 ? 96 : 190;
		if (!style.font)
			read_style();
		const above = prepare(top, OVERVIEW + AXIS);
		draw_overview(above);
		draw_axis(above);
		const context = prepare(canvas, height + 4);
		for (const { y, text } of headings) {
			context.fillStyle = style.quiet;
			context.fillText(clip_text(context, text, width - 16), 8, y + GROUP / 2 + 1);
		}
		lanes.forEach((lane, i) => draw_lane(context, lane, i));
		context.save();
		context.beginPath();
		context.rect(gutter, 0, width - gutter, height + 4);
		context.clip();
		for (const mark of [chosen, hovered])
			if (mark) {
				draw_partner(context, mark);
				outline(context, mark, style.accent);
			}
		context.restore();
		range.textContent = `${format_time(view.to - view.from)} from ` +
			`${format_time(view.from - zero)}`;
	};

	let is_waiting = false;
	const draw_soon = () => {
		if (is_waiting)
			return;
		is_waiting = true;
		requestAnimationFrame(() => {
			is_waiting = false;
			draw();
		});
	};

	// ---- words about a mark ----

	const describe = ({ lane, i }) => {
		const count = lane.count ? lane.count[i] : 1;
		const words = [];
		const many = { thread: "calls", range: "ranges", queue: "commands" }[lane.kind];
		const begin = `${format_time(lane.start[i] - zero)} after the start`;

		if (count > 1 && lane.busy)
			words.push(`${format_count(count)} ${many} merged, the longest is this one; ` +
				`busy ${format_time(busy_of(lane, i))} of ${format_time(lane.time[i])}`);
		else if (count > 1)
			words.push(`${format_count(count)} equal ${many}, ${format_time(lane.time[i])}`);
		else
			words.push(format_time(lane.time[i]));
		words.push(begin);
		if (lane.failed?.[i])
			words.push(count > 1 ? `${format_count(lane.failed[i])} failed` : "failed");
		if (lane.wait?.[i])
			words.push(`waited ${format_time(lane.wait[i])} since it was queued`);
		const partner = partner_of({ lane, i });
		if (partner && lane.kind === "thread")
			words.push(`gave ${name_of(partner.lane, partner.i)} to ${partner.lane.label}`);
		return { name: name_of(lane, i), text: lane.text?.[i] || "", words: words.join("; ") };
	};

	const show_tip = (mark, x, y) => {
		if (!mark) {
			tip.hidden = true;
			return;
		}
		const { name, text, words } = describe(mark);
		const is_call = text.startsWith("(");
		tip.replaceChildren(make("b", {}, name), is_call ? text : "", make("br"),
			is_call || !text ? "" : `${text}; `, words);
		tip.hidden = false;
		const left = Math.min(x + 14, chart.clientWidth - tip.offsetWidth - 4);
		tip.style.left = `${Math.max(left, 4)}px`;
		tip.style.top = `${y + 18}px`;
	};

	const choose = (mark, is_shown) => {
		chosen = mark;
		if (!mark) {
			picked.textContent = "";
			draw_soon();
			return;
		}
		const { name, text, words } = describe(mark);
		chosen_lane = lanes.indexOf(mark.lane);
		picked.replaceChildren(make("b", {}, name), text.startsWith("(") ? text : ` ${text}`,
			` - ${words} - ${mark.lane.label}`);
		const start = mark.lane.start[mark.i], end = start + mark.lane.time[mark.i];
		if (is_shown && (start < view.from || end > view.to)) {
			const size = Math.max(view.to - view.from, (end - start) * 1.2);
			set_view((start + end - size) / 2, (start + end + size) / 2);
		}
		draw_soon();
	};

	// ---- mouse and touch ----

	let drag = null;

	const point_of = (event) => {
		const at = canvas.getBoundingClientRect();
		return [event.clientX - at.left, event.clientY - at.top];
	};

	canvas.addEventListener("pointerdown", (event) => {
		if (event.button !== 0)
			return;
		const [x, y] = point_of(event);
		drag = { x, from: view.from, to: view.to, mark: find_mark(x, y), is_moved: false };
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointermove", (event) => {
		const [x, y] = point_of(event);
		if (drag) {
			const by = (drag.x - x) / (width - gutter) * (drag.to - drag.from);
			if (Math.abs(x - drag.x) > 3)
				drag.is_moved = true;
			if (drag.is_moved) {
				canvas.classList.add("moving");
				tip.hidden = true;
				set_view(drag.from + by, drag.to + by);
			}
			return;
		}
		hovered = find_mark(x, y);
		const base = chart.getBoundingClientRect();
		show_tip(hovered, event.clientX - base.left, event.clientY - base.top);
		draw_soon();
	});
	const end_drag = () => {
		if (drag && !drag.is_moved)
			choose(drag.mark, false);
		drag = null;
		canvas.classList.remove("moving");
	};
	canvas.addEventListener("pointerup", end_drag);
	canvas.addEventListener("pointercancel", () => { drag = null; });
	canvas.addEventListener("pointerleave", () => {
		hovered = null;
		show_tip(null);
		draw_soon();
	});
	canvas.addEventListener("dblclick", (event) => {
		const mark = find_mark(...point_of(event));
		if (!mark)
			return zoom(0.5, to_ns(point_of(event)[0]));
		const time = Math.max(mark.lane.time[mark.i], SHORTEST);
		set_view(mark.lane.start[mark.i] - time, mark.lane.start[mark.i] + 2 * time);
	});
	// A plain wheel scrolls the page, as everywhere.
	const wheel = (event) => {
		const delta = Math.max(Math.min(event.deltaY, 100), -100);
		if (event.ctrlKey || event.metaKey) {
			event.preventDefault();
			zoom(1.003 ** delta, to_ns(event.clientX - box.getBoundingClientRect().left));
		} else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
			event.preventDefault();
			move((event.deltaX || event.deltaY) / 1000);
		}
	};
	box.addEventListener("wheel", wheel, { passive: false });

	// In the overview a click or a drag chooses the part that is shown.
	let part = null;
	const overview_ns = (event) => (event.clientX - top.getBoundingClientRect().left - gutter) /
		(width - gutter) * length;
	top.addEventListener("pointerdown", (event) => {
		part = overview_ns(event);
		top.setPointerCapture(event.pointerId);
	});
	top.addEventListener("pointermove", (event) => {
		const now = overview_ns(event);
		if (part !== null && Math.abs(now - part) > length / 200)
			set_view(Math.min(part, now), Math.max(part, now));
	});
	top.addEventListener("pointerup", (event) => {
		const now = overview_ns(event), size = view.to - view.from;
		if (part !== null && Math.abs(now - part) <= length / 200)
			set_view(now - size / 2, now + size / 2);
		part = null;
	});

	// ---- keyboard ----

	const step_mark = (by) => {
		const lane = lanes[chosen_lane];
		let i = chosen?.lane === lane ? chosen.i + by :
			first_from(lane.start, view.from) - (by < 0);
		if (i >= 0 && i < lane.start.length)
			choose({ lane, i }, true);
	};
	const step_lane = (by) => {
		chosen_lane = Math.min(Math.max(chosen_lane + by, 0), lanes.length - 1);
		const lane = lanes[chosen_lane];
		chosen = null;
		picked.textContent = `${lane.group}, ${lane.label}: ${format_count(lane.total)} ` +
			(lane.kind === "thread" ? "calls" : "commands");
		draw_soon();
	};
	const keys = {
		ArrowLeft: () => move(-0.1), ArrowRight: () => move(0.1),
		a: () => move(-0.1), d: () => move(0.1),
		"+": () => zoom(0.5), "=": () => zoom(0.5), w: () => zoom(0.5),
		"-": () => zoom(2), s: () => zoom(2),
		0: show_all, Home: show_all,
		ArrowUp: () => step_lane(-1), ArrowDown: () => step_lane(1),
		PageUp: () => step_mark(-1), PageDown: () => step_mark(1),
		Escape: () => choose(null),
	};
	canvas.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key])
			return;
		event.preventDefault();
		keys[event.key]();
	});
	canvas.addEventListener("focus", draw_soon);
	canvas.addEventListener("blur", draw_soon);

	// ---- names in tables find their marks ----

	const known = new Set(data.names);
	for (const id of ["kernels", "api", "transfers"])
		for (const cell of document.querySelectorAll(`#${id} tbody th .name`)) {
			const name = cell.textContent;
			if (!known.has(name))
				continue;
			const finder = make("button", { type: "button", className: "find",
				title: `${name}: show in the timeline` });
			finder.setAttribute("aria-pressed", "false");
			cell.replaceWith(finder);
			finder.append(cell);
			finder.addEventListener("click", () => {
				found = found === name ? "" : name;
				for (const other of document.querySelectorAll("button.find")) {
					const is_it = other.textContent === found;
					other.setAttribute("aria-pressed", String(is_it));
					other.closest("tr").classList.toggle("found", is_it);
				}
				draw_soon();
				if (found)
					document.getElementById("timeline").scrollIntoView();
			});
		}

	// ---- all together ----

	chart.append(
		make("div", { className: "tools" },
			button("+", "zoom in (+)", () => zoom(0.5)),
			button("−", "zoom out (-)", () => zoom(2)),
			button("Show all", "the whole run (0)", show_all),
			range),
		box, picked,
		make("p", {}, make("small", {}, "Drag to move, Ctrl and wheel to zoom, double click to " +
			"zoom to a mark; drag in the strip above to choose a part. Keys: arrows, +, -, 0; " +
			"page up and down step through a lane. Percentages: how busy a lane is in what " +
			"is shown. A dashed line joins a call with its command.")),
		tip);
	chart.hidden = false;
	chart.dataset.marks = String(lanes.reduce((sum, lane) => sum + lane.start.length, 0));
	chart.dataset.calls = String(lanes.reduce((sum, lane) =>
		sum + (lane.kind === "thread" ? lane.total : 0), 0));
	chart.dataset.busy = String(lanes.reduce((sum, lane) => sum + (lane.kind === "queue" ?
		lane.start.reduce((part_sum, _, i) => part_sum + busy_of(lane, i), 0) : 0), 0));
	show_all();
	new ResizeObserver(draw_soon).observe(box);
	const restyle = () => {
		style = {};
		draw_soon();
	};
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
	document.addEventListener("themechange", restyle);
	addEventListener("beforeprint", () => { style = {}; draw(); });
	addEventListener("afterprint", restyle);
})();
