#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counters of lines in a report as JSON: a line KERNEL NAME COUNT MEASURED TOTAL MIN MAX each.

    vulkan_counters.py REPORT.json

The kernel is "draw" or "dispatch"; of other lines than those by kernel it is their name, with "_" for
spaces. What is missing is "-".
"""
import json
import sys


def text(value):
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    for line in sorted(report["lines"], key=lambda line: line["name"]):
        kernel = "draw" if "(graphics" in line["name"] else "dispatch"
        if report["by"] != "kernel":
            kernel = line["name"].replace(" ", "_")
        for value in line["values"]:
            print(kernel, value["name"].replace("VK_QUERY_PIPELINE_STATISTIC_", ""),
                  value["count"], value["measured"],
                  *(text(value[key]) for key in ("total", "min", "max")))


main()
