"""Writes oracle.lua: what PyTorch's normalisations of rows do, for the spec beside it.

Run by hand when a case is added: python3 oracle.py > oracle.lua (needs PyTorch, 2.4 or later).
Inputs and parameters are `wave` of their sizes, so that only results are stored.
"""

import math

import torch

torch.set_default_dtype(torch.float64)


def wave(sizes, phase, scale=0.5):
    count = math.prod(sizes)
    return torch.tensor([scale * math.sin(0.7 * i + phase) for i in range(1, count + 1)]).view(sizes)


def text(t):
    if t.dim() == 0:
        return "%.17g" % t.item()
    return "{ " + ", ".join(text(x) for x in t) + " }"


def case(name, net, sizes):
    for k, p in enumerate(net.parameters()):
        p.data.copy_(wave(p.shape, k + 1))
    x = wave(sizes, 0.3, 2).requires_grad_()
    y = net(x)
    (y * wave(y.shape, 1.3, 1)).sum().backward()
    print(f"   {name} = {{")
    print(f"      y = {text(y)},")
    print(f"      gx = {text(x.grad)},")
    print(f"      parameters = {{ {', '.join(text(p.grad) for p in net.parameters())} }},")
    print("   },")


print(f"-- Written by oracle.py with PyTorch {torch.__version__.split('+')[0]}.")
print("-- luacheck: no max line length")
print("return {")
case("layer", torch.nn.LayerNorm(5, eps=1e-3), (4, 5))
case("layer2", torch.nn.LayerNorm((3, 2)), (2, 2, 3, 2))
case("rms", torch.nn.RMSNorm(5, eps=1e-3), (4, 5))
case("group", torch.nn.GroupNorm(2, 4), (2, 4, 3))
case("group_flat", torch.nn.GroupNorm(2, 6), (3, 6))
case("instance", torch.nn.InstanceNorm2d(2, affine=True), (2, 2, 2, 3))
print("}")
