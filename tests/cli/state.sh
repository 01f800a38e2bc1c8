# SPDX-License-Identifier: MIT
# The state of the machine in recordings, from trees that stand for the kernel's.

# put FILE TEXT: a file of the tree.
put() {
	mkdir -p "tree/sys/${1%/*}"
	printf '%s\n' "$2" >"tree/sys/$1"
}
TACHO_MACHINE_ROOT=$PWD/tree
export TACHO_MACHINE_ROOT

# Nothing is known: nothing is said.
mkdir -p tree
run 0 tacho record -f -q -o nothing true
run 0 tacho report nothing
grep -q '^machine' out && fail "facts of nowhere"
run 0 tacho report nothing --json
tr -d ' \n' <out >flat
has flat '"machine":[]'

for cpu in 0 1; do
	put devices/system/cpu/cpu$cpu/cpufreq/scaling_governor powersave
	put devices/system/cpu/cpu$cpu/thermal_throttle/core_throttle_count 2
done
put devices/system/cpu/intel_pstate/no_turbo 0
put class/drm/card0/device/hwmon/hwmon3/freq1_input 300000000
put class/drm/card0/device/hwmon/hwmon3/power1_average 15400000
put class/drm/card0/device/hwmon/hwmon3/temp1_input 41000
put class/drm/card0/device/power_dpm_force_performance_level auto
put class/drm/card0-HDMI-A-1/device/power_dpm_force_performance_level wrong
put class/drm/card1/gt_act_freq_mhz 'not a number'
put class/drm/card1/gt_max_freq_mhz 1150
# The program heats the GPU and the processor.
cat >heat <<'END'
cd "$TACHO_MACHINE_ROOT/sys" || exit
echo 1500000000 >class/drm/card0/device/hwmon/hwmon3/freq1_input
echo 3 >devices/system/cpu/cpu1/thermal_throttle/core_throttle_count
END
run 0 tacho record -f -q -o hot sh heat
COLUMNS=200 run 0 tacho report hot
sed -n '/^machine/,/^[^ ]/p' out | sed '$d' | tr -s ' \n' ' ' >flat
printf 'machine cpu governor powersave, cpu boost on, cpu throttled 4 to 5, card0 performance level auto, card0 clock 300 MHz to 1500 MHz, card0 power 15 W, card0 temperature 41 C, card1 clock limit in MHz 1150 ' >expected
cmp -s flat expected || { diff flat expected; fail "the machine's state"; }
run 0 tacho report hot --json
tr -d ' \n' <out >flat
has flat '{"name":"card0clock","start":"300MHz","end":"1500MHz","setting":false}'
has flat '{"name":"cpugovernor","start":"powersave","end":"powersave","setting":true}'

run 0 tacho export hot --to jsonl -o -
head -n 1 out >line
has line '{"name": "cpu governor", "start": "powersave", "end": "powersave", "setting": true}'
has line '{"name": "card0 clock", "start": "300 MHz", "end": "1500 MHz", "setting": false}'
has line '{"name": "cpu throttled", "start": "4'

# Another governor and throttling are told in diff; clocks change by themselves; unknown is no change.
put devices/system/cpu/cpu1/cpufreq/scaling_governor performance
run 0 tacho record -f -q -o other sh -c :
run 0 tacho diff hot other
tr -s ' \n' ' ' <out >flat
has flat 'A has "cpu governor powersave, cpu boost on, card0 performance level auto, card1 clock limit in MHz 1150", B "cpu governor several, cpu boost on'
has flat 'In A the processors were slowed down because of their temperature: 4 times at the start, 5 at the end.'
run 0 tacho diff nothing other
has_not out 'Settings of the machine'
run 0 tacho diff other other
has_not out 'Settings of the machine'

# What is no number, or too long, is not known.
put class/drm/card0/device/hwmon/hwmon3/temp1_input "$(head -c 3000 /dev/zero | tr '\0' 7)"
mkdir -p tree/sys/class/drm/card2/device/hwmon/hwmon0/freq1_input
run 0 tacho record -f -q -o hostile true
run 0 tacho report hostile
has_not out card2
