import torch
from harness import SHAPES, SIZES, TYPES, both, uniform

OPERATIONS = {
    "add": (lambda r, x, y: torch.add(x, y, out=r), lambda x, y: x + y),
    "add number": (lambda r, x, y: torch.add(x, 2, out=r), lambda x, y: x + 2),
    "mul": (lambda r, x, y: torch.mul(x, y, out=r), lambda x, y: x * y),
    "div": (lambda r, x, y: torch.div(x, y, out=r), lambda x, y: x / y),
    "abs": (lambda r, x, y: torch.abs(x, out=r), lambda x, y: torch.abs(x)),
    "sqrt": (lambda r, x, y: torch.sqrt(y, out=r), lambda x, y: torch.sqrt(y)),
    "exp": (lambda r, x, y: torch.exp(y, out=r), lambda x, y: torch.exp(y)),
    "log": (lambda r, x, y: torch.log(y, out=r), lambda x, y: torch.log(y)),
    "tanh": (lambda r, x, y: torch.tanh(x, out=r), lambda x, y: torch.tanh(x)),
    "copy": (lambda r, x, y: r.copy_(x), lambda x, y: x.clone()),
}
COMPARISONS = {
    "lt": (lambda r, x, y: torch.lt(x, y, out=r), lambda x, y: x < y),
    "eq number": (lambda r, x, y: torch.eq(x, 0.5, out=r), lambda x, y: x == 0.5),
}

for type_name, dtype in TYPES:
    for size, n in SIZES:
        x, y = uniform(n, dtype=dtype), torch.rand(n, dtype=dtype) / 2 + 0.5
        for operations, r in ((OPERATIONS, torch.zeros(n, dtype=dtype)),
                              (COMPARISONS, torch.zeros(n, dtype=torch.bool))):
            for name, (into, fresh) in operations.items():
                both(f"{name}, {size} {type_name}", lambda: into(r, x, y), lambda: fresh(x, y))
    for size, rows, columns in SHAPES:
        r = torch.zeros(columns, rows, dtype=dtype)
        t = uniform(rows, columns, dtype=dtype).t()
        both(f"copy transposed, {size} {type_name}", lambda: r.copy_(t),
             lambda: t.clone(memory_format=torch.contiguous_format))
