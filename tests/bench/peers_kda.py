#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""KDA prefill of FlashKDA (package flash_kda) on the shapes of attention_bench, as JSON: median of --runs, inputs rotated over sets that together do not
fit the cache, the scans of one pass over the sets timed together. The state goes in and comes out in float32; the gate's activation, the write strength's
sigmoid and the norms of queries and keys are inside, as in our kernels. Says so and ends well where torch, a GPU or the package is missing.

  peers_kda.py [--runs N] [--tokens T]
"""
import argparse
import json
import sys

from peers_timing import CACHE_BYTES, median_us

HEADS = [96, 32, 12]
WIDTH = 128  # channels of keys and of values, the only width the package has
LOWEST_GATE = -5.0


def inputs(torch, tokens, heads):
    def bf16(*shape):
        return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)

    wide = (1, tokens, heads, WIDTH)
    state = torch.randn(1, heads, WIDTH, WIDTH, device="cuda")
    return {"q": bf16(*wide), "k": bf16(*wide), "v": bf16(*wide), "g": bf16(*wide), "beta": bf16(1, tokens, heads),
            "scale": WIDTH ** -0.5, "out": torch.empty(*wide, device="cuda", dtype=torch.bfloat16),
            "A_log": torch.rand(heads, device="cuda"), "dt_bias": torch.rand(heads, WIDTH, device="cuda"),
            "lower_bound": LOWEST_GATE, "initial_state": state, "final_state": torch.empty_like(state)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--tokens", type=int, default=8192)
    options = parser.parse_args()
    try:
        import torch
        import flash_kda
    except ImportError as missing:
        print(f"peers_kda: {missing.name} is not installed", file=sys.stderr)
        return
    if not torch.cuda.is_available():
        print("peers_kda: torch sees no GPU", file=sys.stderr)
        return
    results = {"device": torch.cuda.get_device_name(), "torch": torch.__version__}
    for heads in HEADS:
        bytes_per_set = 5 * 2 * options.tokens * heads * WIDTH
        sets = [inputs(torch, options.tokens, heads) for _ in range(2 + CACHE_BYTES // bytes_per_set)]

        def batch():
            for args in sets:
                flash_kda.fwd(**args)

        us = median_us(torch, batch, len(sets), options.runs)
        if not all(torch.isfinite(args["out"].float()).all() for args in sets):
            sys.exit(f"peers_kda: {heads} heads: the result is not finite")
        results[f"kda prefill, T {options.tokens}, heads {heads}"] = {"microseconds": us}
    print(json.dumps(results, indent=1))


main()
