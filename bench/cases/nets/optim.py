import torch
from harness import WORDS, case, loop, uniform

WAYS = {"default": {}, "foreach": {"foreach": True}, "fused": {"fused": True}}

for size, n in (("1e3", 1000), ("1e5", 100000), ("1e7", 10000000)):
    for way, options in WAYS.items():
        name = f"Adam step, {size} float, {way}"
        if all(word in name for word in WORDS):
            x = uniform(n).requires_grad_()
            x.grad = uniform(n)
            case(name, loop(torch.optim.Adam([x], lr=1e-9, **options).step))
