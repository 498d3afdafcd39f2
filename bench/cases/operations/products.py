import torch
from harness import TYPES, case, loop, uniform

SKINNY = ((16, 1024, 16), (1024, 16, 1024), (1, 1024, 1024), (1024, 1024, 1))

for type_name, dtype in TYPES:

    def random(*sizes):
        return uniform(*sizes, dtype=dtype)

    for n in (16, 64, 256, 1024):
        a, b, v = random(n, n), random(n, n), random(n)
        at, batch = a.t(), max(1, 1024 // n)
        xs, ys = random(batch, n, n), random(batch, n, n)
        r, rv, rs = torch.empty_like(a), torch.empty_like(v), torch.empty_like(xs)
        case(f"gemm {n} {type_name}", loop(lambda: torch.mm(a, b, out=r)))
        case(f"gemm {n}, first transposed {type_name}", loop(lambda: torch.mm(at, b, out=r)))
        case(f"gemv {n} {type_name}", loop(lambda: torch.mv(a, v, out=rv)))
        case(f"gemv {n}, transposed {type_name}", loop(lambda: torch.mv(at, v, out=rv)))
        case(f"bmm {batch} x {n} {type_name}", loop(lambda: torch.bmm(xs, ys, out=rs)))
    for m, k, n in SKINNY:
        a, b = random(m, k), random(k, n)
        at, bt = random(k, m).t(), random(n, k).t()
        r = torch.empty(m, n, dtype=dtype)
        case(f"gemm {m}x{k}x{n} {type_name}", loop(lambda: torch.mm(a, b, out=r)))
        case(f"gemm {m}x{k}x{n}, both transposed {type_name}",
             loop(lambda: torch.mm(at, bt, out=r)))
