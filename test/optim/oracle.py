"""Writes oracle.lua: what PyTorch's optimisers do from the same start, for the specs beside it.

Run by hand when a case is added: python3 oracle.py > oracle.lua (needs PyTorch, any 2.x).
"""

import math

import torch


torch.set_default_dtype(torch.float64)  # also of what optimisers keep: NAdam's product, ASGD's rate


def rosenbrock(x):
    return 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2


def quadratic(x):
    a = torch.arange(1, len(x) + 1, dtype=torch.float64)
    return (a * (x - 1) ** 2).sum() / 2


# name: (loss, start, steps, PyTorch's optimiser, its options)
START = [-1.2, 1.0]
BOWL = [3.0, -2.0, 0.5, 1.5]
CASES = {
    "sgd": (quadratic, BOWL, 5, torch.optim.SGD, dict(lr=0.1)),
    "sgd_momentum": (
        quadratic, BOWL, 5, torch.optim.SGD,
        dict(lr=0.1, momentum=0.9, dampening=0.9, weight_decay=0.01),
    ),
    "sgd_nesterov": (
        quadratic, BOWL, 5, torch.optim.SGD, dict(lr=0.1, momentum=0.9, nesterov=True),
    ),
    # eps = 0: PyTorch adds it after the correction of the bias, Torch7 before.
    "adam": (rosenbrock, START, 10, torch.optim.Adam, dict(lr=0.1, eps=0, weight_decay=0.01)),
    "adamax": (rosenbrock, START, 10, torch.optim.Adamax, dict(lr=0.1, eps=1e-38)),
    "adagrad": (rosenbrock, START, 10, torch.optim.Adagrad, dict(lr=0.1, lr_decay=0.01)),
    "adadelta": (rosenbrock, START, 10, torch.optim.Adadelta, dict(lr=1.0, rho=0.9, eps=1e-6)),
    "rmsprop": (rosenbrock, START, 10, torch.optim.RMSprop, dict(lr=0.01, alpha=0.99)),
    "rprop": (rosenbrock, START, 10, torch.optim.Rprop, dict(lr=0.1)),
    "asgd": (
        quadratic, BOWL, 6, torch.optim.ASGD, dict(lr=0.1, lambd=0.01, alpha=0.75, t0=3),
    ),
    "adam_amsgrad": (
        rosenbrock, START, 10, torch.optim.Adam, dict(lr=0.1, eps=0, amsgrad=True),
    ),
    "adamw": (rosenbrock, START, 10, torch.optim.AdamW, dict(lr=0.1, weight_decay=0.1)),
    "adamw_amsgrad": (rosenbrock, START, 10, torch.optim.AdamW, dict(lr=0.1, amsgrad=True)),
    "nadam": (rosenbrock, START, 10, torch.optim.NAdam, dict(lr=0.1, weight_decay=0.01)),
    # The denominator comes in at the sixth step.
    "radam": (rosenbrock, START, 10, torch.optim.RAdam, dict(lr=0.001, weight_decay=0.01)),
    "adafactor": (
        quadratic, [3.0, -2.0, 0.5, 1.5, 2.5, -1.0, 4.0, 0.25], 6, torch.optim.Adafactor,
        dict(lr=0.1, weight_decay=0.01), [(2, 3), (2,)],
    ),
    "lbfgs": (
        rosenbrock, START, 4, torch.optim.LBFGS,
        dict(lr=0.5, max_iter=4, history_size=3, tolerance_grad=1e-5, tolerance_change=1e-9),
    ),
}


def run(loss, start, steps, optimiser, options, shapes=None):
    start = torch.tensor(start, dtype=torch.float64)
    parts = start.split([math.prod(s) for s in shapes]) if shapes else [start]
    parts = [p.view(s) for p, s in zip(parts, shapes)] if shapes else parts
    parts = [p.clone().requires_grad_() for p in parts]
    opt = optimiser(parts, **options)

    def flat():
        return torch.cat([p.reshape(-1) for p in parts])

    def closure():
        opt.zero_grad()
        f = loss(flat())
        f.backward()
        return f

    rows = []
    for _ in range(steps):
        f = opt.step(closure)
        rows.append((float(f.detach()), flat().detach().tolist()))
    average = opt.state[parts[0]].get("ax")
    return rows, average.tolist() if average is not None else None


def numbers(values):
    return "{ " + ", ".join(repr(v) for v in values) + " }"


print("-- Written by oracle.py with PyTorch " + torch.__version__.split("+")[0] + ".")
print("-- For each case: options, then for each step { loss before it, { x after it } }.")
print("-- luacheck: no max line length")
print("return {")
for name, case in CASES.items():
    rows, average = run(*case)
    options = ", ".join(f"{k}={v}" for k, v in case[4].items())
    print(f"   {name} = {{ -- torch.optim.{case[3].__name__}({options}), {case[0].__name__}")
    print(f"      start = {numbers(case[1])},")
    if average:
        print(f"      average = {numbers(average)},")
    for f, x in rows:
        print(f"      {{ {f!r}, {numbers(x)} }},")
    print("   },")
print("}")
