# SPDX-License-Identifier: Apache-2.0
"""A stand-in for Triton that runs kernels through PyTorch on the CPU, program by program, in float32.

It covers the operations that kda_triton.py uses and checks their arithmetic, not their speed or their rounding.
Call install() before importing the kernels.
"""
import itertools
import sys
import types

import torch

PROGRAM = []


class Pointer:
    def __init__(self, tensor, offset=0):
        self.tensor, self.offset = tensor, offset

    def __add__(self, offset):
        return Pointer(self.tensor, self.offset + offset)


class Kernel:
    """A jitted function: kernel[grid](arguments) runs the whole grid, kernel(arguments) is a call from a kernel."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *args, **options):
        return self.function(*args, **options)

    def __getitem__(self, grid):
        def run(*args, num_warps=None, num_stages=None, **constants):
            args = [Pointer(x) if isinstance(x, torch.Tensor) else x for x in args]
            for PROGRAM[:] in itertools.product(*map(range, grid)):
                self.function(*args, **constants)
        return run


def load(pointer):
    return pointer.tensor.view(-1)[pointer.offset]


def store(pointer, value):
    pointer.tensor.view(-1)[pointer.offset] = value


def where(condition, a, b):
    return torch.where(condition, torch.as_tensor(a), torch.as_tensor(b))


def install():
    triton, language = types.ModuleType("triton"), types.ModuleType("triton.language")
    triton.jit, triton.language = Kernel, language
    language.float32, language.bfloat16, language.int64 = torch.float32, torch.float32, torch.int64
    language.constexpr = lambda value: value
    language.program_id = lambda axis: torch.tensor(PROGRAM[axis])
    language.load, language.store, language.where = load, store, where
    language.dot = lambda a, b, input_precision=None: a @ b
    language.trans = lambda a: a.T
    language.cumsum = lambda a, axis: a.cumsum(axis)
    language.sum = lambda a, axis: a.sum(axis)
    language.exp, language.arange = torch.exp, torch.arange
    language.zeros = lambda shape, dtype: torch.zeros(shape, dtype=dtype)
    sys.modules["triton"], sys.modules["triton.language"] = triton, language
