import torch
from harness import SHAPES, TYPES, both, case, loop, uniform


def number(name, f):
    case(name, loop(lambda: f().item()))


for type_name, dtype in TYPES:
    for size, rows, columns in SHAPES:
        label = f"{size} {type_name}"
        x = uniform(rows, columns, dtype=dtype)
        number(f"sum all, {label}", lambda: x.sum())
        number(f"max all, {label}", lambda: x.max())
        number(f"mean all, {label}", lambda: x.mean())
        number(f"norm all, {label}", lambda: x.norm())
        for dim, side in enumerate(("first", "last")):
            r = torch.zeros(columns if dim == 0 else rows, dtype=dtype)
            positions = torch.zeros(r.shape, dtype=torch.int64)
            both(f"sum {side}, {label}", lambda: torch.sum(x, dim, out=r), lambda: x.sum(dim))
            both(f"max {side}, {label}", lambda: torch.max(x, dim, out=(r, positions)),
                 lambda: x.max(dim))
            both(f"mean {side}, {label}", lambda: torch.mean(x, dim, out=r), lambda: x.mean(dim))
            both(f"norm {side}, {label}", lambda: torch.norm(x, 2, dim, out=r),
                 lambda: x.norm(2, dim))

half = uniform(1000, 1000).half()
cube = uniform(100, 100, 100)
even = uniform(1000, 1000, 2).select(2, 0)
number("sum all, 1e6 half", lambda: half.sum())
number("sum all, 1e6 float stride 2", lambda: even.sum())
r, halves = torch.zeros(1000), torch.zeros(1000).half()
for dim, side in enumerate(("first", "last")):
    case(f"sum {side}, 1e6 half, existing", loop(lambda: torch.sum(half, dim, out=halves)))
    case(f"sum {side}, 1e6 float stride 2, existing", loop(lambda: torch.sum(even, dim, out=r)))
plane = torch.zeros(100, 100)
case("sum middle, 100x100x100 float, existing", loop(lambda: torch.sum(cube, 1, out=plane)))
