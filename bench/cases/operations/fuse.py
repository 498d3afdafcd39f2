"""The same chains: eager for the separate calls, with COMPILE=1 torch.compile for the fused ones."""
import os

import torch
from harness import SIZES, case, loop

CHAINS = {
    "arithmetic": (
        lambda a, b, c: ((a + b) * c - a) / (b * b + 1),
        lambda y, t, a, b, c: (torch.add(a, b, out=y).mul_(c).sub_(a),
                               torch.mul(b, b, out=t).add_(1), y.div_(t))),
    "tanh": (
        lambda a, b, c: torch.tanh(a * b + c) * a - b + 1,
        lambda y, t, a, b, c: torch.mul(a, b, out=y).add_(c).tanh_().mul_(a).sub_(b).add_(1)),
    "exp": (
        lambda a, b, c: torch.relu(a) * torch.sigmoid(b) + torch.exp(c) * a,
        lambda y, t, a, b, c: (torch.clamp(a, min=0, out=y).mul_(torch.sigmoid(b, out=t)),
                               y.add_(torch.exp(c, out=t).mul_(a)))),
}

for size, n in SIZES:
    a, b, c = torch.randn(n), torch.randn(n), torch.randn(n)
    y, t = torch.zeros(n), torch.zeros(n)
    for name, (fresh, into) in CHAINS.items():
        label = f"six operations ({name}), {size} floats"
        if os.environ.get("COMPILE"):
            compiled = torch.compile(fresh)
            compiled_into = torch.compile(lambda y, a, b, c: y.copy_(fresh(a, b, c)))
            case(f"{label}, fused, existing", loop(lambda: compiled_into(y, a, b, c)))
            case(f"{label}, fused, fresh", loop(lambda: compiled(a, b, c)))
        else:
            case(f"{label}, separate, existing", loop(lambda: into(y, t, a, b, c)))
            case(f"{label}, separate, fresh", loop(lambda: fresh(a, b, c)))
    A, B, C = (x.clone().requires_grad_() for x in (a, b, c))
    g = torch.ones(n)
    fresh = CHAINS["tanh"][0]
    compile = os.environ.get("COMPILE")
    forward = torch.compile(fresh) if compile else fresh

    def step():
        forward(A, B, C).backward(g)
        A.grad = B.grad = C.grad = None

    what = "fused" if compile else "separate"
    case(f"six operations (tanh), {size} floats, {what} with gradients", loop(step))
