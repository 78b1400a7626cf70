# SPDX-License-Identifier: Apache-2.0
"""What the peers' scripts share."""

CACHE_BYTES = 64 << 20  # sets of inputs together are larger than the cache of an H200


def median_us(torch, batch, calls, runs):
    """Microseconds of one of the `calls` calls that `batch` makes."""
    for _ in range(3):
        batch()
    torch.cuda.synchronize()
    times = []
    for _ in range(runs):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        batch()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) * 1e3 / calls)
    return sorted(times)[len(times) // 2]
