# SPDX-License-Identifier: MIT
"""Memory of libtacho as arrays: of numpy where it is installed, else memoryviews. Private."""
import ctypes

try:
    import numpy
except ImportError:  # all but arrays works without
    numpy = None

_DTYPES = {ctypes.c_uint8: "u1", ctypes.c_uint32: "u4", ctypes.c_uint64: "u8",
           ctypes.c_double: "f8"}
_FORMATS = {ctypes.c_uint8: "B", ctypes.c_uint32: "I", ctypes.c_uint64: "Q", ctypes.c_double: "d"}


def address_of(pointer):
    return ctypes.cast(pointer, ctypes.c_void_p).value


def view(owner, address, kind, count):
    """`count` values at an address, not copied. What is returned keeps the owner alive."""
    if not address:
        count = 0
    memory = (kind * count).from_address(address) if count else (kind * 0)()
    memory.owner = owner
    if numpy is None:
        return memoryview(memory).cast("B").cast(_FORMATS[kind]).toreadonly()
    if not count:
        return numpy.zeros(0, _DTYPES[kind])
    array = numpy.frombuffer(memory, dtype=_DTYPES[kind])
    array.flags.writeable = False
    return array


def unknown(array):
    """What stands for a number that is not known."""
    return 2 ** (8 * array.itemsize) - 1
