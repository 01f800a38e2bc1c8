# SPDX-License-Identifier: MIT
# Lists of what is in the catalog: the facts are those of data/, the form is that of the command.

# line FILE REGEX: fails unless a line fits.
line() {
	grep -q -e "$2" "$1" || fail "no line of $1 fits $2"
}

# Architectures, each with its APIs and numbers.
run 0 tacho list archs
same err
line out '^  gfx942  *rocm  *[1-9][0-9]*  *[1-9][0-9]*  *.*MI300X'
line out '^  chv  *oa  *[1-9]'
run 0 tacho list archs --names
line out '^gfx90a$'
[ "$(sort out | uniq -d | grep -c '^gfx9[0-9a-f][0-9a-f]$')" = 0 ] || fail "a name twice"

# Each name once, with the architectures folded.
run 0 tacho list metrics MemUnitStalled --api rocm
same err
line out '^  MemUnitStalled  *percent  .*gfx940-942'
[ "$(grep -c MemUnitStalled out)" = 1 ] || fail "MemUnitStalled is there several times"
line out '^1 metric, API rocm'
run 0 tacho list counters --api rocm --names
[ "$(sort out | uniq -d)" = '' ] || fail "a counter is listed twice: $(sort out | uniq -d)"

# Words narrow, every one of them, in any case, in names and in descriptions.
run 0 tacho list metrics --arch gfx942 --names
all=$(wc -l <out)
run 0 tacho list metrics tcc hit --arch gfx942 --names
line out '^TCC_HIT_sum$'
[ "$(wc -l <out)" -lt "$all" ] || fail "words do not narrow"
has_not out GRBM
run 0 tacho list metrics --arch GFX942 --names
[ "$(wc -l <out)" = "$all" ] || fail "the case of the architecture matters"
run 0 tacho list metrics --model mi300x --names
[ "$(wc -l <out)" = "$all" ] || fail "a model means its architecture"

# A counter has its block and event; where the architectures differ the number is left out.
run 0 tacho list counters TCC_HIT --arch gfx942
line out '^  TCC_HIT  .*TCC 17'
run 0 tacho list counters TCC_HIT --api rocm
line out '^  TCC_HIT  .* TCC  .*gfx90a'

# Sets with their GUIDs, blocks with their numbers, models with their devices.
run 0 tacho list sets RenderBasic --arch chv
line out '^  RenderBasic  *[0-9][0-9]*  *9d8a3af5-c02c-4a4a-b947-f1672469e0fb'
run 0 tacho list sets 9d8a3af5-C02C --names
same out RenderBasic
run 0 tacho list blocks --arch gfx942 --names
line out '^TCC$'
run 0 tacho list models --names
line out '^mi300x$'
run 0 tacho list backends
line out '^  opencl  '

# One form of JSON for all.
for kind in counters metrics sets blocks archs models backends; do
	run 0 tacho list $kind --json
	line out '^  "schema": "tacho.list/1",$'
	line out "^  \"kind\": \"$kind\",\$"
	line out '^  "entries": \[$'
	mv out $kind.json
done
run 0 tacho list metrics MemUnitStalled --arch gfx942 --json
cp out one
if command -v python3 >/dev/null 2>&1; then
	run 0 python3 -c '
import json
page = json.load(open("one"))
assert list(page) == ["schema", "generator", "kind", "entries", "bases"], list(page)
[entry] = page["entries"]
assert entry["name"] == "MemUnitStalled" and entry["kind"] == "metric", entry
assert entry["unit"] == "percent" and entry["type"] == "f64", entry
assert entry["archs"] == ["gfx942"] and entry["apis"] == ["rocm"], entry
'
fi

# What is not there.
run 1 tacho list metrics --arch gfx942 MemUnitStaled
same out
has err 'no metric has "MemUnitStaled" in its name, group or description'
has err 'did you mean MemUnitStalled'
run 1 tacho list metrics --arch gfx942 MemUnitStaled --json
line out '^  "entries": \[\],$'
run 1 tacho list metrics --arch gfx94
has err 'gfx942'
run 1 tacho list --arch mi300
has err 'the nearest names are mi300x, mi300a, mi100, which are models: --model'
run 1 tacho list metrics --arch chv --api rocm
[ -s err ] || fail "no message"
run 2 tacho list metrics --api rocn
has err 'did you mean rocm?'
run 2 tacho list metrcs
has err 'did you mean metrics?'
run 1 tacho list metrics --definitions nothing-here.yaml
has err 'nothing-here.yaml'

# A file of one's own; its mistakes are warnings that cost only themselves.
cat >own.yaml <<'END'
rocprofiler-sdk:
  counters-schema-version: 1
  counters:
    - name: OWN_TEAPOTS
      description: Teapots that were on the way at the same time.
      definitions:
        - architectures: [gfx942]
          expression: reduce(TCC_HIT,sum)*2
    - name: OWN_BAD
      definitions:
        - architectures: [gfx942]
          block: TCC
END
run 0 tacho list metrics teapot --definitions own.yaml
line out '^  OWN_TEAPOTS .*Teapots'
has err 'tacho: warning: own.yaml:'
has err OWN_BAD
run 0 tacho list metrics --names --definitions own.yaml --arch gfx942
[ "$(wc -l <out)" = $((all + 1)) ] || fail "own definitions do not add to the built-in ones"

# What is chosen of the catalog is checked where it narrows nothing, too.
for choice in '--arch nosuch' '--model nosuch' '--arch gfx942 --model nosuch' '--definitions nosuch'; do
	# shellcheck disable=SC2086 # words
	run 1 tacho list $choice
	has err nosuch
done
run 0 tacho list --arch gfx942
has err 'tacho list counters'

# On terminals: nothing is wider, elsewhere nothing is wrapped.
run 0 tacho list metrics --arch gfx942
[ "$(grep -c '^  [A-Za-z]' out)" = $((all + 1)) ] || fail "not one line a metric"
"$PTY" 24 80 true >out 2>err || skip "no terminal can be made: $(cat err) (is /dev/pts mounted?)"
for columns in 40 80 200; do
	for words in 'metrics stall' 'counters TCC' 'sets' 'blocks' 'archs' 'models' 'backends'; do
		# shellcheck disable=SC2086 # words
		run 0 "$PTY" 24 $columns tacho list $words
		tr -d '\r' <out >lines
		narrow lines $columns
	done
done

# Words may be globs, which fit a whole name, and expressions, which match in one; case is ignored.
run 0 tacho list counters 'tcc_h*' --arch gfx942 --names
line out '^TCC_HIT$'
[ "$(grep -vc '^TCC_H' out)" = 0 ] || fail "something else fits tcc_h*"
run 0 tacho list counters 'regex:^tcc_(hit|miss)$' --api rocm --names
same out TCC_HIT TCC_MISS
run 0 tacho list devices --json 'regex:^perf$'
run 1 tacho list counters 'regex:^nosuch$'
has err '"regex:^nosuch$" fits no counter'
run 2 tacho list counters 'regex:a(b'
has err '"a(b" is no regular expression'
run 2 tacho list devices 'regex:a{2000}'
has err '"a{2000}" is not taken'

# --csv has what --json has in "entries", for each kind; read back by somebody else's reader.
cat >compare.py <<'END'
import csv, json, sys
rows = list(csv.reader(open("table", newline=""), strict=True))
entries = json.load(open("document"))["entries"]
keys = []
for entry in entries:
    keys += [key for key in entry if key not in keys]
assert rows[0] == keys, (rows[0], keys)
assert len(rows) - 1 == len(entries), (len(rows), len(entries))
def text(value):
    if value is None: return ""
    if isinstance(value, bool): return "true" if value else "false"
    if isinstance(value, list): return ";".join(map(text, value))
    if isinstance(value, dict): return ";".join(f"{k}={text(v)}" for k, v in value.items())
    return str(value)
for row, entry in zip(rows[1:], entries):
    assert row == [text(entry.get(key)) for key in keys], (row, entry)
assert open("table", newline="").read().endswith("\r\n")
END
for kind in counters metrics sets blocks backends archs; do
	mv $kind.json document
	tacho list $kind --csv >table 2>err || fail "list $kind --csv"
	python3 compare.py || fail "list $kind --csv differs from --json"
done
tacho list models mi300x --csv >table || fail "list models --csv"
has table 'num_xcc=8;'
run 2 tacho list counters --csv --json
has err 'give one of --json, --csv and --names'
