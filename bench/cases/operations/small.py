import torch
from harness import case, loop

x = torch.ones(10)
m = torch.ones(10, 10)


def write(n):
    for i in range(n):
        x[i % 10] = i


case("x[i] read", loop(lambda: float(x[3])))
case("x[i] write", write)
case("m[{i,j}] read", loop(lambda: float(m[4, 2])))
case("y:add(1), 10 floats", loop(lambda: x.add_(1)))
case("y:cmul(x), 10 floats", loop(lambda: x.mul_(x)))
case("new view", loop(lambda: x.narrow(0, 1, 5)))
case("new tensor, 10 floats", loop(lambda: torch.empty(10)))
case("x + 1, 10 floats", loop(lambda: x + 1))
case("x:sum(), 10 floats", loop(lambda: float(x.sum())))
