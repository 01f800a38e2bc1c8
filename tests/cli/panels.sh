# SPDX-License-Identifier: MIT
# tacho eval --panels: tables of panel files, against numbers worked out by hand.

mkdir panels
cat >panels/0100_own.yaml <<'END'
Panel Config:
  id: 100
  title: Own panel
  data source:
  - metric_table:
      id: 101
      title: Cache
      header: {metric: Metric, value: Avg, low: Min, unit: Unit}
      metric:
        Hit Rate:
          value: AVG((100 * HIT / (HIT + MISS)) if (HIT + MISS) != 0 else None)
          low: MIN((100 * HIT / (HIT + MISS)) if (HIT + MISS) != 0 else None)
          unit: pct
        Requests:
          value: AVG((HIT + MISS) / $denom)
          low: MIN(HIT + MISS)
          unit: (Req + $normUnit)
        Per Unit: {value: TO_INT(AVG(HIT) / $units), low: "ROUND(MAX(1, 2.5), 0)", unit: Req}
        Lacking: {value: AVG(NONE_SUCH if HIT > 1000 else 0), low: None, unit: Req}
        Other Run: {value: AVG(LEVEL), low: $GRBM_GUI_ACTIVE_PER_XCD, unit: "", coll_level: other}
        No Run: {value: AVG(LEVEL), low: 2 * $units, unit: "", coll_level: lost}
  - raw_csv_table: {id: 102, title: skipped, source: x.csv}
  - metric_table:
      id: 103
      title: Channels
      cli_style: simple_box
      header: {metric: Channel, expr: Expression}
      metric:
        "::_1": {expr: "CH[::_1]"}
        placeholder_range: {"::_1": $channels}
END
cat >pmc_perf.csv <<'END'
Dispatch_ID,Kernel_Name,HIT,MISS,SQ_WAVES,GRBM_GUI_ACTIVE,CH[0],CH[1]
0,a,30,10,4,800,1,5
1,b,90,10,20,800,2,6
2,c,0,0,0,800,4,7
3,d,,5,2,800,8,8
END
printf 'name,units,num_xcd,channels\nx,16,8,2\n' >sysinfo.csv
printf 'Dispatch_ID,LEVEL\n0,3\n1,4\n' >other.csv

# (75 + 90) / 2; (40 + 100 + 0) / 3; 40 / 16 = 2.5 cut; 2.5 to the even number; 800 / 8.
run 0 tacho eval --panels panels --values pmc_perf.csv
has out '101 Cache'
tr -s ' \n' ' ' <out >flat
has flat 'Metric Avg Min Unit'
has flat 'Hit Rate 82.5 75 pct'
has flat 'Requests 46.6667 0 Req per kernel'
has flat 'Per Unit 2 2 Req'
has flat 'Lacking - Req'
has flat '- Lacking: the values lack NONE_SUCH'
has flat 'Other Run 3.5 -'
has flat 'No Run - 32'
has flat '- No Run: there is no lost.csv beside the values'
has_not out skipped
# 1 2 4 8: quartiles between two neighbours
has flat 'Channel Min Q1 Median Q3 Max'
has flat ' 0 1 1.75 3 5 8'
has flat ' 1 5 5.75 6.5 7.25 8'

# By wave: 40/4, 100/20; the launch without waves is left out.
run 0 tacho eval --panels panels/0100_own.yaml --values pmc_perf.csv --normalize per_wave
tr -s ' \n' ' ' <out >flat
has flat 'Requests 7.5 0 Req per wave'
run 0 tacho eval --panels panels --values pmc_perf.csv --constant units=20 --json
has out '"schema": "tacho.panels/1"'
has out '{"column": "Avg", "value": 82.5}'
has out '{"column": "Avg", "value": null, "note": "the values lack NONE_SUCH"}'
run 0 tacho eval --panels panels --values pmc_perf.csv --csv
has out '101,"Cache","Hit Rate","Avg",82.5,'
has out ',,"the values lack NONE_SUCH"'

# Formulas of the command line, and what is wrong in them.
run 0 tacho eval --notation panel -e '7 if 2 > 1 else 0' -e 'ROUND(2.5, 0)' -e 'MOD(0-7, 4)'
tr -s ' \n' ' ' <out >flat
has flat '7 if 2 > 1 else 0 7 ROUND(2.5, 0) 2 MOD(0-7, 4) 1'
deep=$(printf '(%.0s' $(seq 5000))
run 3 tacho eval --notation panel -e '1 +' -e '1/0' -e 'F(1)' -e "$deep" -e '1 if 2' -e '$x' --csv
has out 'does not parse in the notation of panels: column 4: expected a number, a name'
has out 'divided by zero'
has out 'there is no function F of 1 values'
has out 'nested too deep'
has out 'expected ""else""'
has out 'nothing says $x'

# Without the option: what only panels have shows which notation it is. 40/4, 100/20, 10 and none.
run 0 tacho eval --values pmc_perf.csv -e 'AVG((HIT + MISS) / $denom if SQ_WAVES != 0 else None)' \
	--normalize per_wave
has out '7.5'
run 0 tacho eval --values pmc_perf.csv -e '(HIT+MISS)/SQ_WAVES if SQ_WAVES != 0 else None' -e 'MAX(HIT)'
tr -s ' \n' ' ' <out >flat
has flat 'expression kernel launch value'
has flat 'else None a 0 10 '
has flat 'else None b 1 5 '
has flat 'else None c 2 - '
has flat 'MAX(HIT) 90'
has flat 'this launch has no value'
run 0 tacho eval --values pmc_perf.csv -e 'ROUND(MIN(HIT),0)+TO_INT(2.5)' --json
has out '"value": 2'
run 0 tacho eval --values pmc_perf.csv -e 'MISS' --csv
has out '0,a,10'
run 1 tacho eval --values pmc_perf.csv --notation infix -e 'MAX(HIT)'
has err '"MAX" is no function'
run 2 tacho eval --values pmc_perf.csv -e 'MAX(HIT)' -e 'reduce(HIT,sum)'
has err '"reduce(HIT,sum)" is in the infix notation'
has err '"MAX(HIT)" is in the notation of panels'
run 2 tacho eval --values pmc_perf.csv -e 'MAX(HIT)' -m HIT
has err 'is in the notation of panels'
run 1 tacho eval --panels nowhere --values pmc_perf.csv
run 1 tacho eval --panels sysinfo.csv --values pmc_perf.csv
printf 'Panel Config: [1]\n' >wrong.yaml
run 1 tacho eval --panels wrong.yaml --values pmc_perf.csv
has err 'is no panel file'
run 2 tacho eval --panels panels --values pmc_perf.csv -m HIT
run 2 tacho eval --panels panels --values pmc_perf.csv --normalize per_year

# No launch is no number, and JSON of that is one document; the second file names the same run.
mkdir none
for file in 1 2; do
	cat >none/$file.yaml <<'END'
Panel Config:
  title: Own panel
  data source:
  - metric_table:
      header: {metric: Metric, value: Avg}
      metric:
        Hits: {value: AVG(HIT)}
        Waves: {value: AVG(WAVES), coll_level: waves}
END
done
printf 'Dispatch_ID,Kernel_Name,HIT\n' >none/values.csv
printf 'Dispatch_ID,Kernel_Name,WAVES\n' >none/waves.csv
run 3 tacho eval --panels none --values none/values.csv --json
[ "$(grep -o 'no launch has a value' out | wc -l)" = 4 ] || fail "a value of no launch"
has_not out '"error"'
printf 'Dispatch_ID,Kernel_Name,WAVES\n0,k,7\n' >none/waves.csv
run 0 tacho eval --panels none --values none/values.csv --csv
[ "$(grep -c ',7,' out)" = 2 ] || fail "another run, of the second file"

# A line for each counter, of launches that ran three times: 10, 30 and 16 ns, and once: 7 ns. A
# level that was added up stands beside the other counters. (48 + 30) / 2 / 2.
mkdir long
cat >long/1.yaml <<'END'
Panel Config:
  title: Own panel
  data source:
  - metric_table:
      header: {metric: Metric, value: Avg}
      metric:
        Time: {value: AVG(End_Timestamp - Start_Timestamp)}
        Registers: {value: MAX(SGPR)}
        Latency: {value: AVG(SQ_ACCUM_PREV_HIRES) / 2, coll_level: LEVEL}
END
cat >long/values.csv <<'END'
Dispatch_ID,SGPR,Kernel_Name,Start_Timestamp,End_Timestamp,Counter_Name,Counter_Value
1,16,k,13386742234691895,13386742234691905,HIT,30
1,16,k,13386742234791895,13386742234791925,MISS,10
1,16,k,13386742234891895,13386742234891911,LEVEL_ACCUM,48
2,24,k,13386742234991894,13386742234991901,HIT,90
2,24,k,13386742234991894,13386742234991901,LEVEL_ACCUM,30
END
run 0 tacho eval --panels long --values long/values.csv
tr -s ' \n' ' ' <out >flat
has flat 'Time 11.5'
has flat 'Registers 24'
has flat 'Latency 19.5'

# Panels say themselves what is worked out; and when nothing can be, why.
run 2 tacho eval -m Time --panels long --values long/values.csv
has err '-m was given with panels'
printf 'id,name,nothing\n0,k,1\n' >empty.csv
run 3 tacho eval --panels long --values empty.csv
has err 'no value can be worked out from empty.csv'
has err 'measure the counters that the panels need'

# A short file cannot ask for more than there is room for.
mkdir large
cat >large/1.yaml <<'FILE'
Panel Config:
  title: Large
  data source:
FILE
for table in 1 2 3 4 5 6 7 8; do
	{
		echo '  - metric_table:'
		echo '      header: {metric: Channel, a: A, b: B, c: C}'
		echo '      metric:'
		for row in $(seq 100); do
			echo "        \"::_1 $row\": {a: \"1\", b: \"2\", c: \"3\"}"
		done
		echo '        placeholder_range: {"::_1": 4096}'
	} >>large/1.yaml
done
run 1 tacho eval --panels large --values pmc_perf.csv
has err 'cells were asked for by now'
