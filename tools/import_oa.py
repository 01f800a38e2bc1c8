#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes data/intel/oa/: a file for each platform of Intel's OA unit, and the texts that they share.

    tools/import_oa.py [../shared/data/intel]

The folder has metric sets in MDAPI's XML, as Mesa and IGT ship them. Names, numbers, equations and
registers are the XML's. Descriptions are not: they come from oa_descriptions.yaml beside this file,
and a metric without one, or with six words in a row that the XML has too, stops the program.
docs/intel-oa.md explains the form of the files and the rule for names; the reader of XML
(src/catalog/read_oa_sets.c) follows the same rule. Needs PyYAML.
"""
import os
import re
import sys
import xml.etree.ElementTree

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, '..', 'data', 'intel', 'oa')
WIDTH = 98
MESA = 'Mesa 25.0.7'
IGT = 'IGT b3d809d53'
# Where sets come from, the first source of a GUID winning.
SOURCES = [('igt-i915', IGT + ' (i915)'), ('.', MESA), ('igt-xe', IGT + ' (xe)')]
# Of Lunar Lake Mesa has an earlier state, with fewer counters, of what IGT has.
SUPERSEDED = {('.', 'lnl')}
TYPES = {'uint64': 'u64', 'float': 'f64'}
GENERATIONS = {'hsw': 'gen7.5', 'acm': 'gen12.5', 'mtl': 'gen12.5', 'pvc': 'gen12.5', 'lnl': 'xe2',
               'bmg': 'xe2', 'ptl': 'xe2'}
PLATFORMS = ['hsw', 'bdw', 'chv', 'sklgt2', 'sklgt3', 'sklgt4', 'bxt', 'kblgt2', 'kblgt3', 'glk',
             'cflgt2', 'cflgt3', 'cnl', 'icl', 'ehl', 'tglgt1', 'tglgt2', 'rkl', 'dg1', 'adl',
             'acmgt1', 'acmgt2', 'acmgt3', 'mtlgt2', 'mtlgt3', 'pvc', 'lnl', 'bmg', 'ptl']
GEN8 = ('chv', 'bdw')
PREFACE = """\
# SPDX-License-Identifier: MIT
# Sets of Intel's OA unit on %s, version %s, made by tools/import_oa.py; docs/intel-oa.md has the
# form.
platform 1 %s
source %s
"""
TEXTS_PREFACE = """\
# SPDX-License-Identifier: MIT
# What the metrics of Intel's OA sets mean: name, description, caveat, better, advice, with tabs
# between, in the order of the names. Made by tools/import_oa.py of tools/oa_descriptions.yaml.
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
        self.watermarks = [get(w) for w in ('low_watermark', 'high_watermark') if get(w)]
        self.text = blanks(get('description'))
        self.identity = None
        self.name = None

    def references(self):
        words = (self.equation + ' ' + self.maximum).split()
        return [word[1:] for word in words if word.startswith('$')]

    def expressions(self):
        return ' '.join((self.equation, self.maximum, self.availability))


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
    """Texts of metrics by symbol; the same text is written once, whoever has it."""

    def __init__(self):
        with open(os.path.join(HERE, 'oa_descriptions.yaml')) as file:
            data = yaml.safe_load(file)
        self.words = data['words']
        self.metrics = data['metrics']
        self.places = [(re.compile('(.*)(?:%s)' % key), text)
                       for key, text in data['places'].items()]
        self.patterns = [(re.compile(key), value) for key, value in data['patterns'].items()]
        self.rows = {}

    def fill(self, text, match, unit):
        share = 'Share of %sclocks on which' if unit == 'percent' else '%sclocks on which'
        for key, whose in (('{on}', ''), ('{eu}', 'EU ')):
            text = text.replace(key, share % whose)
        text = re.sub(r'<(\d)>', lambda m: self.words[match.group(int(m.group(1)))], text)
        text = re.sub(r'\\(\d)', lambda m: (match.group(int(m.group(1))) or '').lower(), text)
        return text[0].upper() + text[1:]

    def find(self, symbol):
        if symbol in self.metrics:
            return self.metrics[symbol], None
        for pattern, value in self.patterns:
            match = pattern.fullmatch(symbol)
            if match:
                return value, match
        return None, None

    def find_placed(self, symbol):
        value, match = self.find(symbol)
        if value is not None:
            return value, match, ''
        for pattern, text in self.places:
            place = pattern.fullmatch(symbol)
            value, match = self.find(place.group(1)) if place else (None, None)
            if value is not None:
                text = re.sub(r'\\(\d)', lambda m: place.group(int(m.group(1)) + 1), text)
                return value, match, text
        sys.exit('%s has no description: add one to oa_descriptions.yaml' % symbol)

    @staticmethod
    def caveat_of(value, counter):
        caveats = value.get('caveats', [value['caveat']] if 'caveat' in value else [])
        about = counter.title + ' | ' + counter.equation
        texts = [one if isinstance(one, str) else one['text'] for one in caveats
                 if isinstance(one, str) or re.search(one['if'], about)]
        return ' '.join(texts)

    def key_of(self, counter):
        """Puts the text of a counter into the table; returns the key there."""
        value, match, place = self.find_placed(counter.symbol)
        value = {'description': value} if isinstance(value, str) else value
        text = self.fill(value['description'], match, counter.unit)
        if place:
            text = text.rstrip('.') + place + '.'
        row = (text, self.caveat_of(value, counter), value.get('better', ''),
               value.get('advice', ''))
        check_wording(counter, ' '.join(row[:2]))
        rows = self.rows.setdefault(counter.symbol, [])
        if row not in rows:
            rows.append(row)
        index = rows.index(row)
        return counter.symbol + ('~%d' % (index + 1) if index else '')

    def write(self):
        lines = []
        for symbol, rows in self.rows.items():
            for index, row in enumerate(rows):
                key = symbol + ('~%d' % (index + 1) if index else '')
                lines.append('\t'.join((key,) + row).rstrip('\t'))
        lines.sort(key=lambda line: line.split('\t')[0].encode())
        with open(os.path.join(OUT, 'texts.txt'), 'w') as file:
            file.write(TEXTS_PREFACE + '\n'.join(lines) + '\n')
        return len(lines)


def words(text):
    return re.findall(r'[a-z0-9]+', text.lower())


def check_wording(counter, text):
    own, theirs = words(text), words(counter.text)
    runs = {tuple(theirs[i:i + 6]) for i in range(len(theirs) - 5)}
    for i in range(len(own) - 5):
        if tuple(own[i:i + 6]) in runs:
            sys.exit('%s: "%s" is the wording of the XML' %
                     (counter.symbol, ' '.join(own[i:i + 6])))
    if own == theirs and len(own) > 2:
        sys.exit('%s: "%s" is the text of the XML' % (counter.symbol, text))


class Raw:
    """The raw counters of a generation, as its reports have them."""

    CHOSEN_A = range(7, 21)

    def __init__(self, arch, counters):
        self.gen = GENERATIONS.get(re.sub(r'gt\d$', '', arch), 'gen8 to gen12')
        self.readers = {}
        for counter in counters:
            for block, index in re.findall(r'(\w+) (\d+) READ', counter.expressions()):
                names = self.readers.setdefault((block, int(index)), [])
                if counter.symbol not in names:
                    names.append(counter.symbol)

    def width_of_a(self, index):
        if self.gen == 'gen8 to gen12':
            return 40 if index < 32 else 32
        if self.gen == 'gen12.5':
            return 40 if index in range(4, 24) or index in range(28, 32) else 32
        return 32

    def about_a(self, index):
        text = 'Aggregating counter %d of reports' % index
        names = self.readers.get(('A', index), [])
        if self.gen == 'xe2':
            text = 'Media counter %d of reports: the set chooses what it counts' % index
        elif self.gen == 'gen8 to gen12' and index in self.CHOSEN_A:
            nth = index - 7
            text += ': flexible EU event %d, which bits %s of EU_PERF_CNTL%d choose' % (
                nth, '23:12' if nth % 2 else '11:0', nth // 2)
        elif not names:
            text += '; no published metric reads it'
        elif len(names) <= 3:
            text += '; read by ' + ' and '.join(names)
        else:
            text += '; read by %s and %d more metrics' % (', '.join(names[:2]), len(names) - 2)
        return text + '.'

    def lines(self):
        wide = self.gen == 'xe2'
        counts = {'gen7.5': 45, 'gen8 to gen12': 36, 'gen12.5': 38, 'xe2': 8}
        yield 'counter GPU_TIME %d ticks Ticks of the OA timestamp, GpuTimestampFrequency of ' \
            'them a second.' % (56 if wide else 32)
        if self.gen != 'gen7.5':
            yield 'counter GPU_CLOCK %d cycles Clocks of the GPU\'s core; their rate changes ' \
                'with its frequency.' % (64 if wide else 32)
        for index in range(counts[self.gen]):
            yield 'counter A%d %d events %s' % (index, self.width_of_a(index),
                                                self.about_a(index))
        for index in range(0 if wide else 8):
            yield 'counter B%d 32 cycles Clocks on which the condition that the set programs ' \
                'into boolean counter %d is true.' % (index, index)
        for index in range(0 if wide else 8):
            yield 'counter C%d 32 events Events that the set routes to counter C%d.' % (
                index, index)
        for index in range(64 if wide else 0):
            yield 'counter PEC%d 64 events Performance event counter %d of reports: the set ' \
                'chooses what it counts.' % (index, index)
        for index in range(2):
            if ('PERFCNT', index) in self.readers:
                yield 'counter PERFCNT%d 44 events General counter %d, which has a register ' \
                    'and no place in reports: only queries can read it.' % (index, index)


def wrapped(out, head, names):
    """Lines that begin with head, of as many names as they have room for."""
    line = head
    for name in names:
        if len(line) + len(name) + 1 > WIDTH and line != head:
            out.append(line)
            line = head
        line += ' ' + name
    if line != head:
        out.append(line)


def write_metric(out, counter, key):
    out.append('metric %s %s %s %s' % (counter.name, counter.type, counter.semantic, counter.unit))
    fields = [('title', counter.title), ('group', counter.group), ('=', counter.equation),
              ('max', counter.maximum), ('if', counter.availability),
              ('marks', ' '.join(counter.watermarks)),
              ('text', '' if key == counter.name else key)]
    out += ['\t%s %s' % field for field in fields if field[1]]
    wrapped(out, '\talias', counter.aliases)


def write_registers(out, configs):
    """Runs of values that go to one address, in the order of writing."""
    for kind, availability, registers in configs:
        out.append('\ton %s %s' % (kind, availability) if availability else '\ton ' + kind)
        runs = []
        for address, value in registers:
            if not runs or runs[-1][0] != address:
                runs.append((address, []))
            runs[-1][1].append('%x' % value)
        for address, values in runs:
            wrapped(out, '\tw %x' % address, values)


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


def read_sets(folder, arch):
    """The sets of a platform, each GUID once, and where they are from."""
    elements, guids, sources, versions = {}, set(), [], []
    for sub, release in SOURCES:
        path = os.path.join(folder, sub, 'oa-%s.xml' % arch)
        if (sub, arch) in SUPERSEDED or not os.path.exists(path):
            continue
        root = xml.etree.ElementTree.parse(path).getroot()
        new = [e for e in root.findall('set') if e.get('hw_config_guid') not in guids]
        for element in new:
            name = element.get('symbol_name')
            if name in elements:
                sys.exit('%s: two sets are called %s' % (arch, name))
            elements[name] = element
            guids.add(element.get('hw_config_guid'))
        if new:
            sources.append(release)
            versions.append(root.get('version'))
    if not elements:
        sys.exit('%s has no oa-%s.xml' % (folder, arch))
    source = 'Intel OA metric sets as in ' + ' and '.join(sources)
    return elements, source, ' and '.join(versions)


def convert(folder, arch, descriptions):
    elements, source, version = read_sets(folder, arch)
    sets = {}
    for name, element in elements.items():
        counters = [Counter(name, e) for e in element.findall('counter')]
        sets[name] = {counter.symbol: counter for counter in counters}
    identify(sets)
    all_counters = [counter for counters in sets.values() for counter in counters.values()]
    symbols = {counter.symbol for counter in all_counters}
    texts = [counter.expressions() for counter in all_counters]
    texts += [config.get('availability') or '' for element in elements.values()
              for config in element.findall('register_config')]
    variables = {name for text in texts for name in re.findall(r'\$(\w+)', text)} - symbols
    keys = {id(counter): descriptions.key_of(counter) for counter in all_counters}
    raw = Raw(arch, all_counters)
    out = [PREFACE.rstrip() % (arch, version, arch, source)]
    wrapped(out, 'variables', sorted(variables))
    if arch not in GEN8: # theirs are in gen8.yaml, written by hand
        out += raw.lines()
    for counter in name_counters(sets):
        write_metric(out, counter, keys[id(counter)])
    for name, element in elements.items():
        out.append('set %s %s' % (name, element.get('hw_config_guid')))
        out.append('\ttitle ' + blanks(element.get('name')))
        wrapped(out, '\thas', [counter.name for counter in sets[name].values()])
        write_registers(out, registers_of(element))
    with open(os.path.join(OUT, arch + '.txt'), 'w') as file:
        file.write('\n'.join(out) + '\n')


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, '../../shared/data/intel')
    descriptions = Descriptions()
    os.makedirs(OUT, exist_ok=True)
    for arch in PLATFORMS:
        convert(folder, arch, descriptions)
    print('%d platforms, %d texts' % (len(PLATFORMS), descriptions.write()))


if __name__ == '__main__':
    main()
