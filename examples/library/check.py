"""Checks the documents named through the C library: python3 check.py LIBRARY FILE..."""
import ctypes
import json
import sys

library = ctypes.CDLL(sys.argv[1])
library.handoff_call.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p),
                                 ctypes.c_void_p]
library.handoff_free.argtypes = [ctypes.c_void_p]


def call(command, **arguments):
    """Runs any command of handoff: its status and its result."""
    result = ctypes.c_void_p()
    status = library.handoff_call(None, command.encode(), json.dumps(arguments).encode(), ctypes.byref(result), None)
    text = ctypes.cast(result, ctypes.c_char_p).value if result else b"null"
    value = json.loads(text)
    library.handoff_free(result)
    return status, value


status, report = call("check", paths=sys.argv[2:])
for file in report["files"]:
    for finding in file["findings"]:
        print(f'{file["path"]}:{finding["line"]}:{finding["column"]}: {finding["severity"]}[{finding["rule"]}]')
print(f'{report["errors"]} errors, status {status}')
