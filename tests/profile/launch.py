#!/usr/bin/env python3
"""Launches the examples on a real GPU, one after the other, for `ncu` to count. Needs libcuda alone."""

import ctypes
import json
import re
import struct
import sys
from pathlib import Path

CUDA = ctypes.CDLL("libcuda.so.1")
FORMAT = {"u8": "B", "u32": "I", "i32": "i", "f32": "f", "u64": "Q"}


def cuda(name, *args):
    code = getattr(CUDA, name)(*args)
    if code:
        raise RuntimeError(f"{name}: error {code}")


def random_bits(seed, index, kind):
    mask = (1 << 64) - 1
    z = (seed + (index + 1) * 0x9E3779B97F4A7C15) & mask
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
    z ^= z >> 31
    if kind == "f32":
        return (z >> 40) * 2.0**-24
    bits = 8 * struct.calcsize(FORMAT[kind])
    value = z >> (64 - bits)
    return value - (1 << bits) if kind == "i32" and value >> 31 else value


def product(text):
    n = 1
    for factor in text.split("*"):
        n *= int(factor)
    return n


def content(kind, source):
    """The bytes of a source: [1,2], iota(COUNT,START,STEP), random(COUNT,SEED)."""
    if source.startswith("["):
        values = json.loads(source)
    else:
        name, inside = re.fullmatch(r"(\w+)\((.*)\)", source).groups()
        count, *more = inside.split(",")
        more = [float(x) if kind == "f32" else int(x) for x in more]
        if name == "iota":
            start, step = (more + [0, 1][len(more):])[:2]
            values = [start + i * step for i in range(product(count))]
        else:
            values = [random_bits(int(more[0]), i, kind) for i in range(product(count))]
    return struct.pack(f"<{len(values)}{FORMAT[kind]}", *values)


def argument(text):
    """The bytes of a kernel's parameter."""
    text = re.sub(r"^\w+=(?=\w+[:])", "", text)
    direction, rest = text.split(":", 1)
    if direction in FORMAT:
        return struct.pack("<" + FORMAT[direction], int(rest))
    if direction == "out":
        kind, count = re.fullmatch(r"(\w+)\[(.*)\]", rest).groups()
        data = bytes(product(count) * struct.calcsize(FORMAT[kind]))
    else:
        kind, source = rest.split("=", 1)
        data = content(kind, source)
    pointer = ctypes.c_uint64()
    cuda("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(len(data)))
    cuda("cuMemcpyHtoD_v2", pointer, data, ctypes.c_size_t(len(data)))
    return struct.pack("<Q", pointer.value)


def launch(path):
    row = json.loads(path.read_text())
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    cuda("cuModuleLoadData", ctypes.byref(module), (path.parent / row["ptx"]).read_bytes() + b"\0")
    cuda("cuModuleGetFunction", ctypes.byref(function), module, row["entry"].encode())
    values = [ctypes.create_string_buffer(argument(a)) for a in row["args"]]
    pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
    cuda("cuLaunchKernel", function, *row["grid"], *row["block"], row["smem"], None, pointers, None)
    cuda("cuCtxSynchronize")


def main():
    context, device = ctypes.c_void_p(), ctypes.c_int()
    cuda("cuInit", 0)
    cuda("cuDeviceGet", ctypes.byref(device), 0)
    cuda("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    cuda("cuCtxSetCurrent", context)
    for path in sys.argv[1:]:
        launch(Path(path))


main()
