"""The cases of bench/cases in PyTorch eager, under the same names.

python bench/pytorch.py THREADS CASE...
"""
import resource
import statistics
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

SAMPLES = 9
SAMPLE_SECONDS = 0.05


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


def case(name, body, scale=1):
    print(f"{name}\t{torch.get_num_threads()}\t{median(body) / scale:.6g}", flush=True)


def repeat(f):
    def body(n):
        for _ in range(n):
            f()

    return body


def small():
    x = torch.ones(10)
    m = torch.ones(10, 10)
    case("x[i] read", repeat(lambda: float(x[3])))

    def write(n):
        for i in range(n):
            x[i % 10] = i

    case("x[i] write", write)
    case("m[{i,j}] read", repeat(lambda: float(m[4, 2])))
    case("y:add(1), 10 floats", repeat(lambda: x.add_(1)))
    case("y:cmul(x), 10 floats", repeat(lambda: x.mul_(x)))
    case("new view", repeat(lambda: x.narrow(0, 1, 5)))
    case("new tensor, 10 floats", repeat(lambda: torch.empty(10)))
    case("x + 1, 10 floats", repeat(lambda: x + 1))
    case("x:sum(), 10 floats", repeat(lambda: float(x.sum())))


def elementwise():
    n = 10**7
    x = torch.rand(n) * 2 - 1
    y = torch.rand(n) * 2 - 1
    r = torch.zeros(n)
    case("add, 1e7 floats, existing result", repeat(lambda: torch.add(x, y, out=r)))
    case("add, 1e7 floats, fresh result", repeat(lambda: x + y))
    case("copy, 1e7 floats, existing result", repeat(lambda: r.copy_(x)))
    case("copy, 1e7 floats, fresh result", repeat(lambda: x.clone()))
    case("exp, 1e7 floats, existing result", repeat(lambda: torch.exp(x, out=r)))
    case("exp, 1e7 floats, fresh result", repeat(lambda: torch.exp(x)))


def gemm():
    for n in (64, 256, 1024):
        a, b, r = torch.rand(n, n), torch.rand(n, n), torch.zeros(n, n)
        case(f"gemm {n}, float", repeat(lambda: torch.mm(a, b, out=r)))


def lenet_step(device, batch):
    torch.manual_seed(1)
    model = nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2),
        nn.Tanh(),
        nn.MaxPool2d(2, 2),
        nn.Conv2d(6, 16, 5),
        nn.Tanh(),
        nn.MaxPool2d(2, 2),
        nn.Flatten(),
        nn.Linear(16 * 5 * 5, 120),
        nn.Tanh(),
        nn.Linear(120, 84),
        nn.Tanh(),
        nn.Linear(84, 10),
        nn.LogSoftmax(1),
    ).to(device)
    x = torch.rand(batch, 1, 28, 28, device=device)
    target = torch.randint(0, 10, (batch,), device=device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    def step():
        optimizer.zero_grad()
        F.nll_loss(model(x), target).backward()
        optimizer.step()

    return step


def lenet():
    case("LeNet training step b128, per image", repeat(lenet_step("cpu", 128)), 128)


def waited(f):
    def body(n):
        for _ in range(n):
            f()
        torch.cuda.synchronize()

    return body


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


def cuda():
    n = 10**8
    gigabytes = n * 4 / 1e9
    x = torch.rand(n, device="cuda") * 2 - 1
    y = torch.rand(n, device="cuda") * 2 - 1
    r = torch.zeros(n, device="cuda")
    square, turned = x.view(10**4, 10**4), y.view(10**4, 10**4).t()
    square_result = r.view(10**4, 10**4)
    sums = torch.empty(10**4, device="cuda")

    def per_gigabyte(name, operands, f):
        case(f"CUDA {name}, 1e8 floats, per GB", waited(f), operands * gigabytes)

    per_gigabyte("copy", 2, lambda: r.copy_(x))
    per_gigabyte("add", 3, lambda: torch.add(x, y, out=r))
    per_gigabyte("exp", 2, lambda: torch.exp(x, out=r))
    per_gigabyte("tanh", 2, lambda: torch.tanh(x, out=r))
    per_gigabyte("transposed copy", 2, lambda: square_result.copy_(turned))
    per_gigabyte("sum of all", 1, lambda: float(x.sum()))
    per_gigabyte("sum of rows", 1, lambda: torch.sum(square, 1, out=sums))
    per_gigabyte("sum of columns", 1, lambda: torch.sum(square, 0, out=sums))
    for name, dtype in (("Cuda", torch.float32), ("CudaHalf", torch.float16)):
        a, b, c = (torch.ones(4096, 4096, device="cuda", dtype=dtype) for _ in range(3))
        case(f"gemm 4096, {name}", waited(lambda: torch.mm(a, b, out=c)))
    small = torch.zeros(10, device="cuda")
    case("CUDA y:add(1), 10 floats, to the end", waited(lambda: small.add_(1)))
    issued("CUDA y:add(1), 10 floats, host", 500, lambda: small.add_(1))
    issued("CUDA y + 1, 10 floats, host", 500, lambda: small + 1)
    issued("CUDA new tensor, 10 floats, host", 500, lambda: torch.empty(10, device="cuda"))
    case("CUDA LeNet training step b128, per image", waited(lenet_step("cuda", 128)), 128)


def files():
    """The peer of that case is dd."""


def memory():
    for i in range(3000):
        torch.empty(2**18).fill_(i)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak MiB, 3000 temporaries of 1 MiB\t{torch.get_num_threads()}\t{peak:.6g}")


if __name__ == "__main__":
    torch.set_num_threads(int(sys.argv[1]))
    for name in sys.argv[2:]:
        {"small": small, "elementwise": elementwise, "gemm": gemm, "lenet": lenet,
         "memory": memory, "files": files, "cuda": cuda}[name]()
