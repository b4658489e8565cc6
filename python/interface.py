"""Writes the C source of the extension module from the public headers: interface.py COMPILER HEADERS OUTPUT"""

import pathlib
import re
import subprocess
import sys
import tempfile

import cffi

STANDARD = ["stdbool.h", "stddef.h", "stdint.h"]
CALLBACKS = """
extern "Python+C" void throng_python_step(void *state, const throng_step *step);
#define THRONG_UNLIMITED ...
#define THRONG_INTERFACE ...
"""


def without_bodies(text: str) -> str:
    """Leaves out inline functions: whoever calls from Python has no use for them."""
    while (begin := text.find("static inline")) >= 0:
        at = text.index("{", begin)
        depth = 1
        while depth:
            at += 1
            depth += {"{": 1, "}": -1}.get(text[at], 0)
        text = text[:begin] + text[at + 1 :]
    return text


def declarations(compiler: str, headers: str) -> str:
    """What the public headers declare, as cffi reads it: preprocessed, and without the standard headers."""
    with tempfile.TemporaryDirectory() as empty:
        for name in STANDARD:
            (pathlib.Path(empty) / name).touch()
        command = [compiler, "-E", "-P", "-nostdinc", "-I", empty, "-I", headers, "-U__GNUC__", "-x", "c", "-"]
        source = "#include <throng/model.h>\n"
        done = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    return re.sub(r"__attribute__\(\(.*?\)\)", "", without_bodies(done.stdout))


def main() -> None:
    compiler, headers, output = sys.argv[1:]
    ffi = cffi.FFI()
    ffi.cdef(declarations(compiler, headers) + CALLBACKS)
    ffi.set_source("throng._throng", "#include <throng/model.h>\n", py_limited_api=True)
    ffi.emit_c_code(output)


main()
