import torch
from device import waited
from harness import case, issued

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
small = torch.zeros(10, device="cuda")
case("CUDA y:add(1), 10 floats, to the end", waited(lambda: small.add_(1)))
issued("CUDA y:add(1), 10 floats, host", 500, lambda: small.add_(1))
issued("CUDA y + 1, 10 floats, host", 500, lambda: small + 1)
issued("CUDA new tensor, 10 floats, host", 500, lambda: torch.empty(10, device="cuda"))
