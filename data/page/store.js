// SPDX-License-Identifier: MIT
// What the page holds besides its markup: pieces of base64, mostly compressed, each read alone when
// it is needed. The forms of chunks are told in tacho's src/format/html/html_levels.h and
// html_series.h.
"use strict";

(() => {
	const CACHED = 400; // pieces that stay unpacked

	tacho.can_unpack = typeof DecompressionStream === "function";

	const bytes_of = (text) => {
		const binary = atob(text);
		const bytes = new Uint8Array(binary.length);
		for (let i = 0; i < binary.length; i++)
			bytes[i] = binary.charCodeAt(i);
		return bytes;
	};

	const unpack = async (bytes) => {
		const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
		return new Uint8Array(await new Response(stream).arrayBuffer());
	};

	// Numbers of seven bits a byte, low ones first.
	const reader_of = (bytes) => {
		let at = 0;
		const read = () => {
			let value = 0, scale = 1, byte;
			do {
				byte = bytes[at++];
				value += (byte & 127) * scale;
				scale *= 128;
			} while (byte & 128);
			return value;
		};
		const read_signed = () => {
			const value = read();
			return value % 2 ? -(value + 1) / 2 : value / 2;
		};
		const skip = (count) => (at += count) - count;
		return { read, read_signed, skip };
	};

	const FAILED = 1, JOINED = 2, MANY = 4, KERNEL = 8, TRANSFER = 16;
	tacho.flag = { FAILED, JOINED, MANY, KERNEL, TRANSFER };

	// Columns of a chunk of marks; times count from the start of the run.
	const read_marks = (bytes, chunk) => {
		const { read, read_signed } = reader_of(bytes);
		const { count } = chunk;
		const column = (Type, next) => {
			const values = new Type(count);
			for (let i = 0; i < count; i++)
				values[i] = next(i);
			return values;
		};
		const rising = (step, first) => {
			let value = first;
			return () => (value += step());
		};
		const start = column(Float64Array, rising(read, chunk.from));
		const time = column(Float64Array, read);
		const name = column(Uint32Array, read);
		const flags = column(Uint8Array, read);
		const row = column(Uint8Array, read);
		const call = column(Float64Array, rising(read_signed, 0));
		const text = column(Uint32Array, read);
		const wait = column(Float64Array, read);
		const moved = column(Float64Array, read); // one more than the bytes
		const of_many = (other) => column(Float64Array, (i) => flags[i] & MANY ? read() : other(i));
		const many = of_many(() => 1);
		const busy = of_many((i) => time[i]);
		const failed = of_many((i) => flags[i] & FAILED);
		let reach = -Infinity;
		const reaches = column(Float64Array, (i) => (reach = Math.max(reach, start[i] + time[i])));
		return { start, time, name, flags, row, call, text, wait, moved, many, busy, failed,
			reaches };
	};

	// Columns of a chunk of values, each with states.
	const read_values = (bytes, chunk, columns) => {
		const { read, read_signed, skip } = reader_of(bytes);
		const { count } = chunk;
		const view = new DataView(bytes.buffer, bytes.byteOffset);
		const column = (next) => Float64Array.from({ length: count }, next);
		let at = chunk.from, call = 0;
		const start = column(() => (at += read_signed()));
		const time = column(read);
		const calls = column(() => (call += read_signed()));
		const name = column(read);
		const values = [];
		for (let i = 0; i < columns; i++) {
			const states = bytes.subarray(...[skip(count)].flatMap((from) =>
				[from, from + count]));
			const first = skip(8 * count);
			values.push({ states, numbers: column((_, k) =>
				view.getFloat64(first + 8 * k, true)) });
		}
		return { start, time, call: calls, name, values };
	};

	tacho.make_store = (text) => {
		const done = new Map(); // by where a piece stands; the last used is last
		const begun = new Map();

		const keep = (at, value) => {
			done.delete(at);
			done.set(at, value);
			if (done.size > CACHED)
				done.delete(done.keys().next().value);
			return value;
		};
		// What was read of a piece already; undefined if nothing.
		const peek = (piece) => {
			const value = done.get(piece.at);
			return value && keep(piece.at, value);
		};
		const get = (piece, read) => {
			const known = peek(piece);
			if (known)
				return Promise.resolve(known);
			if (!begun.has(piece.at)) {
				const work = unpack(bytes_of(text.slice(piece.at, piece.at + piece.size)))
					.then((bytes) => keep(piece.at, read(bytes)))
					.finally(() => begun.delete(piece.at));
				begun.set(piece.at, work);
			}
			return begun.get(piece.at);
		};
		const get_plain = (piece, read) =>
			read(bytes_of(text.slice(piece.at, piece.at + piece.size)));
		return { peek, get, get_plain };
	};

	tacho.read_marks = read_marks;
	tacho.read_values = read_values;
	tacho.read_texts = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
})();
