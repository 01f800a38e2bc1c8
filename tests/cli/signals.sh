# SPDX-License-Identifier: MIT
# Signals: a program gets each once, whoever it was sent to; exports that are ended leave nothing.

python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c '' 2>/dev/null || skip "there is no Python"

# To tacho alone, by somebody of its process group or of another; to the group, as a terminal does;
# to tacho and to the group, as timeout(1) does.
cat >program.py <<'END_OF_PROGRAM'
import signal, sys, time

got = {}
def note(number, frame):
    name = signal.Signals(number).name
    got[name] = got.get(name, 0) + 1
for number in signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP:
    signal.signal(number, note)
open("ready", "w").close()
end = time.monotonic() + 60
while not got and time.monotonic() < end:
    time.sleep(0.01)
time.sleep(0.4)  # another one would come in this time
print(got)
sys.exit(7)
END_OF_PROGRAM
$python - $python <<'END' || fail "a signal did not reach the program once"
import os, signal, subprocess, sys, time

program = [sys.argv[1], "program.py"]
numbers = signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP
for number in numbers:
    signal.signal(number, lambda *got: None)  # ignored ones stay ignored in programs

def send(pid, number, how):
    if how in ("alone", "other", "both"):
        os.kill(pid, number)
    if how in ("group", "both"):
        os.killpg(pid, number)

for words in (["record", "-q", "-f", "-o", "got"], ["stat", "-m", "task-clock"],
              ["stat", "-m", "device_time"]):
    for how in "alone", "other", "group", "both":
        for number in numbers:
            if os.path.exists("ready"):
                os.unlink("ready")
            tacho = subprocess.Popen(["tacho", *words, *program], stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True,
                                     start_new_session=how != "alone")
            while not os.path.exists("ready") and tacho.poll() is None:
                time.sleep(0.01)
            send(tacho.pid, number, how)
            out, err = tacho.communicate()
            if tacho.returncode != 7 or f"{{'{number.name}': 1}}" not in out:
                sys.exit(f"{words} {how} {number.name}: {tacho.returncode} {out} {err}")
END
run 0 tacho report got

# Who sends to a program that dies of it sees that status, and the recording is whole.
cat >dies.sh <<'END'
: >ready
exec sleep 60
END
for signal in INT:130 TERM:143; do
	rm -f ready
	$python - ${signal%:*} <<'END' >out 2>err
import os, signal, subprocess, sys, time

number = getattr(signal, "SIG" + sys.argv[1])
signal.signal(number, signal.SIG_DFL)
tacho = subprocess.Popen(["tacho", "record", "-q", "-f", "-o", "died", "sh", "dies.sh"])
while not os.path.exists("ready") and tacho.poll() is None:
    time.sleep(0.01)
tacho.send_signal(number)
sys.exit(tacho.wait())
END
	got=$?
	[ $got = ${signal#*:} ] || fail "status $got after SIG$signal"
	run 0 tacho report died
	has out "exit status  ${signal#*:}"
done

# Of several runs none begins behind one that was asked to end, whatever its status.
cat >passes.sh <<'END'
trap 'exit 7' INT
echo run >>runs
: >ready
while :; do sleep 0.05; done
END
more=SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU,SQ_INSTS_SMEM,SQ_INSTS_LDS,SQ_INSTS_GDS,SQ_INSTS_FLAT
more=$more,SQ_BUSY_CYCLES,SQ_INSTS_BRANCH
for words in 'record -o passes --sim mi300x' 'stat -d sim:mi300x'; do
	rm -f ready runs
	$python - $words --replay process -m $more sh passes.sh <<'END' >out 2>err
import os, signal, subprocess, sys, time

signal.signal(signal.SIGINT, signal.SIG_DFL)
tacho = subprocess.Popen(["tacho", *sys.argv[1:]])
while not os.path.exists("ready") and tacho.poll() is None:
    time.sleep(0.01)
tacho.send_signal(signal.SIGINT)
sys.exit(tacho.wait(60))
END
	got=$?
	[ $got = 7 ] || fail "status $got of several runs"
	same runs run
done

# Exports: what is half written goes, whatever asks tacho to end, and the old file stays.
$python - <<'END' || fail "an export that was ended left something"
import os, signal, subprocess, sys, time

def write(calls):
    with open("many.atp", "w") as file:
        print("TraceFileVersion=3.2\n=====ocl API Trace Output=====\n1", calls, sep="\n", file=file)
        for i in range(calls):
            print(f"CL_SUCCESS = clSetKernelArg ( 0x{i % 7:x}, {i}, 8, [0x{i:x}] )", file=file)
        print("=====ocl Timestamp Output=====\n1", calls, sep="\n", file=file)
        for i in range(calls):
            print(0, "clSetKernelArg", 1000 * i, 1000 * i + 500, file=file)

def list_files():
    return {name for name in os.listdir() if name.startswith("kept")}

def end(format, number):
    """Whether it was ended before it was done."""
    with open("kept.sqlite", "w") as file:
        file.write("old")
    tacho = subprocess.Popen(["tacho", "export", "-f", "many.atp", "--to", format, "-o", "kept"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    before = {"kept.sqlite"}
    while list_files() == before and tacho.poll() is None:
        time.sleep(0.0005)
    tacho.send_signal(number)
    status = tacho.wait()
    left = list_files()
    if status == -number and left != before:
        sys.exit(f"{format} left {left - before} behind after {number.name}")
    if status == -number and open("kept.sqlite").read() != "old":
        sys.exit(f"{format} replaced the old file")
    for name in left:
        os.unlink(name)
    return status == -number

for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
    signal.signal(number, signal.SIG_DFL)
for format, number in (("sqlite", signal.SIGINT), ("sqlite", signal.SIGTERM),
                       ("sqlite", signal.SIGHUP), ("html", signal.SIGINT),
                       ("jsonl", signal.SIGTERM), ("perfetto", signal.SIGHUP),
                       ("codexl", signal.SIGINT), ("rocprofv3", signal.SIGTERM)):
    for calls in 50000, 200000, 800000:
        write(calls)
        if end(format, number):
            break
    else:
        sys.exit(f"{format} was done before it could be ended")
END
