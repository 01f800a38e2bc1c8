/* SPDX-License-Identifier: MIT */
/* A program with oneTBB: an algorithm, tasks, and a graph in which 3 values go through 2 nodes. */
#include <tbb/flow_graph.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

int main()
{
	tbb::flow::graph graph;
	tbb::flow::function_node<int, int> add(graph, 1, [](int value) { return value + 1; });
	tbb::flow::function_node<int, int> twice(graph, 1, [](int value) { return value * 2; });
	tbb::task_group tasks;

	tbb::flow::make_edge(add, twice);
	for (int i = 0; i < 3; i++)
		add.try_put(i);
	graph.wait_for_all();
	tasks.run([] {});
	tasks.wait();
	tbb::parallel_for(0, 100, [](int) {});
}
