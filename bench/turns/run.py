"""Operations on 1e7 elements and training steps, ours and PyTorch's by turns of a few milliseconds.

TH=build/cpu/bin/th THREADS='1 2' TURNS=30 ONLY='sum' COMPILED=1 python bench/turns/run.py

Prints the ratios of the least times and of the medians; COMPILED=1 adds lines for compiled nets.

Two programs that run one after the other each meet memory in phases of their own, by which a ratio can be
anything from a half to two. Here both have their data at the same time, and samples take turns: th waits in
a pipe while PyTorch computes, and the other way round. Of one thread it is processor time that counts; of
several, which on a busy machine wait for each other, the least is the figure to look at.
"""
import os
import statistics
import subprocess
import sys
import time

import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import nets  # noqa: E402

COUNT, ROWS, COLUMNS = 10_000_000, 2500, 4000
SAMPLE = 0.005  # seconds
TYPES = {"float": torch.float32, "double": torch.float64}


def fill(dtype):
    y = torch.zeros(COUNT, dtype=dtype)
    return lambda: y.fill_(1.5)


def copy(dtype):
    x, y = torch.rand(COUNT, dtype=dtype), torch.zeros(COUNT, dtype=dtype)
    return lambda: y.copy_(x)


def total(dtype):
    x = torch.rand(COUNT, dtype=dtype)
    return lambda: x.sum()


def total_rows(dtype):
    x, r = torch.rand(ROWS, COLUMNS, dtype=dtype), torch.zeros(ROWS, 1, dtype=dtype)
    return lambda: torch.sum(x, 1, keepdim=True, out=r)


def add(dtype):
    x, z, y = (torch.rand(COUNT, dtype=dtype) for _ in range(3))
    return lambda: torch.add(x, z, out=y)


def sigmoid(dtype):
    x, y = torch.rand(COUNT, dtype=dtype) * 2 - 1, torch.zeros(COUNT, dtype=dtype)
    return lambda: torch.sigmoid(x, out=y)


def rows_of(columns):
    def make(dtype):
        rows = COUNT // columns
        x, r = torch.rand(rows, columns, dtype=dtype), torch.zeros(rows, columns, dtype=dtype)
        order = torch.randperm(rows)
        return lambda: torch.index_select(x, 0, order, out=r)

    return make


def convert(dtype):
    other = torch.float64 if dtype == torch.float32 else torch.float32
    x, y = torch.rand(COUNT, dtype=dtype), torch.zeros(COUNT, dtype=other)
    return lambda: y.copy_(x)


def pooling():
    x = torch.rand(32, 64, 112, 112).requires_grad_()
    g = torch.rand(32, 64, 56, 56)

    def run():
        x.grad = None
        F.max_pool2d(x, 3, 2, 1).backward(g)

    return run


CASES = {"max pooling 3x3 stride 2, 32x64x112x112": pooling}
for name, make in {
    "fill": fill,
    "copy": copy,
    "sum": total,
    "sum rows": total_rows,
    "add": add,
    "sigmoid": sigmoid,
    "rows by index": rows_of(COLUMNS),
    "short rows by index": rows_of(64),
    "convert from": convert,
}.items():
    for type_name, dtype in TYPES.items():
        CASES[f"{name} {type_name}"] = lambda make=make, dtype=dtype: make(dtype)

for net in nets.each():
    CASES[f"step of {net.name}"] = lambda net=net: nets.step(*net.make())


def contenders(name):
    """PyTorch's ways of a case."""
    yield "PyTorch", CASES[name]()
    if os.environ.get("COMPILED") and name.startswith("step of "):
        model, *rest = next(net for net in nets.each() if net.name in name).make()
        yield "compiled", nets.step(torch.compile(model), *rest)


class Ours:
    """th, which does a case when it is told."""

    def __init__(self, threads):
        th = os.environ.get("TH", "build/cpu/bin/th")
        self.process = subprocess.Popen(
            [th, "bench/turns/cases.lua", str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, name, n):
        print(f"{name}\t{n}", file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())


def theirs(body, n):
    now = time.perf_counter if torch.get_num_threads() > 1 else time.process_time
    start = now()
    for _ in range(n):
        body()
    return now() - start


def compare(ours, name, threads, turns):
    ways = [("ours", lambda n: ours(name, n))]
    ways += [(who, lambda n, body=body: theirs(body, n)) for who, body in contenders(name)]
    for _, sample in ways:
        sample(2)
    n = max(1, round(SAMPLE / min(sample(1) for _, sample in ways)))
    times = {who: [] for who, _ in ways}
    for _ in range(turns):
        for who, sample in ways:
            times[who].append(sample(n) / n * 1e3)
    mine = times.pop("ours")
    for who, other in times.items():
        figures = [min(mine), statistics.median(mine), min(other), statistics.median(other)]
        figures += [figures[2] / figures[0], figures[3] / figures[1]]
        print(f"| {name} | {threads} | {who} | " + " | ".join(f"{x:.3g}" for x in figures) + " |", flush=True)


def main():
    words = os.environ.get("ONLY", "").split()
    turns = int(os.environ.get("TURNS", "30"))
    print("| case | threads | against | ours, least ms | median | theirs, least | median | ratio, least | median |")
    print("| --- " * 9 + "|")
    for threads in map(int, os.environ.get("THREADS", "1 2").split()):
        torch.set_num_threads(threads)
        ours = Ours(threads)
        for name in CASES:
            if all(word in name for word in words):
                compare(ours, name, threads, turns)
        ours.process.stdin.close()
        ours.process.wait()


if __name__ == "__main__":
    sys.exit(main())
