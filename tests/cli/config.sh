# SPDX-License-Identifier: MIT
# The configuration file, environment variables and --log: what wins, and what is refused.

XDG_CONFIG_HOME=$PWD/config
export XDG_CONFIG_HOME
unset TACHO_CONFIG
mkdir -p config/tacho
file=config/tacho/config.yaml

run 0 tacho help config
has out "$file (is not there)"
has out 'Nothing is set'

# What nobody may read holds nobody up, unless it was asked for.
if [ "$(id -u)" != 0 ]; then
	may_not=
elif command -v setpriv >/dev/null; then
	may_not="setpriv --reuid 12345 --regid 12345 --clear-groups --inh-caps=-all"
	chmod 711 "$work" "$work/here" "$work/bin"
	chmod 700 config
fi
echo 'color: never' >$file
chmod 000 $file
if [ "${may_not-none}" != none ] && $may_not tacho --version >/dev/null 2>&1; then
	run 0 $may_not tacho list archs --names
	has err "$file are not used: Permission denied"
	TACHO_CONFIG=$file run 4 $may_not tacho list archs
	has err 'have its owner let you read it'
	run 0 $may_not tacho help config
fi
rm -f $file

# A section is for its command, the top for all that have the option; lists add up.
cat >$file <<'END'
api: cl          # of every command that has it
color: never
list:
  api: rocm
record:
  metrics: [device_time, work_items]
END
run 0 tacho list metrics MemUnitStalled
has out '1 metric, API rocm'
run 0 tacho info MemUnitStalled
has_not out 'API rocm'
COLUMNS=200 run 0 tacho help config
grep -q '^  list  *api  *rocm .*config.yaml:4' out || fail "the section is not told"
grep -q '^  record  *metrics  *work_items .*config.yaml:6' out || fail "the list is not told"

# The line wins over the environment, that over the file.
TACHO_LIST_API=cl run 0 tacho list metrics MemUnitStalled --names
TACHO_LIST_API=cl run 0 tacho list metrics MemUnitStalled
has_not out 'API rocm'
TACHO_LIST_API=cl run 0 tacho list metrics MemUnitStalled --api rocm
has out '1 metric, API rocm'
TACHO_LIST_API=cl COLUMNS=200 run 0 tacho help config
tr -s ' \n' '  ' <out >flat
has flat 'list api cl TACHO_LIST_API holds'

# Of record: a list of the line replaces the file's; a --report takes back a "no-report: true".
printf 'record:\n  metrics: nosuch\n  no-report: yes\n' >$file
run 0 tacho record -f -o counted -m device_time --report true
has err 'recording    counted.tacho'
run 125 tacho record -f -o counted true
has err 'nosuch'
TACHO_RECORD_METRICS=device_time run 0 tacho record -f -o counted true
has_not err 'wall time'

# What is wrong is said with its line, whichever command is run, and help goes on working.
wrong() {
	printf '%b' "$1" >$file
	run 2 tacho list metrics MemUnitStalled
	has err "$file:$2"
	has err "$3"
	run 0 tacho help list
	run 0 tacho list --help
	run 2 tacho help config
	has err "$file:$2"
}
wrong 'list:\n  jsn: true\n' 2 'did you mean json?'
wrong 'record:\n  nosuch-option: 1\n' 2 'there is no option "nosuch-option" of record'
wrong 'recrod:\n  quiet: true\n' 2 'did you mean record?'
wrong 'nosuchoption: 1\n' 1 'there is no option "nosuchoption"'
wrong 'list:\n  api:\n    cl: 1\n' 3 'a mapping stands where a value should'
wrong '- list\n' 1 'its top is no mapping'
printf 'list: {{{{{{{{\n' >$file
run 2 tacho list archs
has err "$file, line 1"
printf 'list:\n  json: perhaps\n' >$file
run 2 tacho list archs
has err "$file:2: json is \"perhaps\", which is neither"
printf 'record:\n  max-size: much\n' >$file
run 125 tacho record true
has err "$file:2: --max-size is \"much\", which is no size"
# Too large, and not there though it was named.
{ printf 'list:\n'; yes '  api: cl' | head -n 40000; } >$file
run 2 tacho list archs
TACHO_CONFIG=nosuch.yaml run 2 tacho list archs
has err 'nosuch.yaml'
TACHO_CONFIG= run 0 tacho list archs
: >$file
run 0 tacho list archs

# What is said goes into the log, too: behind what is there, for its owner only, and no link.
run 2 tacho --log log list nosuch
run 2 tacho list --log log nosuch
has err 'list "nosuch" is not known'
[ "$(grep -c 'list "nosuch" is not known' log)" = 2 ] || fail "the log has not both"
[ "$(ls -l log | cut -c1-10)" = -rw------- ] || fail "others may read the log: $(ls -l log)"
run 0 tacho --log log --color always record -f -o logged true
LC_ALL=C grep -q "$(printf '\033')" log && fail "colours in the log"
grep -q 'in logged.tacho; see: tacho report logged' log || fail "the last line is not in the log"
# Names that are escape codes are spelled there, as on the screen; nothing of them is left out.
run 1 tacho --log spelled --color always info "$(printf 'a\033[31mred\033Xb')"
has spelled 'no name fits "a\x1b[31mred\x1bXb"'
LC_ALL=C grep -q "$(printf '\033')" spelled && fail "escape codes in the log"
ln -s log link
run 2 tacho --log link list archs
has err 'it is a symbolic link'
run 2 tacho --log /dev/null list archs
ln log other
run 2 tacho --log other list archs
run 2 tacho --log
has err 'option --log needs a value: FILE'

# Variables that nobody reads: said once, with what was meant, and the command runs.
run 0 env TACHO_RECORD_MAX_SZE=5M TACHO_COLOUR=never TACHO_RECORD_COLOUR=never TACHO_QQ=1 \
	tacho record -q -o mistyped true
tr -s ' \n' ' ' <err >flat
has flat 'TACHO_RECORD_MAX_SZE has no meaning: did you mean TACHO_RECORD_MAX_SIZE?'
has flat 'TACHO_COLOUR has no meaning: did you mean TACHO_COLOR?'
has flat 'TACHO_RECORD_COLOUR has no meaning: did you mean TACHO_RECORD_COLOR?'
has flat 'TACHO_QQ has no meaning; those that have one: docs/config.md'
[ "$(grep -c 'has no meaning' err)" = 4 ] || fail "not four warnings"
run 0 env "TACHO_$(printf 'A\033[31m')=1" tacho list archs
LC_ALL=C grep -q "$(printf '\033')" err && fail "escape codes of a variable's name"
run 0 env TACHO_RECORD_MAX_SZE=5M tacho help config
has_not err 'TACHO_RECORD_MAX_SZE'

# The list of the command is that of the page, and has all that the sources name.
list=$SOURCES/cli/options/variables.c
page=$SOURCES/docs/config.md
grep -oE '"TACHO_[A-Z_]+"' "$list" | tr -d '"' | grep -v '^TACHO_$' | LC_ALL=C sort >known
sed -n '/^## Other variables/,$p' "$page" | grep -oE 'TACHO_[A-Z_]+' | LC_ALL=C sort -u >told
diff known told || fail "docs/config.md and the command have other variables"
grep -rhoE '"TACHO_[A-Z_]+"' "$SOURCES/src" "$SOURCES/include" "$SOURCES/cli" | tr -d '"' |
	grep -vE '^TACHO_(E_[A-Z]*|OK|)$' | LC_ALL=C sort -u >read
LC_ALL=C comm -23 read known >unknown
[ -s unknown ] && fail "no list has $(cat unknown)"
assignments=$(grep -v -e CONFIG -e INJECT -e PAGER known | sed 's/$/=/')
# shellcheck disable=SC2086 # a word each
run 0 env $assignments tacho list archs
has_not err 'has no meaning'
