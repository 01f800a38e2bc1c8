# SPDX-License-Identifier: MIT
"""What tacho makes of names that compilers mangled: where no C++ library is, they stay."""
import ctypes


def has_library():
    for name in ("libstdc++.so.6", "libc++abi.so.1"):
        try:
            return bool(ctypes.CDLL(name))
        except OSError:
            pass
    return False


def kernel(symbol, name):
    """Its name and attributes, of one that has only a symbol."""
    return (name, {"symbol": symbol}) if has_library() else (symbol, {})
