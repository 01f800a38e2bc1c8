# SPDX-License-Identifier: MIT
"""libtacho itself: found, loaded, its functions declared. Private."""
import ctypes
import os
import sysconfig
from ctypes import POINTER as _P
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint8, c_uint32, c_void_p

from . import _layout as layout

NAME = "libtacho.so.0"


def _find() -> str:
    """TACHO_LIBRARY, else in the folders above the module, else where the system looks."""
    named = os.environ.get("TACHO_LIBRARY")
    if named:
        return named
    folder = os.path.dirname(os.path.abspath(__file__))
    for _ in range(4):
        folder = os.path.dirname(folder)
        for part in ("", sysconfig.get_config_var("MULTIARCH") or ""):
            path = os.path.join(folder, part, NAME)
            if os.path.exists(path):
                return path
    return NAME


try:
    library = ctypes.CDLL(_find())
except OSError as error:
    raise ImportError(f"{error}: install libtacho, or set TACHO_LIBRARY to the path of {NAME}"
                      ) from None

_THING = c_void_p  # what is opaque
# Result and arguments.
FUNCTIONS = {
    "tacho_version": (c_char_p,),
    "tacho_error_last": (_P(layout.tacho_error_detail),),
    "tacho_error_to_string": (c_char_p, c_int),
    "tacho_command_kind_to_string": (c_char_p, c_int),
    "tacho_state_to_string": (c_char_p, c_uint8),
    "tacho_row_kind_to_string": (c_char_p, c_int),
    "tacho_replay_to_string": (c_char_p, c_uint32),
    "tacho_recording_open": (c_int, c_char_p, _P(_THING)),
    "tacho_recording_close": (None, _THING),
    "tacho_recording_get_path": (c_char_p, _THING),
    "tacho_recording_get_run": (_P(layout.tacho_run), _THING),
    "tacho_recording_get_process": (_P(layout.tacho_process), _THING, c_size_t),
    "tacho_recording_get_counter": (_P(layout.tacho_entry), _THING, c_size_t),
    "tacho_recording_get_counting": (_P(layout.tacho_recorded_counting), _THING),
    "tacho_recording_get_sampling": (_P(layout.tacho_sampling), _THING, c_size_t),
    "tacho_recording_get_fault": (_P(layout.tacho_fault), _THING, c_size_t),
    "tacho_recording_sum_losses": (c_int, _THING, _P(layout.tacho_losses)),
    "tacho_recording_check": (c_int, _THING),
    "tacho_columns_open": (c_int, _THING, _P(_THING)),
    "tacho_columns_close": (None, _THING),
    "tacho_columns_next": (c_int, _THING, c_size_t, _P(_THING)),
    "tacho_columns_get_text": (c_char_p, _THING, c_uint32),
    "tacho_columns_get_cursor": (_THING, _THING),
    "tacho_batch_destroy": (None, _THING),
    "tacho_batch_get_calls": (_P(layout.tacho_call_columns), _THING),
    "tacho_batch_get_commands": (_P(layout.tacho_command_columns), _THING),
    "tacho_batch_get_ranges": (_P(layout.tacho_range_columns), _THING),
    "tacho_batch_get_windows": (_P(layout.tacho_window_columns), _THING),
    "tacho_batch_get_values": (_THING, _THING),
    "tacho_batch_get_window_values": (_THING, _THING, c_size_t),
    "tacho_cursor_get_object": (_P(layout.tacho_object), _THING, c_size_t),
    "tacho_object_get": (c_char_p, _P(layout.tacho_object), c_char_p),
    "tacho_result_destroy": (None, _THING),
    "tacho_result_get_row_count": (c_size_t, _THING),
    "tacho_result_get_column": (_P(layout.tacho_column), _THING, c_size_t),
    "tacho_result_get_row": (_P(layout.tacho_row), _THING, c_size_t),
    "tacho_result_derive": (c_int, _THING, _P(layout.tacho_formula), c_size_t,
                            _P(layout.tacho_derive_options), _P(_THING),
                            _P(layout.tacho_formula_problem)),
    "tacho_catalog_open": (c_int, _P(layout.tacho_catalog_options), _P(_THING)),
    "tacho_catalog_close": (None, _THING),
    "tacho_catalog_get_problem": (_P(layout.tacho_problem), _THING, c_size_t),
    "tacho_catalog_get_arch": (_P(layout.tacho_arch), _THING, c_size_t),
    "tacho_catalog_find_arch": (c_int, _THING, c_char_p, c_char_p, _P(_P(layout.tacho_arch))),
    "tacho_arch_get_entry": (_P(layout.tacho_entry), _P(layout.tacho_arch), c_size_t),
    "tacho_arch_resolve_entry": (c_int, _P(layout.tacho_arch), c_char_p,
                                 _P(_P(layout.tacho_entry))),
    "tacho_arch_get_model": (_P(layout.tacho_model), _P(layout.tacho_arch), c_size_t),
    "tacho_arch_find_model": (_P(layout.tacho_model), _P(layout.tacho_arch), c_char_p),
    "tacho_config_parse": (c_int, c_char_p, _P(layout.tacho_config_options), _P(_THING),
                           _P(layout.tacho_config_problem)),
    "tacho_config_destroy": (None, _THING),
    "tacho_plan_create": (c_int, _THING, _P(layout.tacho_plan_options), _P(_THING)),
    "tacho_plan_destroy": (None, _THING),
    "tacho_plan_get_pass": (_P(layout.tacho_plan_pass), _THING, c_size_t),
    "tacho_plan_get_summary": (None, _THING, _P(layout.tacho_plan_summary)),
}
for _name, (_result, *_arguments) in FUNCTIONS.items():
    _function = getattr(library, _name)
    _function.restype, _function.argtypes = _result, _arguments


class Error(Exception):
    """A call of libtacho that failed: what failed, why, and what to do."""

    def __init__(self, code: int, message: str, cause: str = "", cure: str = "",
                 vendor_code: int = 0):
        super().__init__(code, message, cause, cure, vendor_code)
        self.code, self.message, self.cause, self.cure = code, message, cause, cure
        #: errno, or what a vendor's library said; 0 when there is none.
        self.vendor_code = vendor_code

    @property
    def name(self) -> str:
        """The name of the code, such as TACHO_E_NOTFOUND."""
        return text(library.tacho_error_to_string(self.code))

    def __str__(self) -> str:
        cause = f": {self.cause}" if self.cause else ""
        return f"{self.message}{cause}" + (f"; {self.cure}" if self.cure else "")


def text(value) -> str:
    """Bytes of a library, which may be no UTF-8."""
    return value.decode("utf-8", "replace") if value else ""


def last_error(code: int, otherwise: str = "") -> Error:
    detail = library.tacho_error_last().contents
    return Error(code, text(detail.message) or otherwise, text(detail.cause), text(detail.cure),
                 detail.vendor_code)


def check(code: int) -> int:
    """The code of a call, when it is none of an error."""
    if code < 0:
        raise last_error(code)
    return code


def make(function, *arguments) -> int:
    """Calls a function whose last argument is where an owned thing goes; that thing."""
    thing = c_void_p()
    check(function(*arguments, byref(thing)))
    return thing.value


def listed(function, *arguments):
    """What a function has at 0, 1, ... up to NULL."""
    index = 0
    while True:
        thing = function(*arguments, index)
        if not thing:
            return
        yield thing.contents
        index += 1


def fields(struct) -> dict:
    """Numbers and texts of a struct. A text of "" is None: nobody knows it."""
    known = {}
    for name, kind in struct._fields_:
        value = getattr(struct, name)
        if kind is c_char_p:
            known[name] = text(value) or None
        elif isinstance(value, (int, float)):
            known[name] = value
    return known
