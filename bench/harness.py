"""Timing as in harness.lua: the median of several samples, after a warm-up."""
import os
import statistics
import time

import torch

QUICK = os.environ.get("QUICK")
SAMPLES = 5 if QUICK else 9
SAMPLE_SECONDS = 0.01 if QUICK else 0.05
WORDS = os.environ.get("ONLY", "").split()

SIZES = (("1e1", 10), ("1e4", 10000), ("1e7", 10000000))
SHAPES = (("1e1", 2, 5), ("1e4", 100, 100), ("1e7", 2500, 4000))
TYPES = (("float", torch.float32), ("double", torch.float64))


def seconds(body, n):
    start = time.perf_counter()
    body(n)
    return time.perf_counter() - start


def median(body):
    n = 1
    while True:
        t = seconds(body, n)
        if t >= SAMPLE_SECONDS:
            break
        n = n * 10 if t < SAMPLE_SECONDS / 100 else int(n * 1.2 * SAMPLE_SECONDS / t) + 1
    return statistics.median(seconds(body, n) / n for _ in range(SAMPLES))


def wanted(name):
    return all(word in name for word in WORDS)


def case(name, body, scale=1):
    if wanted(name):
        print(f"{name}\t{torch.get_num_threads()}\t{median(body) / scale:.6g}", flush=True)


def loop(f):
    def body(n):
        for _ in range(n):
            f()

    return body


def both(name, into, fresh):
    case(f"{name}, existing", loop(into))
    case(f"{name}, fresh", loop(fresh))


def by_turns(cases):
    """Of (name, f): the least processor time of a call, the first one apart."""
    least = {}
    for sample in range(SAMPLES + 1):
        for name, f in cases:
            start = time.process_time()
            f()
            if sample > 0:
                least[name] = min(least.get(name, 1e9), time.process_time() - start)
    for name, t in least.items():
        print(f"{name}\t{torch.get_num_threads()}\t{t:.6g}", flush=True)


def issued(name, count, f):
    def sample():
        start = time.perf_counter()
        for _ in range(count):
            f()
        elapsed = time.perf_counter() - start
        torch.cuda.synchronize()
        return elapsed / count

    for _ in range(20):
        sample()
    figure = statistics.median(sample() for _ in range(SAMPLES))
    print(f"{name}\t{torch.get_num_threads()}\t{figure:.6g}", flush=True)


def uniform(*sizes, dtype=torch.float32):
    return torch.rand(*sizes, dtype=dtype) * 2 - 1
