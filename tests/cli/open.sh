# SPDX-License-Identifier: MIT
# tacho open and report --html: where the page goes, what is replaced, what shows it.
unset DISPLAY WAYLAND_DISPLAY BROWSER

run 0 tacho record -q --export none -o one true
run 3 tacho open one
same out one.html
has one.html '<!DOCTYPE html>'
tr -s ' \n' ' ' <err >flat
has flat 'not opened: neither DISPLAY nor WAYLAND_DISPLAY is set'

# A page of tacho's is replaced; what is none only with -f.
run 3 tacho open one
echo mine >one.html
run 1 tacho open one
[ "$(cat one.html)" = mine ] || fail "a file that is no page was replaced"
run 0 tacho open one --no-browser -f
same out one.html
has one.html '<!DOCTYPE html>'
run 0 tacho open one.tacho --no-browser
same out one.html

# The first browser that works gets the whole path, where %s stands.
cat >browser <<'END'
#!/bin/sh
printf '%s\n' "$@" >"$SEEN"
END
chmod +x browser
SEEN=$PWD/seen
BROWSER="nosuchbrowser:$PWD/browser -x %s -y"
export SEEN BROWSER
run 0 tacho open one -o 'a page.html'
same out 'a page.html'
same seen -x "$PWD/a page.html" -y
BROWSER=$PWD/browser
run 0 tacho report one --html
same out one.html
same seen "$PWD/one.html"
BROWSER=false
run 3 tacho open one
has err 'not opened: false'

run 1 tacho open nothing
run 2 tacho open
run 1 tacho open one -o no/such/folder/page

# Two runs on one page.
run 0 tacho diff one one --html=both.html
has both.html 'A and B compared'
has out 'Whole runs'
run 1 tacho diff one one --html=both.html
has err 'both.html exists already'
run 0 tacho diff one one --html=both.html -f
run 0 tacho diff one one --html=-
has out '<!DOCTYPE html>'
has_not out 'Whole runs, not tested'
# Without a name it has one, and does not take A for it.
run 0 tacho diff --html one one
has diff.html 'A and B compared'
has out 'Whole runs'
has err 'the page is diff.html'
run 1 tacho diff --html one one
has err 'diff.html exists already'
run 2 tacho diff one one --html both.html
has err '"both.html" is one argument too many'
has err 'a value of --html is written --html=FILE'
