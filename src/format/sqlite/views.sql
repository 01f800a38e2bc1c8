-- SPDX-License-Identifier: MIT
-- The views are what other programs may rely on: docs/sqlite.md.

CREATE INDEX command_by_kernel ON command (kernel) WHERE kernel IS NOT NULL;
CREATE INDEX command_by_start ON command (shared_device, start_ns, end_ns, kind)
  WHERE start_ns IS NOT NULL;
CREATE INDEX call_by_start ON call (thread, start_ns);

CREATE VIEW v_fault AS SELECT path, what, error, bytes, calls, text FROM fault ORDER BY id;

CREATE VIEW v_run AS
SELECT r.application, r.arguments, r.working_directory, h.name AS host, h.os_name, h.os_release,
  r.generator, r.exporter, r.via, r.start_ns, r.end_ns, r.end_ns - r.start_ns AS wall_ns,
  r.realtime_offset_ns, r.exit_status, r.why_empty, r.why_uncounted, r.import_note,
  NOT EXISTS (SELECT 1 FROM v_fault) AND NOT EXISTS
    (SELECT 1 FROM loss WHERE missing > 0 OR unreadable_bytes > 0) AS whole,
  r.unfinished, r.max_bytes, r.ring_bytes, r.ring_calls, r.max_calls, r.max_launches
FROM run r JOIN host h ON h.id = r.host;

CREATE VIEW v_process AS
SELECT p.id AS process, p.pid, p.parent_pid, p.executable, p.command, p.loader, p.directory,
  p.start_ns, p.clock, p.clock_uncertainty_ns, p.uncounted, p.uncounted_cure, p.uncounted_ns,
  l.no_window, l.no_space, l.nested, l.too_big, l.no_thread, l.unreadable_bytes, l.waits,
  l.io_error, p.unwatched, p.unseen_work, l.unwritten, l.missing, l.untimed,
  l.unreported, l.headless_ranges, l.deep_ranges
FROM process p LEFT JOIN loss l ON l.process = p.id;

-- Of all processes, and of what belongs to none.
CREATE VIEW v_lost AS
SELECT sum(no_window) AS no_window, sum(no_space) AS no_space, sum(nested) AS nested,
  sum(too_big) AS too_big, sum(no_thread) AS no_thread, sum(unwritten) AS unwritten,
  sum(missing) AS missing, sum(untimed) AS untimed, sum(unreadable_bytes) AS unreadable_bytes,
  sum(unreported) AS unreported, sum(headless_ranges) AS headless_ranges,
  sum(deep_ranges) AS deep_ranges, sum(windows) AS windows
FROM loss;

CREATE VIEW v_left_out AS SELECT function, calls FROM left_out ORDER BY id;

CREATE VIEW v_thread AS
SELECT t.process, p.pid, t.tid AS thread, t.name AS thread_name, c.calls, c.failed, c.api_ns
FROM thread t
  LEFT JOIN process p ON p.id = t.process
  JOIN (SELECT thread, sum(calls) AS calls, sum(failed) AS failed, sum(total_ns) AS api_ns
        FROM call_sum GROUP BY thread) c ON c.thread = t.id;

CREATE VIEW v_thread_time AS
SELECT r.process, p.pid, r.tid AS thread, t.name AS thread_name, r.at_ns, r.run_ns, r.waited_ns
FROM thread_time r
  JOIN process p ON p.id = r.process
  LEFT JOIN thread t ON t.process = r.process AND t.tid = r.tid;

CREATE VIEW v_device AS
SELECT d.id, d.process, p.pid, d.name, d.label, d.handle,
  (SELECT value FROM attribute WHERE kind = 'device' AND object = d.id AND key = 'type') AS type,
  (SELECT value FROM attribute WHERE kind = 'device' AND object = d.id AND key = 'vendor')
    AS vendor,
  (SELECT value FROM attribute WHERE kind = 'device' AND object = d.id AND key = 'version')
    AS version,
  (SELECT value FROM attribute WHERE kind = 'device' AND object = d.id AND key = 'driver')
    AS driver,
  (SELECT CAST(value AS INTEGER) FROM attribute
   WHERE kind = 'device' AND object = d.id AND key = 'compute_units') AS compute_units,
  (SELECT count(*) FROM command WHERE device = d.id) AS commands,
  (SELECT count(*) FROM command WHERE device = d.id AND start_ns IS NULL) AS without_times
FROM device d LEFT JOIN process p ON p.id = d.process;

CREATE VIEW v_call AS
SELECT c.id, t.process, p.pid, t.tid AS thread, t.name AS thread_name, c.thread_index, f.api,
  f.name AS function, c.start_ns, c.end_ns, c.end_ns - c.start_ns AS duration_ns, c.result,
  c.failed, c.arguments, c.repeats, c.caller, k.name AS kind, c.busy_ns
FROM call c
  LEFT JOIN thread t ON t.id = c.thread
  LEFT JOIN process p ON p.id = t.process
  LEFT JOIN function f ON f.id = c.function
  LEFT JOIN command m ON m.id = c.id
  LEFT JOIN command_kind k ON k.id = m.kind
WHERE NOT c.bare;

CREATE INDEX call_range_by_range ON call_range (range);

-- path: the names of the ranges around it, and its own.
CREATE VIEW v_range AS
WITH RECURSIVE path(id, path) AS (
  SELECT id, name FROM named_range WHERE parent IS NULL
  UNION ALL
  SELECT r.id, path.path || '/' || r.name
  FROM path JOIN named_range r ON r.parent = path.id)
SELECT r.id, r.kind, r.name, coalesce(path.path, r.name) AS path, r.domain, r.api, r.process,
  p.pid, r.tid AS thread, t.name AS thread_name, r.depth, r.parent, r.start_ns, r.end_ns,
  r.end_ns - r.start_ns AS duration_ns, r.last_ns, r.end_ns IS NULL AS open, r.color,
  r.number, r.queue, r.device_times
FROM named_range r
  LEFT JOIN path ON path.id = r.id
  LEFT JOIN process p ON p.id = r.process
  LEFT JOIN thread t ON t.process = r.process AND t.tid = r.tid;

-- From one picture that was shown to the next; series is NULL where there is only one.
CREATE VIEW v_frame AS
SELECT r.id, r.process, r.domain AS series, r.number, r.start_ns, r.end_ns,
  r.end_ns - r.start_ns AS duration_ns, count(m.id) AS commands,
  sum(m.end_ns - m.start_ns) AS device_ns
FROM named_range r
  LEFT JOIN call_range c ON c.range = r.id
  LEFT JOIN command m ON m.id = c.call
WHERE r.kind = 'frame' AND r.end_ns IS NOT NULL
GROUP BY r.id;

CREATE VIEW v_call_range AS
SELECT c.call AS id, c.position, c.range AS range_id, r.kind, r.name, r.domain
FROM call_range c JOIN named_range r ON r.id = c.range;

-- Work counts in each range that its call was made in.
CREATE VIEW v_range_by_path AS
SELECT r.path, r.kind, r.domain, r.api, count(*) AS count, sum(r.end_ns IS NULL) AS open,
  sum(r.duration_ns) AS total_ns, 1.0 * sum(r.duration_ns) / count(r.duration_ns) AS mean_ns,
  min(r.duration_ns) AS min_ns, max(r.duration_ns) AS max_ns, coalesce(total.calls, 0) AS calls,
  coalesce(total.launches, 0) AS launches, coalesce(total.commands, 0) AS commands,
  coalesce(total.measured, 0) AS measured, total.device_ns
FROM v_range r LEFT JOIN (
    SELECT i.path, i.kind, i.domain, i.api, sum(NOT c.bare) AS calls,
      count(CASE WHEN m.kind = 1 THEN 1 END) AS launches, count(m.id) AS commands, count(m.duration_ns) AS measured,
      sum(m.duration_ns) AS device_ns
    FROM (SELECT DISTINCT r.path, r.kind, r.domain, r.api, c.call
          FROM v_range r JOIN call_range c ON c.range = r.id) i
      JOIN call c ON c.id = i.call LEFT JOIN command m ON m.id = i.call
    GROUP BY i.path, i.kind, i.domain, i.api) total
  ON total.path = r.path AND total.kind = r.kind AND total.domain IS r.domain
    AND total.api IS r.api
GROUP BY r.path, r.kind, r.domain, r.api
ORDER BY total_ns DESC;

CREATE VIEW v_command AS
SELECT m.id, kind.name AS kind, type.name AS command, type.code, t.process, p.pid,
  t.tid AS thread, d.label AS device, m.device AS device_id, m.queue, k.name AS kernel,
  m.kernel AS kernel_id, s.name AS state, reason.text AS reason, m.queued_ns, m.submit_ns,
  m.start_ns, m.end_ns, m.duration_ns,
  m.submit_ns - m.queued_ns AS queued_delay_ns, m.start_ns - m.submit_ns AS submit_delay_ns,
  m.uncertainty_ns, clock.text AS clock, m.bytes, m.dimensions, m.global_x, m.global_y,
  m.global_z, m.local_x, m.local_y, m.local_z, m.first_launch, m.counted,
  note.text AS values_note, c.start_ns AS call_start_ns, c.end_ns AS call_end_ns,
  x.name AS template, m.template AS template_id, m.marked_start
FROM command m
  LEFT JOIN call c ON c.id = m.id
  LEFT JOIN thread t ON t.id = c.thread
  LEFT JOIN process p ON p.id = t.process
  LEFT JOIN command_kind kind ON kind.id = m.kind
  LEFT JOIN command_type type ON type.id = m.type
  LEFT JOIN device d ON d.id = m.device
  LEFT JOIN kernel k ON k.id = m.kernel
  LEFT JOIN state s ON s.id = m.state
  LEFT JOIN text reason ON reason.id = m.reason
  LEFT JOIN text clock ON clock.id = m.clock
  LEFT JOIN text note ON note.id = m.values_note
  LEFT JOIN template x ON x.id = m.template;

CREATE VIEW v_launch AS
SELECT m.id, k.name AS kernel, d.label AS device, t.process, p.pid, t.tid AS thread, m.queue,
  s.name AS state, reason.text AS reason, m.queued_ns, m.submit_ns, m.start_ns, m.end_ns,
  m.duration_ns, m.submit_ns - m.queued_ns AS queued_delay_ns,
  m.start_ns - m.submit_ns AS submit_delay_ns, m.uncertainty_ns, m.dimensions, m.global_x,
  m.global_y, m.global_z, m.local_x, m.local_y, m.local_z, m.first_launch, m.counted,
  note.text AS values_note
FROM command m
  LEFT JOIN call c ON c.id = m.id
  LEFT JOIN thread t ON t.id = c.thread
  LEFT JOIN process p ON p.id = t.process
  LEFT JOIN device d ON d.id = m.device
  LEFT JOIN kernel k ON k.id = m.kernel
  LEFT JOIN state s ON s.id = m.state
  LEFT JOIN text reason ON reason.id = m.reason
  LEFT JOIN text note ON note.id = m.values_note
WHERE m.kind = 1;

CREATE VIEW v_transfer AS
SELECT m.id, kind.name AS kind, d.label AS device, t.process, p.pid, t.tid AS thread, m.queue,
  s.name AS state, reason.text AS reason, m.bytes, m.queued_ns, m.submit_ns, m.start_ns,
  m.end_ns, m.duration_ns, m.submit_ns - m.queued_ns AS queued_delay_ns,
  m.start_ns - m.submit_ns AS submit_delay_ns, m.uncertainty_ns,
  CASE WHEN m.kind IN (6, 7) AND (m.bytes / m.duration_ns >= 1000 OR (SELECT value FROM attribute
      WHERE kind = 'device' AND object = m.device AND key = 'type') = 'cpu') THEN NULL
    ELSE 1e9 * m.bytes / m.duration_ns END AS bytes_per_second
FROM command m
  LEFT JOIN call c ON c.id = m.id
  LEFT JOIN thread t ON t.id = c.thread
  LEFT JOIN process p ON p.id = t.process
  LEFT JOIN command_kind kind ON kind.id = m.kind
  LEFT JOIN device d ON d.id = m.device
  LEFT JOIN state s ON s.id = m.state
  LEFT JOIN text reason ON reason.id = m.reason
WHERE m.kind BETWEEN 2 AND 7;

-- What ran as a whole: each state, what it held, and how often each kernel ran by it.
CREATE VIEW v_template AS
SELECT t.id, t.process, p.pid, t.handle, t.version, t.name AS template, t.known, t.reason,
  t.commands,
  CASE WHEN t.known THEN (SELECT count(*) FROM template_command c
    WHERE c.template = t.id AND c.kind = 1) END AS kernels,
  (SELECT count(*) FROM command m WHERE m.template = t.id) AS executions
FROM template t LEFT JOIN process p ON p.id = t.process;

CREATE VIEW v_template_command AS
SELECT c.template AS template_id, t.name AS template, c.position, kind.name AS kind,
  c.name AS command, k.name AS kernel, d.label AS device, c.dimensions, c.global_x, c.global_y,
  c.global_z, c.local_x, c.local_y, c.local_z, c.bytes
FROM template_command c
  LEFT JOIN template t ON t.id = c.template
  LEFT JOIN command_kind kind ON kind.id = c.kind
  LEFT JOIN kernel k ON k.id = c.kernel
  LEFT JOIN device d ON d.id = c.device;

CREATE VIEW v_template_kernel AS
SELECT t.name AS template, d.label AS device, k.name AS kernel,
  sum(e.executions * c.count) AS runs
FROM (SELECT template, device, count(*) AS executions
      FROM command WHERE kind = 9 GROUP BY template, device) e
  JOIN (SELECT template, kernel, count(*) AS count
        FROM template_command WHERE kind = 1 GROUP BY template, kernel) c
    ON c.template = e.template
  JOIN template t ON t.id = e.template
  LEFT JOIN kernel k ON k.id = c.kernel
  LEFT JOIN device d ON d.id = e.device
WHERE t.known
GROUP BY t.name, d.label, k.name;

CREATE VIEW v_value AS
SELECT v.command AS id, kind.name AS kind, coalesce(x.name, k.name) AS kernel, d.label AS device,
  n.name AS counter, n.unit, n.type, n.simulated, v.value, v.exact, s.name AS state, v.coverage,
  v.div0, v.is_default, coalesce(note.text, row_note.text) AS note, v.instance, i.position
FROM value v
  JOIN counter n ON n.id = v.counter
  LEFT JOIN instance i ON i.counter = v.counter AND i.instance = v.instance
  LEFT JOIN command m ON m.id = v.command
  LEFT JOIN command_kind kind ON kind.id = m.kind
  LEFT JOIN device d ON d.id = m.device
  LEFT JOIN kernel k ON k.id = m.kernel
  LEFT JOIN template x ON x.id = m.template
  LEFT JOIN state s ON s.id = v.state
  LEFT JOIN text note ON note.id = v.note
  LEFT JOIN text row_note ON row_note.id = m.values_note;

-- Sums over what has times. Objects are summed first, then what has one name.
CREATE VIEW v_kernel AS
SELECT g.kernel, g.device, g.launches, g.measured, g.total_ns,
  1.0 * g.total_ns / g.measured AS mean_ns, g.min_ns, g.max_ns,
  (SELECT duration_ns FROM command WHERE id = g.first) AS first_ns,
  CASE WHEN NOT g.measured THEN 'absent' WHEN g.lost THEN 'lost' ELSE 'ok' END AS state,
  (SELECT text FROM text WHERE id = g.reason) AS reason,
  (SELECT name FROM command_kind WHERE id = g.kind) AS kind
FROM (SELECT o.kind, coalesce(x.name, k.name) AS kernel, d.label AS device,
        sum(o.launches) AS launches, sum(o.measured) AS measured, sum(o.total_ns) AS total_ns,
        min(o.min_ns) AS min_ns, max(o.max_ns) AS max_ns, min(o.first) AS first,
        sum(o.lost) AS lost, min(o.reason) AS reason
      FROM (SELECT kind, kernel, template, device, count(*) AS launches,
              count(duration_ns) AS measured, sum(duration_ns) AS total_ns,
              min(duration_ns) AS min_ns, max(duration_ns) AS max_ns,
              min(CASE WHEN first_launch AND duration_ns IS NOT NULL THEN id END) AS first,
              sum(state = 3 AND duration_ns IS NULL) AS lost,
              min(CASE WHEN duration_ns IS NULL THEN reason END) AS reason
            FROM command WHERE kind IN (1, 9) GROUP BY kind, kernel, template, device) o
        LEFT JOIN kernel k ON k.id = o.kernel
        LEFT JOIN template x ON x.id = o.template
        LEFT JOIN device d ON d.id = o.device
      GROUP BY o.kind, coalesce(x.name, k.name), d.label) g
ORDER BY g.total_ns DESC;

CREATE VIEW v_transfer_by_kind AS
SELECT kind.name AS kind, g.device, g.count, g.measured, g.total_ns,
  1.0 * g.total_ns / g.measured AS mean_ns, g.min_ns, g.max_ns, g.bytes,
  CASE WHEN NOT g.measured THEN 'absent' WHEN g.lost THEN 'lost' ELSE 'ok' END AS state,
  (SELECT text FROM text WHERE id = g.reason) AS reason,
  CASE WHEN g.measured = g.count AND NOT (g.kind IN (6, 7) AND
      (g.is_of_cpu OR g.bytes / g.total_ns >= 1000))
    THEN 1e9 * g.bytes / g.total_ns END AS bytes_per_second
FROM (SELECT o.kind, d.label AS device, sum(o.count) AS count, sum(o.measured) AS measured,
        sum(o.total_ns) AS total_ns, min(o.min_ns) AS min_ns, max(o.max_ns) AS max_ns,
        sum(o.bytes) AS bytes, sum(o.lost) AS lost, min(o.reason) AS reason,
        max(EXISTS (SELECT 1 FROM attribute a WHERE a.kind = 'device' AND a.object = o.device
          AND a.key = 'type' AND a.value = 'cpu')) AS is_of_cpu
      FROM (SELECT kind, device, count(*) AS count, count(duration_ns) AS measured,
              sum(duration_ns) AS total_ns, min(duration_ns) AS min_ns,
              max(duration_ns) AS max_ns, sum(bytes) AS bytes,
              sum(state = 3 AND duration_ns IS NULL) AS lost,
              min(CASE WHEN duration_ns IS NULL THEN reason END) AS reason
            FROM command WHERE kind BETWEEN 2 AND 7 GROUP BY kind, device) o
        LEFT JOIN device d ON d.id = o.device
      GROUP BY o.kind, d.label) g
  JOIN command_kind kind ON kind.id = g.kind
ORDER BY g.total_ns DESC;

CREATE VIEW v_api AS
SELECT f.api, f.name AS function, sum(o.calls) AS calls, sum(o.failed) AS failed,
  sum(o.total_ns) AS total_ns, 1.0 * sum(o.total_ns) / sum(o.calls) AS mean_ns,
  min(o.min_ns) AS min_ns, max(o.max_ns) AS max_ns
FROM call_sum o
  JOIN function f ON f.id = o.function
GROUP BY f.api, f.name
ORDER BY total_ns DESC;

CREATE VIEW v_api_by_thread AS
SELECT t.process, p.pid, t.tid AS thread, t.name AS thread_name, f.api, f.name AS function,
  sum(o.calls) AS calls, sum(o.failed) AS failed, sum(o.total_ns) AS total_ns,
  1.0 * sum(o.total_ns) / sum(o.calls) AS mean_ns, min(o.min_ns) AS min_ns,
  max(o.max_ns) AS max_ns
FROM call_sum o
  JOIN thread t ON t.id = o.thread
  LEFT JOIN process p ON p.id = t.process
  JOIN function f ON f.id = o.function
GROUP BY o.thread, f.api, f.name
ORDER BY total_ns DESC;

-- While a device ran nothing that has times, between its first command and its last.
CREATE VIEW v_gap AS
SELECT d.label AS device, g.before_ns AS start_ns, g.start_ns AS end_ns,
  g.start_ns - g.before_ns AS duration_ns, g.id AS next_id
FROM (SELECT shared_device, id, start_ns, max(end_ns) OVER (
          PARTITION BY shared_device ORDER BY start_ns
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_ns
      FROM command WHERE start_ns IS NOT NULL) g
  LEFT JOIN device d ON d.id = g.shared_device
WHERE g.start_ns > g.before_ns;

-- Of each command only what is behind the ends of all before it is new: sums of that are the times
-- in which some command of the class ran. Both classes: what is in the sums of each alone and not
-- in the sum over both.
CREATE VIEW v_overlap AS
SELECT d.label AS device, g.commands, g.total_ns, g.busy_ns, coalesce(g.kernel_ns, 0) AS kernel_ns,
  coalesce(g.transfer_ns, 0) AS transfer_ns,
  coalesce(g.kernel_ns + g.transfer_ns - g.work_ns, 0) AS kernel_transfer_ns,
  1.0 * g.total_ns / g.busy_ns AS parallel
FROM (SELECT shared_device, count(*) AS commands, sum(end_ns - start_ns) AS total_ns,
        sum(max(0, end_ns - ifnull(max(start_ns, before_ns), start_ns))) AS busy_ns,
        sum(CASE WHEN class < 3
          THEN max(0, end_ns - ifnull(max(start_ns, before_work_ns), start_ns)) END) AS work_ns,
        sum(CASE WHEN class = 1
          THEN max(0, end_ns - ifnull(max(start_ns, before_kernel_ns), start_ns)) END) AS kernel_ns,
        sum(CASE WHEN class = 2
          THEN max(0, end_ns - ifnull(max(start_ns, before_transfer_ns), start_ns)) END)
          AS transfer_ns
      FROM (SELECT shared_device, start_ns, end_ns, class, max(end_ns) OVER before AS before_ns,
              max(CASE WHEN class < 3 THEN end_ns END) OVER before AS before_work_ns,
              max(CASE WHEN class = 1 THEN end_ns END) OVER before AS before_kernel_ns,
              max(CASE WHEN class = 2 THEN end_ns END) OVER before AS before_transfer_ns
            FROM (SELECT shared_device, start_ns, end_ns,
                    CASE WHEN kind IN (1, 9) THEN 1 WHEN kind BETWEEN 2 AND 7 THEN 2 ELSE 3 END
                      AS class
                  FROM command WHERE start_ns IS NOT NULL)
            WINDOW before AS (PARTITION BY shared_device ORDER BY start_ns
              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
      GROUP BY shared_device) g
  LEFT JOIN device d ON d.id = g.shared_device;

-- Sums of whole numbers are made of two halves, so that they stay exact and never run over.
CREATE VIEW value_sum AS
SELECT m.kind, m.kernel, m.template, m.device, v.counter, v.instance, count(*) AS count,
  sum(v.state <> 4) AS measured,
  count(v.value) AS numbers, count(v.exact) AS inexact, total(v.value) AS total,
  sum(v.value >> 32) AS high, sum(v.value & 4294967295) AS low, min(v.value) AS least,
  max(v.value) AS most, max(CASE WHEN v.state <> 4 THEN v.state END) AS state,
  max(v.div0) AS div0, max(v.is_default) AS is_default, sum(v.coverage) AS coverage,
  min(coalesce(v.note, m.values_note)) AS note
FROM value v JOIN command m ON m.id = v.command
GROUP BY m.kind, m.kernel, m.template, m.device, v.counter, v.instance;

-- Launches that took turns in being counted stand for all of their kernel: the totals are scaled.
CREATE VIEW metric AS
SELECT g.kind, g.kernel, g.device, n.id AS counter_id, n.name AS counter, n.unit, n.type,
  n.semantic, n.simulated, g.instance, i.position, g.count, g.measured,
  CASE WHEN NOT g.measured OR g.numbers < g.measured THEN NULL
    WHEN coalesce(n.semantic, '') NOT IN ('event', 'duration') THEN NULL
    WHEN n.type = 'f64' THEN g.total * g.scale
    WHEN g.scale > 1 THEN CAST(g.total * g.scale + 0.5 AS INTEGER)
    WHEN NOT g.inexact AND g.high + (g.low >> 32) < 2147483648 THEN (g.high << 32) + g.low
    ELSE g.total END AS total,
  CASE WHEN g.numbers = g.measured THEN g.total / g.measured END AS mean, g.least AS min,
  g.most AS max,
  CASE WHEN g.measured THEN (SELECT name FROM state WHERE id = max(g.state, g.scale > 1))
    ELSE 'absent' END AS state,
  g.coverage / g.measured / g.scale AS coverage, g.div0, g.is_default,
  (SELECT text FROM text WHERE id = g.note) AS note
FROM (SELECT s.kind, coalesce(x.name, k.name) AS kernel, d.label AS device, s.counter, s.instance,
        sum(s.count) AS count, sum(s.measured) AS measured, sum(s.numbers) AS numbers,
        sum(s.inexact) AS inexact, sum(s.total) AS total, sum(s.high) AS high, sum(s.low) AS low,
        min(s.least) AS least,
        max(s.most) AS most, max(s.state) AS state, max(s.div0) AS div0,
        max(s.is_default) AS is_default, sum(s.coverage) AS coverage, min(s.note) AS note,
        CASE WHEN sum(s.measured) < sum(s.count)
               AND (SELECT replay FROM counting) = 'rotate'
             THEN 1.0 * sum(s.count) / sum(s.measured) ELSE 1 END AS scale
      FROM value_sum s
        LEFT JOIN kernel k ON k.id = s.kernel
        LEFT JOIN template x ON x.id = s.template
        LEFT JOIN device d ON d.id = s.device
      GROUP BY s.kind, coalesce(x.name, k.name), d.label, s.counter, s.instance) g
  JOIN counter n ON n.id = g.counter
  LEFT JOIN instance i ON i.counter = g.counter AND i.instance = g.instance;

CREATE VIEW v_metric_by_kernel AS
SELECT kernel, device, counter, unit, type, simulated, count, measured, total, mean, min, max,
  state, coverage, div0, is_default, note, position
FROM metric WHERE kind IN (1, 9)
ORDER BY kernel, device, counter_id, instance;

CREATE VIEW v_metric_by_transfer AS
SELECT k.name AS kind, m.device, m.counter, m.unit, m.type, m.simulated, m.count, m.measured,
  m.total, m.mean, m.min, m.max, m.state, m.coverage, m.div0, m.is_default, m.note, m.position
FROM metric m JOIN command_kind k ON k.id = m.kind WHERE m.kind BETWEEN 2 AND 7
ORDER BY m.kind, m.device, m.counter_id, m.instance;

CREATE VIEW v_counter AS
SELECT n.name AS counter, n.unit, n.type, n.semantic, n.counter_group, n.description,
  n.simulated, n.of_command, n.of_transfers, g.device, g.passes, g.replay
FROM counter n JOIN counting g
ORDER BY n.id;

CREATE VIEW v_note AS
SELECT about, text FROM note ORDER BY id;

-- A value of a counter in a window of time, beside the program.
CREATE VIEW v_window AS
SELECT g.device, g.simulated, n.name AS counter, n.unit, n.type, w.number, w.start_ns, w.end_ns,
  w.end_ns - w.start_ns AS duration_ns, w.uncertainty_ns, v.value, v.exact, s.name AS state,
  v.coverage, v.div0, v.sampled_window AS window_id, v.counter AS counter_id
FROM sampled_value v
  JOIN sampled_window w ON w.id = v.sampled_window
  JOIN sampled_counter n ON n.id = v.counter
  JOIN sampling g ON g.id = n.sampling
  JOIN state s ON s.id = v.state;

-- The same over all windows; values that are absent or wrong are in none of the numbers.
CREATE VIEW v_sampled AS
SELECT g.device, g.simulated, n.name AS counter, n.unit, n.type, n.semantic, n.description,
  g.window_ns, count(CASE WHEN s.name NOT IN ('absent', 'overflow') THEN 1 END) AS windows,
  min(CASE WHEN s.name <> 'overflow' THEN v.value END) AS min,
  avg(CASE WHEN s.name <> 'overflow' THEN v.value END) AS mean,
  max(CASE WHEN s.name <> 'overflow' THEN v.value END) AS max,
  count(CASE WHEN s.name = 'absent' THEN 1 END) AS absent,
  count(CASE WHEN s.name = 'overflow' THEN 1 END) AS overflow,
  g.lost, g.is_open, g.ended, g.ended_cure, n.id AS counter_id
FROM sampled_counter n
  JOIN sampling g ON g.id = n.sampling
  LEFT JOIN sampled_value v ON v.counter = n.id
  LEFT JOIN state s ON s.id = v.state
GROUP BY n.id
ORDER BY n.id;
