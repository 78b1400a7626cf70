#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bf16 matrix products of PyTorch (cuBLAS) on the shapes of cuda_bench, as JSON: median of --runs, inputs rotated over sets that together do not fit the
cache, products of one token timed inside a captured graph. Says so and ends well where torch or a GPU is missing.

  peers_torch.py [--runs N]
"""
import argparse
import json
import sys

from peers_timing import CACHE_BYTES, median_us

SHAPES = [(12288, 7168), (1536, 7168), (4096, 2304)]


def product(torch, rows, cols, tokens, runs):
    sets = max(2, min(24, 2 * CACHE_BYTES // (rows * cols * 2) + 1)) if tokens == 1 else 1
    weights = [torch.randn(rows, cols, device="cuda", dtype=torch.bfloat16) for _ in range(sets)]
    x = torch.randn(tokens, cols, device="cuda", dtype=torch.bfloat16)
    out = torch.empty(tokens, rows, device="cuda", dtype=torch.bfloat16)

    def batch():
        for weight in weights:
            torch.matmul(x, weight.T, out=out)

    if tokens > 1:
        return median_us(torch, batch, sets, runs)
    batch()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        batch()
    return median_us(torch, graph.replay, sets, runs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=30)
    runs = parser.parse_args().runs
    try:
        import torch
    except ImportError:
        print("peers_torch: torch is not installed", file=sys.stderr)
        return
    if not torch.cuda.is_available():
        print("peers_torch: torch sees no GPU", file=sys.stderr)
        return
    source = torch.empty(4 << 30, device="cuda", dtype=torch.uint8)
    target = torch.empty_like(source)
    copy = median_us(torch, lambda: target.copy_(source), 1, runs)
    results = {"device": torch.cuda.get_device_name(), "torch": torch.__version__,
               "copy_bytes_per_second": 2 * source.numel() / copy * 1e6}
    del source, target
    for rows, cols in SHAPES:
        for tokens in (1, 8192):
            us = product(torch, rows, cols, tokens, runs)
            results[f"linear bf16 {rows}x{cols} T={tokens}"] = {
                "microseconds": us, "flops_per_second": 2 * tokens * rows * cols / us * 1e6,
                "bytes_per_second": 2 * rows * cols / us * 1e6}
    print(json.dumps(results, indent=1))


main()
