/* SPDX-License-Identifier: MIT */
/* Values in files: JSON and CSV read and written, and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/csv.h"
#include "model/result.h"
#include "tacho/error.h"
#include "tacho/sys/values.h"

static struct tacho_result *parse(const char *text)
{
	struct tacho_result *result = NULL;
	int rc = tacho_values_parse("test", text, strlen(text), &result);

	if (rc)
		fail_msg("%s: %s", tacho_error_last()->message, tacho_error_last()->cause);
	return result;
}

/* The text must be refused with a message that has both parts in message and cause. */
static void refuse(const char *text, const char *message, const char *cause)
{
	struct tacho_result *result = (void *)text;
	int rc = tacho_values_parse("test", text, strlen(text), &result);

	if (rc != TACHO_E_PARSE)
		fail_msg("%d for: %s", rc, text);
	assert_ptr_equal(result, text); /* untouched */
	if (!strstr(tacho_error_last()->message, message) ||
	    !strstr(tacho_error_last()->cause, cause))
		fail_msg("\"%s\" (%s) for: %s", tacho_error_last()->message,
			 tacho_error_last()->cause, text);
}

static char *write_with(const struct tacho_result *result,
			void (*write)(const struct tacho_result *, FILE *))
{
	size_t size;
	char *text = NULL;
	FILE *stream = open_memstream(&text, &size);

	write(result, stream);
	fclose(stream);
	return text;
}

static void write_csv(const struct tacho_result *result, FILE *stream)
{
	assert_int_equal(tacho_result_write_csv(result, TACHO_CSV_WHOLE, stream), 0);
}

static double value_of(const struct tacho_result *result, const char *name, size_t row, size_t at)
{
	const struct tacho_column *column = tacho_result_find_column(result, name);

	if (!column)
		fail_msg("there is no column %s", name);
	assert_true(at < column->instance_count);
	return tacho_column_get_value(column, row, at);
}

static uint8_t state_of(const struct tacho_result *result, const char *name, size_t row, size_t at)
{
	const struct tacho_column *column = tacho_result_find_column(result, name);

	assert_non_null(column);
	return tacho_column_get_state(column, row, at);
}

static void test_json(void **state)
{
	struct tacho_result *result = parse(
		"{\"id\":\"x\",\"counters\":{"
		"\"A\":{\"dims\":[[\"DIMENSION_XCC\",2],[\"DIMENSION_INSTANCE\",2]],\"block\":\"\","
		"\"values\":[1,2,18446744073709551615,4]},"
		"\"B\":{\"dims\":[],\"values\":2.5,\"event\":3},"
		"\"C\":{\"values\":[7]},"
		"\"D\":{\"dims\":[[\"DIMENSION_INSTANCE\",3]],\"values\":[1,null,3],"
		"\"states\":[\"lost\",\"ok default\",\"scaled div0 default\"]},"
		"\"K\":{\"dims\":[],\"values\":[64],\"constant\":true}},"
		"\"constants\":{\"CU_NUM\":104},\"derived\":{\"M\":\"A+B\","
		"\"N\":{\"expression\":\"B\"}}}");
	const struct tacho_column *a = tacho_result_find_column(result, "A");

	assert_int_equal(tacho_result_get_row(result, 0)->kind, TACHO_ROW_MEASUREMENT);
	assert_int_equal(tacho_result_get_row_count(result), 1);
	assert_int_equal(a->type, TACHO_TYPE_U64);
	assert_int_equal(a->dimension_count, 2);
	assert_string_equal(a->dimensions[0].name, "DIMENSION_XCC");
	assert_true(a->data.u64[2] == UINT64_MAX); /* not rounded to 2^64 */
	assert_int_equal(tacho_result_find_column(result, "B")->type, TACHO_TYPE_F64);
	assert_true(value_of(result, "B", 0, 0) == 2.5);
	assert_int_equal(tacho_result_find_column(result, "B")->dimension_count, 0);
	assert_true(value_of(result, "C", 0, 0) == 7);
	assert_int_equal(state_of(result, "D", 0, 0), TACHO_STATE_LOST);
	assert_int_equal(state_of(result, "D", 0, 1), TACHO_STATE_ABSENT | TACHO_MARK_DEFAULT);
	assert_int_equal(state_of(result, "D", 0, 2),
			 TACHO_STATE_SCALED | TACHO_MARK_DIV0 | TACHO_MARK_DEFAULT);
	assert_null(tacho_result_find_column(result, "K"));
	assert_int_equal(result->constant_count, 2);
	assert_true(result->constants[0].value == 64 && result->constants[1].value == 104);
	assert_int_equal(result->expression_count, 2);
	assert_string_equal(result->expressions[1].expression, "B");
	assert_int_equal(tacho_values_set_constant(result, "CU_NUM", 110), 0);
	assert_true(result->constants[1].value == 110);
	tacho_result_destroy(result);
}

static void test_json_refused(void **state)
{
	refuse("", "no values", "empty");
	refuse(" \n", "no values", "empty");
	refuse("{}", "no values", "none of");
	refuse("[1]", "no values", "none of");
	refuse("{\"counters\": 3}", "cannot read test", "no object");
	refuse("{\"counters\":{\n\"A\":{\"values\":[NaN]}}}", "line 2, column 16", "");
	refuse("{\"counters\":{\"A\":{\"values\":[1e999]}}}", "\"A\"", "finite");
	refuse("{\"counters\":{\"A\":{\"values\":[\"x\"]}}}", "\"A\"", "finite");
	refuse("{\"counters\":{\"A\":{\"dims\":[]}}}", "\"A\"", "no \"values\"");
	refuse("{\"counters\":{\"A\":{\"values\":[]}}}", "\"A\"", "no \"values\"");
	refuse("{\"counters\":{\"A\":7}}", "\"A\"", "no \"values\"");
	refuse("{\"counters\":{\"A\":{\"dims\":[[\"D\",3]],\"values\":[1,2]}}}", "\"A\"",
	       "2 values, and its dimensions have room for 3");
	refuse("{\"counters\":{\"A\":{\"dims\":[[\"D\",0]],\"values\":[]}}}", "\"A\"", "");
	refuse("{\"counters\":{\"A\":{\"dims\":[[\"D\",0]],\"values\":[1]}}}", "\"A\"",
	       "extent of D");
	refuse("{\"counters\":{\"A\":{\"dims\":[[\"D\",1.5]],\"values\":[1]}}}", "\"A\"",
	       "extent of D");
	refuse("{\"counters\":{\"A\":{\"dims\":[[4,1]],\"values\":[1]}}}", "\"A\"", "no text");
	refuse("{\"counters\":{\"A\":{\"dims\":[\"D\"],\"values\":[1]}}}", "\"A\"", "no pair");
	refuse("{\"counters\":{\"A\":{\"dims\":[[\"D\",1],[\"D\",1]],\"values\":[1]}}}", "\"A\"",
	       "twice");
	refuse("{\"counters\":{\"A\":{\"dims\":[[\"D\",2000000000],[\"E\",2000000000]],"
	       "\"values\":[1]}}}",
	       "\"A\"", "2^31");
	refuse("{\"counters\":{\"A\":{\"values\":[1],\"states\":[\"fine\"]}}}", "\"A\"", "state");
	refuse("{\"counters\":{\"A\":{\"values\":[1],\"states\":[]}}}", "\"A\"", "states");
	refuse("{\"counters\":{\"A\":{\"values\":1},\"A\":{\"values\":1}}}", "\"A\"", "two");
	refuse("{\"counters\":{\"K\":{\"values\":[null],\"constant\":true}}}", "\"K\"",
	       "one number");
	refuse("{\"constants\":{\"K\":\"x\"}}", "\"K\"", "finite");
	refuse("{\"derived\":{\"M\":5}}", "\"M\"", "neither");
	refuse("{\"derived\":{\"M\":\"1\",\"M\":\"2\"}}", "\"M\"", "two");
}

static void test_json_written(void **state)
{
	struct tacho_result *result =
		parse("{\"counters\":{"
		      "\"A\":{\"dims\":[[\"DIMENSION_XCC\",2],[\"DIMENSION_INSTANCE\",2]],"
		      "\"values\":[0.1,2,null,4],\"states\":[\"ok\",\"lost default\",\"ok\",\"ok "
		      "div0\"]},"
		      "\"B\":{\"values\":[101],\"unit\":\"percent\"}}}");
	char *text = write_with(result, tacho_result_write_json);

	assert_non_null(strstr(text, "{\"schema\": \"tacho.values/1\", \"generator\": \"tacho "));
	assert_string_equal(
		strstr(text, "\"columns\""),
		"\"columns\": [{\"name\": \"A\", \"unit\": null, \"type\": \"f64\", "
		"\"dims\": [[\"DIMENSION_XCC\", 2], [\"DIMENSION_INSTANCE\", 2]]}, "
		"{\"name\": \"B\", \"unit\": \"percent\", \"type\": \"u64\"}], "
		"\"rows\": [{\"of\": \"measurement\", \"id\": 0, \"name\": \"\", \"values\": ["
		"{\"name\": \"A\", \"pos\": {\"DIMENSION_XCC\": 0, \"DIMENSION_INSTANCE\": 0}, "
		"\"value\": 0.1, \"state\": \"ok\"}, "
		"{\"name\": \"A\", \"pos\": {\"DIMENSION_XCC\": 0, \"DIMENSION_INSTANCE\": 1}, "
		"\"value\": 2, \"state\": \"lost\", \"default\": true}, "
		"{\"name\": \"A\", \"pos\": {\"DIMENSION_XCC\": 1, \"DIMENSION_INSTANCE\": 0}, "
		"\"value\": null, \"state\": \"absent\"}, "
		"{\"name\": \"A\", \"pos\": {\"DIMENSION_XCC\": 1, \"DIMENSION_INSTANCE\": 1}, "
		"\"value\": 4, \"state\": \"ok\", \"div0\": true}, "
		"{\"name\": \"B\", \"value\": 101, \"state\": \"ok\", \"out_of_range\": "
		"true}]}]}\n");
	free(text);
	tacho_result_destroy(result);
}

static const char wide[] = "\xef\xbb\xbf"
			   "Dispatch_ID,Kernel_Name,obj,SQ_WAVES,TCC_HIT[0],TCC_HIT[2],Ratio\r\n"
			   "5,\"vec(\"\"a\"\", b)\",0x7f00,16384,1,3,0.5\r\n"
			   "\r\n"
			   "9,plain,0x7f08,,4,N/A,1e3\r\n";

static void test_csv_wide(void **state)
{
	struct tacho_result *result = parse(wide);
	const struct tacho_column *hit = tacho_result_find_column(result, "TCC_HIT");

	assert_int_equal(tacho_result_get_row(result, 0)->kind, TACHO_ROW_LAUNCH);
	assert_int_equal(tacho_result_get_row_count(result), 2);
	assert_int_equal(tacho_result_get_row(result, 0)->id, 5);
	assert_string_equal(tacho_result_get_row(result, 0)->name, "vec(\"a\", b)");
	assert_string_equal(tacho_result_get_row(result, 1)->name, "plain");
	assert_null(tacho_result_find_column(result, "Dispatch_ID"));
	assert_null(tacho_result_find_column(result, "obj"));
	assert_int_equal(tacho_result_find_column(result, "SQ_WAVES")->type, TACHO_TYPE_U64);
	assert_int_equal(tacho_result_find_column(result, "SQ_WAVES")->dimension_count, 0);
	assert_true(value_of(result, "SQ_WAVES", 0, 0) == 16384);
	assert_int_equal(state_of(result, "SQ_WAVES", 1, 0), TACHO_STATE_ABSENT);
	assert_int_equal(hit->dimension_count, 1);
	assert_string_equal(hit->dimensions[0].name, "DIMENSION_INSTANCE");
	assert_int_equal(hit->dimensions[0].extent, 3);
	assert_true(tacho_column_is_present(hit, 0) && tacho_column_is_present(hit, 2));
	assert_false(tacho_column_is_present(hit, 1));
	assert_true(value_of(result, "TCC_HIT", 0, 2) == 3);
	assert_true(value_of(result, "TCC_HIT", 1, 0) == 4);
	assert_int_equal(state_of(result, "TCC_HIT", 1, 2), TACHO_STATE_ABSENT);
	assert_int_equal(state_of(result, "TCC_HIT", 0, 2), TACHO_STATE_OK);
	assert_int_equal(tacho_result_find_column(result, "Ratio")->type, TACHO_TYPE_F64);
	assert_true(value_of(result, "Ratio", 1, 0) == 1000);
	tacho_result_destroy(result);
}

static void test_csv_written(void **state)
{
	static const char expected[] =
		"id,name,SQ_WAVES,SQ_WAVES:state,TCC_HIT[0],TCC_HIT[2],TCC_HIT[2]:state,Ratio\r\n"
		"5,\"vec(\"\"a\"\", b)\",16384,ok,1,3,ok,0.5\r\n"
		"9,plain,,absent,4,,absent,1000\r\n";
	struct tacho_result *result = parse(wide), *again;
	char *text = write_with(result, write_csv), *second;

	assert_string_equal(text, expected);
	again = parse(text); /* what is written is read back */
	second = write_with(again, write_csv);
	assert_string_equal(second, expected);
	free(second);
	free(text);
	tacho_result_destroy(again);
	tacho_result_destroy(result);
}

/* Coverages and devices are read back; a part of a table has all columns, needed or not. */
static void test_csv_coverage(void **state)
{
	static const char text[] = "id,name,device,A,A:state,A:coverage,B\r\n"
				   "0,k,gpu,8,scaled,0.25,1\r\n"
				   "1,k,\"gpu, 2\",9,ok,1,2\r\n";
	struct tacho_result *result = parse(text);
	char *again = write_with(result, write_csv), *part;
	size_t size;
	FILE *stream;

	assert_true(tacho_result_find_column(result, "A")->coverage[0] == 0.25);
	assert_null(tacho_result_find_column(result, "B")->coverage);
	assert_null(tacho_result_find_column(result, "device"));
	assert_string_equal(tacho_result_get_row(result, 1)->device, "gpu, 2");
	assert_string_equal(again, text);
	stream = open_memstream(&part, &size);
	assert_int_equal(tacho_result_write_csv(result, TACHO_CSV_FIRST, stream), 0);
	assert_int_equal(tacho_result_write_csv(result, TACHO_CSV_NEXT, stream), 0);
	fclose(stream);
	assert_string_equal(part, "id,name,A,A:state,A:coverage,B,B:state,B:coverage\r\n"
				  "0,k,8,scaled,0.25,1,ok,1\r\n1,k,9,ok,1,2,ok,1\r\n"
				  "0,k,8,scaled,0.25,1,ok,1\r\n1,k,9,ok,1,2,ok,1\r\n");
	free(part);
	free(again);
	tacho_result_destroy(result);
}

static void test_csv_positions(void **state)
{
	static const char text[] =
		"id,name,A[DIMENSION_XCC=0;DIMENSION_WGP=1],A[DIMENSION_XCC=1;DIMENSION_WGP=0],"
		"B,B:state,C,C:state\r\n3,k,10,20,0,ok div0,5,ok default\r\n";
	struct tacho_result *result = parse(text);
	const struct tacho_column *a = tacho_result_find_column(result, "A");
	char *again = write_with(result, write_csv);

	assert_int_equal(a->dimension_count, 2);
	assert_int_equal(a->instance_count, 4);
	assert_false(tacho_column_is_present(a, 0));
	assert_true(value_of(result, "A", 0, 1) == 10 && value_of(result, "A", 0, 2) == 20);
	assert_int_equal(state_of(result, "B", 0, 0), TACHO_STATE_OK | TACHO_MARK_DIV0);
	assert_int_equal(state_of(result, "C", 0, 0), TACHO_STATE_OK | TACHO_MARK_DEFAULT);
	assert_string_equal(again, text);
	free(again);
	tacho_result_destroy(result);
}

/* Counters of Linux have commas in their names. Ends of lines are kept, what is not seen is
 * spelled. */
static void test_csv_cells(void **state)
{
	static const char expected[] =
		"plain,\"cpu/event=1,umask=2/:state\",\"a\"\"b\",\\xff\\u202e\\r,\"\t\n\"";
	struct tacho_result *result;
	size_t size;
	char *text;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	tacho_csv_write_text(stream, "plain");
	putc(',', stream);
	tacho_csv_write_text(stream, "cpu/event=1,umask=2/:state");
	putc(',', stream);
	tacho_csv_write_text(stream, "a\"b");
	putc(',', stream);
	tacho_csv_write_text(stream, "\xff\xe2\x80\xae\r");
	putc(',', stream);
	tacho_csv_write_text(stream, "\t\n");
	fclose(stream);
	assert_string_equal(text, expected);
	free(text);
	result = parse("\"cpu/event=1,umask=2/\",\"cpu/event=1,umask=2/:state\"\n7,lost\n");
	assert_true(value_of(result, "cpu/event=1,umask=2/", 0, 0) == 7);
	assert_int_equal(state_of(result, "cpu/event=1,umask=2/", 0, 0), TACHO_STATE_LOST);
	tacho_result_destroy(result);
}

static void test_csv_long(void **state)
{
	/* names whose quotes are not escaped, one with a comma between quotes, one ending in one */
	struct tacho_result *result =
		parse("\"Correlation_Id\",\"Dispatch_Id\",\"Process_Id\",\"Kernel_Name\","
		      "\"Counter_Name\",\"Counter_Value\"\n"
		      "1,1,70,\"f<\"x\">(int)\",\"SQ_WAVES\",16384.000000\n"
		      "1,1,70,\"f<\"x\">(int)\",\"GRBM_COUNT\",2.50000000e-01\n"
		      "2,2,70,\"g(\"a\",\"b\")\",\"SQ_WAVES\",32.000000\n"
		      "3,1,71,\"h\"\",\"SQ_WAVES\",8.000000\n"
		      "4,4,71,\"\",\"GRBM_COUNT\",1.000000\n");

	assert_int_equal(tacho_result_get_row_count(result), 4);
	assert_string_equal(tacho_result_get_row(result, 0)->name, "f<\"x\">(int)");
	assert_string_equal(tacho_result_get_row(result, 1)->name, "g(\"a\",\"b\")");
	assert_string_equal(tacho_result_get_row(result, 2)->name, "h\"");
	assert_int_equal(tacho_result_get_row(result, 2)->id, 1);
	assert_string_equal(tacho_result_get_row(result, 3)->name, "");
	assert_true(value_of(result, "SQ_WAVES", 0, 0) == 16384);
	assert_true(value_of(result, "SQ_WAVES", 2, 0) == 8);
	assert_true(value_of(result, "GRBM_COUNT", 0, 0) == 0.25);
	assert_int_equal(state_of(result, "GRBM_COUNT", 1, 0), TACHO_STATE_ABSENT);
	assert_int_equal(state_of(result, "SQ_WAVES", 3, 0), TACHO_STATE_ABSENT);
	tacho_result_destroy(result);
}

static void test_csv_refused(void **state)
{
	refuse("A,B\n1\n", "line 2 of test", "1 cells, and the first line has 2");
	refuse("A,B\n1,2\n\n1,2,3\n", "line 4 of test", "3 cells");
	refuse("A,B\n1,2\nx,3\n", "column \"A\"", "line 3");
	refuse("A,A\n1,2\n", "column \"A\"", "two");
	refuse("A[0],A[00]\n1,2\n", "column", "position");
	refuse("A,A[0]\n1,2\n", "column", "other dimensions");
	refuse("A[99999]\n1\n", "column \"A\"", "span");
	refuse("A,A:state\n1,bad\n", "A:state", "no state");
	refuse("A,A:state\n1,ok div0 div0\n", "A:state", "no state");
	refuse("A,A:state\n1,ok default best\n", "A:state", "no state");
	refuse("A,A:state\n1,ok \n", "A:state", "no state");
	refuse("A,A:coverage\n1,1.5\n", "A:coverage", "no part");
	refuse("A,A:coverage\n1,x\n", "A:coverage", "no part");
	refuse("A:coverage\n1\n", "A:coverage", "without values");
	refuse("A:state\nok\n", "A:state", "without values");
	refuse("Counter_Name,Counter_Value\nA,1\n", "dispatches", "no Dispatch_Id");
	refuse("Dispatch_Id,Counter_Name,Counter_Value\n1,A,1\n1,A,2\n", "line 3", "earlier line");
}

static void test_csv_odd_texts(void **state)
{
	/* no row, quotes that nothing closes, brackets that are no positions, a lone header */
	struct tacho_result *result = parse("A,B[x],C[1;1],D[]\n1,2,3,\"4\"\n");

	assert_true(value_of(result, "B[x]", 0, 0) == 2);
	assert_true(value_of(result, "C[1;1]", 0, 0) == 3);
	assert_true(value_of(result, "D[]", 0, 0) == 4);
	tacho_result_destroy(result);
	result = parse("A,B");
	assert_int_equal(tacho_result_get_row_count(result), 0);
	tacho_result_destroy(result);
	result = parse("Kernel_Name,A\n\"open,1\nplain,2\n");
	assert_int_equal(tacho_result_get_row_count(result), 2);
	assert_string_equal(tacho_result_get_row(result, 0)->name, "\"open");
	tacho_result_destroy(result);
	result = parse("A,B\n0x10,inf\n0x20,1e999\n"); /* no numbers at all: no counters */
	assert_int_equal(result->column_count, 0);
	tacho_result_destroy(result);
	result = parse("A\n18446744073709551615\n");
	assert_true(tacho_result_find_column(result, "A")->data.u64[0] == UINT64_MAX);
	tacho_result_destroy(result);
}

/* Files as programs of AMD wrote them; numbers read off the files. */
static void test_samples(void **state)
{
	const char *root = getenv("TACHO_SOURCE_ROOT");
	static const struct {
		const char *file, *name;
		size_t rows, instances;
		double first;
	} samples[] = {
		{"sample_rocprof-compute_MI100_dispatch_0_pmc_perf.csv", "TCC_RW_REQ", 1, 32, 8192},
		{"sample_rocprof-compute_MI200_dispatch_0_pmc_perf.csv", "TCC_CYCLE", 1, 32, 27668},
		{"sample_rocprof-compute_MI300X_dispatch_0_pmc_perf.csv", "TCC_BUBBLE", 3, 128,
		 512},
		{"sample_rocprof-compute_MI300X_vcopy_rocpd_pmc_perf.csv", "TCC_ATOMIC", 3, 128, 0},
		{"doc-counter_collection.csv", "SQ_WAVES", 4, 1, 16384},
	};
	char path[1024];

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct tacho_result *result;
		const struct tacho_column *column;
		int rc;

		snprintf(path, sizeof(path), "%s/../shared/data/rocm/%s", root ? root : ".",
			 samples[i].file);
		rc = tacho_values_read(path, &result);
		if (rc == TACHO_E_NOTFOUND) {
			printf("../shared/data/rocm is absent: the samples were not read\n");
			skip();
		}
		assert_int_equal(rc, 0);
		assert_int_equal(tacho_result_get_row_count(result), samples[i].rows);
		column = tacho_result_find_column(result, samples[i].name);
		assert_non_null(column);
		assert_int_equal(column->instance_count, samples[i].instances);
		assert_null(column->present);
		assert_true(tacho_column_get_value(column, 0, 0) == samples[i].first);
		tacho_result_destroy(result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),	      cmocka_unit_test(test_json_refused),
		cmocka_unit_test(test_json_written),  cmocka_unit_test(test_csv_wide),
		cmocka_unit_test(test_csv_written),   cmocka_unit_test(test_csv_positions),
		cmocka_unit_test(test_csv_coverage),  cmocka_unit_test(test_csv_cells),
		cmocka_unit_test(test_csv_long),      cmocka_unit_test(test_csv_refused),
		cmocka_unit_test(test_csv_odd_texts), cmocka_unit_test(test_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
