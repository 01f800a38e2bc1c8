# SPDX-License-Identifier: MIT
"""What the module says of libtacho is what the headers say."""
import ctypes
import os
import re
import sys
import unittest

ROOT = os.environ["TACHO_SOURCE_ROOT"]
sys.path.insert(0, os.path.join(ROOT, "tests", "fault"))
import null  # noqa: E402 - reads prototypes
from tacho import _arrays, _library, _layout, _table  # noqa: E402

STRUCTS = os.path.join(ROOT, "tests", "abi", "structs.txt")


def prototypes():
    folder = os.path.join(ROOT, "include", "tacho")
    found = {}
    for name in os.listdir(folder):
        if name.endswith(".h"):
            for result, function, arguments in null.read_functions(os.path.join(folder, name)):
                found[function] = (result, [kind for kind, _ in arguments])
    return found


class Binding(unittest.TestCase):
    def test_functions(self):
        """As many arguments, and of the same sorts: pointers, numbers of the same size."""
        known = prototypes()
        for name, (result, *arguments) in _library.FUNCTIONS.items():
            self.assertIn(name, known)
            wanted_result, wanted = known[name]
            self.assertEqual(len(arguments), len(wanted), name)
            for ours, theirs in zip([result, *arguments], [wanted_result, *wanted]):
                self.assertTrue(self.fits(ours, theirs), f"{name}: {theirs} is not {ours}")

    def fits(self, ours, theirs):
        if theirs == "void":
            return ours is None
        if "*" in theirs:
            is_text = theirs.replace("const", "").split() == ["char", "*"]
            named = re.match(r"(?:const )?struct (\w+) \*$", theirs)
            if is_text:
                return ours is ctypes.c_char_p
            if named and ours is not ctypes.c_void_p:
                return ours._type_.__name__ == named[1]
            return ours is ctypes.c_void_p or issubclass(ours, ctypes._Pointer)
        sizes = {"int": 4, "size_t": 8, "uint8_t": 1, "uint32_t": 4, "uint64_t": 8}
        return ctypes.sizeof(ours) == (4 if theirs.startswith("enum") else sizes[theirs])

    def test_structs(self):
        """Each struct of the reviewed list, its size and the offset of each member."""
        checked = 0
        with open(STRUCTS) as file:
            for line in file:
                begin = re.match(r"struct (tacho_\w+) (\d+)$", line)
                if begin or not line.startswith("\t"):
                    struct = begin and getattr(_layout, begin[1])
                    if begin:
                        self.assertEqual(ctypes.sizeof(struct), int(begin[2]), begin[1])
                    continue
                member = re.match(r"\t(\d+) .*?(\w+)(?:\[\d+\])*$", line)
                if struct and member and "." not in line.split()[-1]:
                    self.assertEqual(getattr(struct, member[2]).offset, int(member[1]), line)
                    checked += 1
        self.assertGreater(checked, 300)

    def test_columns(self):
        """Each column of a table is a text, a flag, a word, or a number that can be unknown."""
        for name in ("call", "command", "range"):
            struct = getattr(_layout, f"tacho_{name}_columns")
            for column, kind in struct._fields_[2:]:
                if kind._type_ is ctypes.c_uint8:
                    self.assertIn(column, _table.FLAGS | {"kind", "state"})
                if column in _table.TEXTS:
                    self.assertIs(kind._type_, ctypes.c_uint32)

    @unittest.skipIf(_arrays.numpy is None, "numpy is not installed")
    def test_view_keeps_its_owner(self):
        class Owner:
            alive = True

            def __del__(self):
                Owner.alive = False

        memory = (ctypes.c_uint64 * 4)(1, 2, 3, 4)
        array = _arrays.view(Owner(), ctypes.addressof(memory), ctypes.c_uint64, 4)[1:3]
        self.assertTrue(Owner.alive)
        self.assertEqual(array.tolist(), [2, 3])
        with self.assertRaises(ValueError):
            array[0] = 7
        del array
        self.assertFalse(Owner.alive)


if __name__ == "__main__":
    unittest.main()
