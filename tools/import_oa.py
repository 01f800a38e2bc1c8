#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes data/intel/ARCH.yaml from Mesa's XML of Intel's OA metric sets.

    tools/import_oa.py [../shared/data/intel] [chv bdw ...]

Names, numbers, equations and registers are the XML's. Descriptions are not: they come from
oa_descriptions.yaml beside this file, and a metric without one, or with six words in a row that the
XML has too, stops the program. docs/intel-oa.md explains the schema and the rule for names; the
reader of XML (src/catalog/read_oa_sets.c) follows the same rule. Needs PyYAML.
"""
import os
import re
import sys
import xml.etree.ElementTree

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, '..', 'data', 'intel')
SOURCE = 'Intel OA metric sets as in Mesa 25.0.7 (oa-%s.xml, version %s)'
TYPES = {'uint64': 'u64', 'float': 'f64'}
PREFACE = """\
# SPDX-License-Identifier: MIT
# api: oa
# arch: %s
#
# Metrics and sets of Intel's OA unit. tools/import_oa.py made this from Mesa's XML and
# tools/oa_descriptions.yaml; it is source now: reviewed, and changed by running the tool again.
# docs/intel-oa.md explains the schema. Raw counters, blocks and models are in gen8.yaml.
"""


def blanks(text):
    return ' '.join((text or '').split())


class Counter:
    """One counter of one set of the XML."""

    def __init__(self, in_set, element):
        get = element.get
        self.set = in_set
        self.symbol = get('symbol_name')
        self.type = TYPES[get('data_type')]
        self.unit = get('units')
        self.equation = blanks(get('equation'))
        self.maximum = blanks(get('max_equation'))
        self.availability = blanks(get('availability'))
        self.title = blanks(get('name'))
        self.semantic = get('semantic_type')
        self.group = get('mdapi_group')
        self.watermarks = [int(get(w)) for w in ('low_watermark', 'high_watermark') if get(w)]
        self.text = blanks(get('description'))
        self.identity = None
        self.name = None

    def references(self):
        words = (self.equation + ' ' + self.maximum).split()
        return [word[1:] for word in words if word.startswith('$')]


def identify(sets):
    """What a counter means: its own definition with those that it refers to in its set."""
    def visit(counters, counter, seen):
        if counter.identity is None:
            if counter.symbol in seen:
                sys.exit('%s: its equation goes in a circle' % counter.symbol)
            parts = [visit(counters, counters[name], seen + [counter.symbol])
                     for name in counter.references() if name in counters]
            counter.identity = (counter.type, counter.unit, counter.equation, counter.maximum,
                                counter.availability, tuple(parts))
        return counter.identity
    for counters in sets.values():
        for counter in counters.values():
            visit(counters, counter, [])


def name_counters(sets):
    """SYMBOL where it means one thing, else SET.SYMBOL with SYMBOL as alias of the first."""
    entries, by_symbol = [], {}
    for counters in sets.values():
        for counter in counters.values():
            by_symbol.setdefault(counter.symbol, []).append(counter)
    for symbol, counters in by_symbol.items():
        variants = {}
        for counter in counters:
            variants.setdefault(counter.identity, []).append(counter)
        for index, same in enumerate(variants.values()):
            entries.append((same[0], same, len(variants), not index))
            for counter in same:
                counter.is_main = not index
    for first, same, variant_count, is_main in entries:
        first.aliases = []
        name = first.symbol
        if variant_count > 1:
            name = first.set + '.' + first.symbol
            first.aliases = [first.symbol] if is_main else []
            first.aliases += [other.set + '.' + first.symbol for other in same[1:]]
        for counter in same:
            counter.name = name
    for first, _, _, _ in entries:
        def qualified(match, counters=sets[first.set]):
            other = counters.get(match.group(1))
            return '$' + (match.group(1) if not other or other.is_main else other.name)
        first.equation = re.sub(r'\$(\S+)', qualified, first.equation)
        first.maximum = re.sub(r'\$(\S+)', qualified, first.maximum)
    return [entry[0] for entry in entries]


class Descriptions:
    def __init__(self):
        with open(os.path.join(HERE, 'oa_descriptions.yaml')) as file:
            data = yaml.safe_load(file)
        self.metrics = data['metrics']
        self.patterns = [(re.compile(key), value) for key, value in data['patterns'].items()]

    def find(self, symbol):
        value, match = self.metrics.get(symbol), None
        for pattern, text in self.patterns if value is None else []:
            match = pattern.fullmatch(symbol)
            if match:
                value = text
                break
        if value is None:
            sys.exit('%s has no description: add one to oa_descriptions.yaml' % symbol)
        if isinstance(value, str):
            value = {'description': value}
        text = value['description']
        if match:
            text = re.sub(r'\\(\d)', lambda group: match.group(int(group.group(1))).lower(), text)
            text = text[0].upper() + text[1:]
        return dict(value, description=text)


def words(text):
    return re.findall(r'[a-z0-9]+', text.lower())


def check_wording(symbol, title, own, theirs):
    own, theirs = words(own), words(theirs)
    runs = {tuple(theirs[i:i + 6]) for i in range(len(theirs) - 5)}
    for i in range(len(own) - 5):
        if tuple(own[i:i + 6]) in runs and own != words(title):
            sys.exit('%s: "%s" is the wording of the XML' % (symbol, ' '.join(own[i:i + 6])))


def quoted(text):
    if isinstance(text, list):
        return '[%s]' % ', '.join(str(item) for item in text)
    plain = re.fullmatch(r'[A-Za-z$][A-Za-z0-9_$./<> -]*', text) and \
        text.lower() not in ('true', 'false', 'yes', 'no', 'on', 'off', 'null', 'y', 'n')
    return text if plain and not text.endswith(' ') else '"%s"' % text.replace('"', '\\"')


def write_metric(out, counter, descriptions):
    about = descriptions.find(counter.symbol)
    check_wording(counter.symbol, counter.title, about['description'] + ' ' +
                  about.get('caveat', ''), counter.text)
    fields = [('title', counter.title), ('type', counter.type), ('unit', counter.unit),
              ('semantic', counter.semantic), ('group', counter.group),
              ('equation', counter.equation), ('maximum', counter.maximum),
              ('availability', counter.availability)]
    fields += [('watermarks', counter.watermarks), ('aliases', counter.aliases)]
    fields += [(key, about.get(key)) for key in ('description', 'caveat', 'better', 'advice')]
    pieces = ['%s: %s' % (key, quoted(value)) for key, value in fields if value]
    out.append('  %s:' % counter.name)
    line = '    {'
    for i, piece in enumerate(pieces):
        piece += '}' if i + 1 == len(pieces) else ','
        if len(line) + len(piece) > 98 and line.strip() != '{':
            out.append(line.rstrip())
            line = '    '
        line += piece + ' '
    out.append(line.rstrip())


def wrapped(names, indent, width=98):
    lines, line = [], ' ' * indent
    for i, name in enumerate(names):
        piece = name + (',' if i + 1 < len(names) else '')
        if len(line) + len(piece) > width:
            lines.append(line.rstrip())
            line = ' ' * indent
        line += piece + ' '
    return lines + [line.rstrip()]


def write_registers(out, configs):
    """Runs of values that go to one address, in the order of writing."""
    for kind, availability, registers in configs:
        out.append('      - kind: %s' % kind)
        if availability:
            out.append('        availability: %s' % quoted(availability))
        out.append('        writes: |')
        line, last = '', None
        for address, value in registers:
            piece = '%x' % value
            if address != last or len(line) + len(piece) + 11 > 98:
                if line:
                    out.append(' ' * 10 + line)
                line, last = '%x:' % address, address
            line += ' ' + piece
        out.append(' ' * 10 + line)


def registers_of(element):
    """In the order of programming: configurations with a priority are sorted by it."""
    configs = []
    for config in element.findall('register_config'):
        registers = [(int(r.get('address'), 0), int(r.get('value'), 0)) for r in config]
        if any(r.get('type') != config.get('type') for r in config):
            sys.exit('a register has another type than its configuration')
        configs.append((int(config.get('priority', 0)),
                        (config.get('type'), blanks(config.get('availability')), registers)))
    kinds = [config[1][0] for config in configs]
    configs.sort(key=lambda config: (kinds.index(config[1][0]), config[0]))
    return [config[1] for config in configs]


def convert(path, arch, descriptions):
    root = xml.etree.ElementTree.parse(path).getroot()
    elements = {e.get('symbol_name'): e for e in root.findall('set')}
    sets = {}
    for name, element in elements.items():
        counters = [Counter(name, e) for e in element.findall('counter')]
        sets[name] = {counter.symbol: counter for counter in counters}
    identify(sets)
    out = [PREFACE.rstrip() % arch, 'oa-definitions: 1', 'architecture: ' + arch,
           'source: "%s"' % (SOURCE % (arch, root.get('version'))), '', 'metrics:']
    for counter in name_counters(sets):
        write_metric(out, counter, descriptions)
    out += ['', '# registers: "ADDRESS: VALUE VALUE ..." in the order of writing, hexadecimal.',
            'sets:']
    for name, element in elements.items():
        out += ['  %s:' % name, '    title: ' + quoted(blanks(element.get('name'))),
                '    guid: ' + element.get('hw_config_guid'), '    metrics: [']
        out += wrapped([counter.name for counter in sets[name].values()], 6)
        out[-1] += ']'
        out.append('    registers:')
        write_registers(out, registers_of(element))
    with open(os.path.join(OUT, arch + '.yaml'), 'w') as file:
        file.write('\n'.join(out) + '\n')


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, '../../shared/data/intel')
    descriptions = Descriptions()
    for arch in sys.argv[2:] or ['chv', 'bdw']:
        convert(os.path.join(folder, 'oa-%s.xml' % arch), arch, descriptions)


if __name__ == '__main__':
    main()
