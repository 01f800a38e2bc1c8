-- SPDX-License-Identifier: MIT
-- Times are nanoseconds of the recording host's CLOCK_MONOTONIC. NULL is what is not known.

-- What is known about a time or a value; of several together it is the highest.
CREATE TABLE state (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
) STRICT;
INSERT INTO state VALUES (0, 'ok'), (1, 'scaled'), (2, 'overflow'), (3, 'lost'), (4, 'absent');

CREATE TABLE command_kind (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
) STRICT;
INSERT INTO command_kind VALUES (1, 'kernel'), (2, 'write'), (3, 'read'), (4, 'copy'), (5, 'fill'),
  (6, 'map'), (7, 'unmap'), (8, 'other'), (9, 'command buffer');

-- Texts that occur often, once.
CREATE TABLE text (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE host (
  id INTEGER PRIMARY KEY,
  name TEXT,
  os_name TEXT,
  os_release TEXT
) STRICT;

-- One row.
CREATE TABLE run (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  host INTEGER NOT NULL REFERENCES host,
  exporter TEXT NOT NULL,      -- what wrote this file
  generator TEXT,              -- what made the recording
  application TEXT,
  arguments TEXT,
  working_directory TEXT,
  via TEXT,
  start_ns INTEGER,
  end_ns INTEGER,              -- NULL while it runs, or when tacho was killed
  realtime_offset_ns INTEGER,  -- add to any time for CLOCK_REALTIME; NULL: not known
  exit_status INTEGER,
  why_empty TEXT,
  why_uncounted TEXT,
  import_note TEXT,            -- of session files: what is not in them
  unfinished INTEGER NOT NULL, -- 1: it is still written, or nobody could finish it
  max_bytes INTEGER,           -- what the recording was not to exceed
  ring_bytes INTEGER,          -- of how much the newest is kept; NULL: of all
  ring_calls INTEGER,          -- that the ring let go; NULL: there was none
  max_calls INTEGER,           -- how many calls were to be recorded; NULL: all
  max_launches INTEGER         -- the launch behind which nothing was to be; NULL: none
) STRICT;

CREATE TABLE process (
  id INTEGER PRIMARY KEY,      -- from 0
  pid INTEGER,
  parent_pid INTEGER,
  directory TEXT,              -- its folder in the recording
  executable TEXT,
  command TEXT,
  loader TEXT,
  start_ns INTEGER,
  clock TEXT,
  clock_uncertainty_ns INTEGER,
  uncounted TEXT,
  uncounted_cure TEXT,
  uncounted_ns INTEGER,
  unwatched TEXT,              -- functions that it got and that are not recorded
  unseen_work INTEGER NOT NULL -- 1: some of them give work to devices
) STRICT;

-- What was not recorded or cannot be read, by reason.
CREATE TABLE loss (
  process INTEGER UNIQUE REFERENCES process,  -- NULL: what belongs to none
  no_window INTEGER,
  no_space INTEGER,
  nested INTEGER,
  too_big INTEGER,
  no_thread INTEGER,
  unwritten INTEGER,
  missing INTEGER,
  untimed INTEGER,             -- device times of commands that are there
  unreadable_bytes INTEGER,
  unreported INTEGER,          -- dropped by a vendor's library
  headless_ranges INTEGER,     -- ends of named ranges whose beginning is not there
  deep_ranges INTEGER,         -- too deep, or too many at a time
  windows INTEGER,             -- of counters that were sampled
  waits INTEGER,
  io_error INTEGER
) STRICT;

-- What is wrong with the files of the recording. No row: it is whole.
CREATE TABLE fault (
  id INTEGER PRIMARY KEY,
  path TEXT,
  what TEXT NOT NULL,          -- to stand behind the path
  error INTEGER,               -- errno
  bytes INTEGER,
  calls INTEGER,
  text TEXT NOT NULL           -- all of it in words
) STRICT;

-- Calls that were left out as it was asked for: no loss.
CREATE TABLE left_out (
  id INTEGER PRIMARY KEY,
  function TEXT,
  calls INTEGER
) STRICT;

CREATE TABLE thread (
  id INTEGER PRIMARY KEY,
  process INTEGER NOT NULL REFERENCES process,
  tid INTEGER NOT NULL,        -- the operating system's number
  name TEXT
) STRICT;

-- How long a thread had run on a processor by then, and waited for one: read now and then.
CREATE TABLE thread_time (
  process INTEGER NOT NULL REFERENCES process,
  tid INTEGER NOT NULL,
  at_ns INTEGER,
  run_ns INTEGER,
  waited_ns INTEGER
) STRICT;

CREATE TABLE device (
  id INTEGER PRIMARY KEY,
  process INTEGER REFERENCES process,
  handle TEXT,
  name TEXT,
  label TEXT                   -- the name, with a number from the second one of that name on
) STRICT;

CREATE TABLE context (
  id INTEGER PRIMARY KEY,
  process INTEGER REFERENCES process,
  handle TEXT
) STRICT;

CREATE TABLE queue (
  id INTEGER PRIMARY KEY,
  process INTEGER REFERENCES process,
  handle TEXT,
  context INTEGER REFERENCES context,
  device INTEGER REFERENCES device
) STRICT;

CREATE TABLE program (
  id INTEGER PRIMARY KEY,
  process INTEGER REFERENCES process,
  handle TEXT,
  context INTEGER REFERENCES context
) STRICT;

CREATE TABLE kernel (
  id INTEGER PRIMARY KEY,
  process INTEGER REFERENCES process,
  handle TEXT,
  name TEXT,
  context INTEGER REFERENCES context,
  program INTEGER REFERENCES program
) STRICT;

-- What the driver told of an object.
CREATE TABLE attribute (
  kind TEXT NOT NULL,          -- the name of the object's table
  object INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT,
  PRIMARY KEY (kind, object, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE function (
  id INTEGER PRIMARY KEY,
  api TEXT,
  name TEXT,
  number INTEGER               -- in session files
) STRICT;

-- In the order in which the calls ended.
CREATE TABLE call (
  id INTEGER PRIMARY KEY,
  thread INTEGER NOT NULL REFERENCES thread,
  thread_index INTEGER,        -- counts the thread's calls from 0
  function INTEGER NOT NULL REFERENCES function,
  start_ns INTEGER,
  end_ns INTEGER,
  result TEXT,
  failed INTEGER NOT NULL,     -- 0 or 1
  arguments TEXT,              -- a JSON object of texts
  repeats INTEGER,             -- equal calls behind it that the row also stands for
  busy_ns INTEGER,             -- in all of them together
  bare INTEGER NOT NULL,       -- 1: no call is known, only the command that it gave
  caller TEXT                  -- the code that made it
) STRICT;

-- Calls of a function by a thread, all together; bare ones are none.
CREATE TABLE call_sum (
  thread INTEGER NOT NULL REFERENCES thread,
  function INTEGER NOT NULL REFERENCES function,
  calls INTEGER,
  failed INTEGER,
  total_ns INTEGER,            -- what was spent in them
  min_ns INTEGER,              -- of one, where equal ones in a row count by their mean
  max_ns INTEGER,
  PRIMARY KEY (thread, function)
) STRICT, WITHOUT ROWID;

-- Stretches of its time that the program named, and its frames.
CREATE TABLE named_range (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,          -- nested, process, mark, frame; label, pass: around commands
  name TEXT NOT NULL,
  domain TEXT,
  api TEXT,                    -- that it was named through
  process INTEGER NOT NULL REFERENCES process,
  tid INTEGER NOT NULL,        -- of the thread that began it
  depth INTEGER NOT NULL,      -- ranges around it
  parent INTEGER REFERENCES named_range,
  start_ns INTEGER,
  end_ns INTEGER,              -- NULL: its end is not in the recording
  last_ns INTEGER,             -- the same, or the last that is known of its process
  color INTEGER,               -- 0xAARRGGBB
  number INTEGER,              -- of a frame
  queue INTEGER,               -- that got the commands: of labels, passes, marks between commands
  device_times INTEGER         -- of labels and passes, 1: start and end are those of the commands
) STRICT;

-- In which ranges a call was made, the innermost first.
CREATE TABLE call_range (
  call INTEGER NOT NULL REFERENCES call,
  position INTEGER NOT NULL,   -- from 1
  range INTEGER NOT NULL REFERENCES named_range,
  PRIMARY KEY (call, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE command_type (
  id INTEGER PRIMARY KEY,
  code INTEGER,
  name TEXT
) STRICT;

-- Commands that were recorded once and ran as a whole: a row for each state that ran.
CREATE TABLE template (
  id INTEGER PRIMARY KEY,
  process INTEGER REFERENCES process,
  handle TEXT,
  version INTEGER,
  name TEXT,                   -- the same for the same kernels in the same order
  known INTEGER NOT NULL,      -- 0: not all that it holds is known
  reason TEXT,
  commands INTEGER
) STRICT;

CREATE TABLE template_command (
  template INTEGER NOT NULL REFERENCES template,
  position INTEGER NOT NULL,   -- from 1
  kind INTEGER NOT NULL REFERENCES command_kind,
  name TEXT,
  device INTEGER REFERENCES device,
  kernel INTEGER REFERENCES kernel,
  dimensions INTEGER,
  global_x INTEGER,
  global_y INTEGER,
  global_z INTEGER,
  local_x INTEGER,
  local_y INTEGER,
  local_z INTEGER,
  bytes INTEGER,
  PRIMARY KEY (template, position)
) STRICT, WITHOUT ROWID;

-- Work that a call gave to a device; it has the id of its call.
CREATE TABLE command (
  id INTEGER PRIMARY KEY REFERENCES call,
  kind INTEGER NOT NULL REFERENCES command_kind,
  type INTEGER NOT NULL REFERENCES command_type,
  queue INTEGER REFERENCES queue,
  device INTEGER REFERENCES device,
  kernel INTEGER REFERENCES kernel,
  state INTEGER NOT NULL REFERENCES state,  -- of the times
  reason INTEGER REFERENCES text,           -- why it is not ok
  queued_ns INTEGER,
  submit_ns INTEGER,
  start_ns INTEGER,
  end_ns INTEGER,
  duration_ns INTEGER,         -- may be known though the times are not
  uncertainty_ns INTEGER,
  clock INTEGER REFERENCES text,
  bytes INTEGER,
  dimensions INTEGER,
  global_x INTEGER,
  global_y INTEGER,
  global_z INTEGER,
  local_x INTEGER,
  local_y INTEGER,
  local_z INTEGER,
  first_launch INTEGER,
  counted INTEGER,             -- 0: not selected; NULL: nothing was to be counted
  values_note INTEGER REFERENCES text,
  template INTEGER REFERENCES template,
  marked_start INTEGER,        -- 1: it starts when all in front had ended; the driver tells ends
  shared_device INTEGER REFERENCES device -- the first of that label: the same in all processes
) STRICT;

-- One row when something was to be counted, else none.
CREATE TABLE counting (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  device TEXT,
  simulated INTEGER NOT NULL,
  passes INTEGER,
  replay TEXT,
  runs INTEGER,
  launches INTEGER,
  missing INTEGER,
  different INTEGER,
  additional INTEGER
) STRICT;

CREATE TABLE counter (
  id INTEGER PRIMARY KEY,      -- from 1, in the order in which they were asked for
  name TEXT NOT NULL,
  unit TEXT,
  type TEXT NOT NULL,          -- u64 or f64
  semantic TEXT,               -- event and duration add up
  description TEXT,
  counter_group TEXT,
  simulated INTEGER NOT NULL,
  of_command INTEGER NOT NULL, -- worked out from what was recorded of the command
  of_transfers INTEGER NOT NULL
) STRICT;

CREATE TABLE instance (
  counter INTEGER NOT NULL REFERENCES counter,
  instance INTEGER NOT NULL,
  position TEXT NOT NULL,      -- DIMENSION_XCC=1;DIMENSION_INSTANCE=0
  PRIMARY KEY (counter, instance)
) STRICT, WITHOUT ROWID;

CREATE TABLE value (
  command INTEGER NOT NULL REFERENCES command,
  counter INTEGER NOT NULL REFERENCES counter,
  instance INTEGER NOT NULL,   -- 0, too, of counters that have none
  value ANY,                   -- NULL when absent
  exact TEXT,                  -- the number, when `value` is not exactly it
  state INTEGER NOT NULL REFERENCES state,
  div0 INTEGER NOT NULL,
  is_default INTEGER NOT NULL,
  coverage REAL,
  note INTEGER REFERENCES text,
  PRIMARY KEY (command, counter, instance)
) STRICT, WITHOUT ROWID;

-- Counters that were sampled beside the program, in windows of time.
CREATE TABLE sampling (
  id INTEGER PRIMARY KEY,      -- from 1
  device TEXT,
  simulated INTEGER NOT NULL,
  window_ns INTEGER NOT NULL,  -- as it was asked for
  windows INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  is_open INTEGER NOT NULL,    -- its end is not there
  ended TEXT,                  -- why it ended before the program
  ended_cure TEXT
) STRICT;

CREATE TABLE sampled_counter (
  id INTEGER PRIMARY KEY,      -- sampling * 1000 + its place, from 0
  sampling INTEGER NOT NULL REFERENCES sampling,
  name TEXT NOT NULL,
  unit TEXT,
  type TEXT NOT NULL,          -- u64 or f64
  semantic TEXT,               -- event and duration add up
  description TEXT
) STRICT;

CREATE TABLE sampled_window (
  id INTEGER PRIMARY KEY,      -- from 1
  sampling INTEGER NOT NULL REFERENCES sampling,
  number INTEGER NOT NULL,     -- in its sampling, from 0: those between are lost
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  uncertainty_ns INTEGER NOT NULL
) STRICT;

CREATE TABLE sampled_value (
  sampled_window INTEGER NOT NULL REFERENCES sampled_window,
  counter INTEGER NOT NULL REFERENCES sampled_counter,
  value ANY,                   -- NULL when absent
  exact TEXT,                  -- the number, when `value` is not exactly it
  state INTEGER NOT NULL REFERENCES state,
  div0 INTEGER NOT NULL,
  coverage REAL,
  PRIMARY KEY (sampled_window, counter)
) STRICT, WITHOUT ROWID;

CREATE TABLE note (
  id INTEGER PRIMARY KEY,
  about TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
