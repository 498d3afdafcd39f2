import torch
from harness import case, loop

LENGTH = 100
a, g = torch.ones(10), torch.ones(10)
x = torch.full((10,), 0.5, requires_grad=True)


def chain(f):
    def run():
        y = x
        for _ in range(LENGTH):
            y = f(y)
        y.backward(g)

    return loop(run)


case("100 x cmul and back", chain(lambda y: y * a))
case("100 x add and back", chain(lambda y: y + a))
case("100 x tanh and back", chain(torch.tanh))

sizes = [32, 64, 64, 4]
weights = [torch.empty(n, m).uniform_(-0.1, 0.1).requires_grad_() for m, n in zip(sizes, sizes[1:])]
biases = [torch.zeros(1, n, requires_grad=True) for n in sizes[1:]]
data, target = torch.rand(1, 32), torch.rand(1, 4)


def step(layer):
    def run():
        h = data
        for i in range(3):
            h = layer(h, weights[i], biases[i])
            if i < 2:
                h = torch.relu(h)
        d = h - target
        (d * d).mean().backward()
        with torch.no_grad():
            for p in weights + biases:
                p.add_(p.grad, alpha=-1e-9)
                p.grad = None

    return loop(run)


def product(x, w, b):
    return torch.addmm(b, x, w.t())


case("MLP 32-64-64-4 step b1 of Variables, sgd", step(product))
case("MLP 32-64-64-4 step b1 of Variables, linear, sgd", step(torch.nn.functional.linear))
# As PyTorch has it, the peer of our vectors too: optimisers take lists.
case("MLP 32-64-64-4 step b1 of Variables in one vector, sgd", step(product))
case("MLP 32-64-64-4 step b1 of Variables in one vector, linear, sgd", step(torch.nn.functional.linear))
