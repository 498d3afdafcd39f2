"""Writes schedule_oracle.lua: the factors of PyTorch's schedules, for schedule_spec.lua.

Run by hand when a case is added: python3 schedule_oracle.py > schedule_oracle.lua (any PyTorch 2.x).
"""

import torch
from torch.optim import lr_scheduler as schedulers

STEPS = 16
LOSSES = [5, 4, 4, 3.9, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3]
CASES = {
    "constant": lambda o: schedulers.ConstantLR(o, factor=0.25, total_iters=100),
    "step": lambda o: schedulers.StepLR(o, step_size=5, gamma=0.1),
    "multistep": lambda o: schedulers.MultiStepLR(o, milestones=[3, 9, 10], gamma=0.5),
    "exponential": lambda o: schedulers.ExponentialLR(o, gamma=0.9),
    "cosine": lambda o: schedulers.CosineAnnealingLR(o, T_max=15, eta_min=0.125),
    "cosineRestarts": lambda o: schedulers.CosineAnnealingWarmRestarts(o, 3, 2, eta_min=0.125),
    "linear": lambda o: schedulers.LinearLR(o, 0.25, 0.75, total_iters=8),
    "polynomial": lambda o: schedulers.PolynomialLR(o, total_iters=12, power=2),
    "warmup": lambda o: schedulers.SequentialLR(
        o,
        [schedulers.LinearLR(o, 0.1, 1, total_iters=4), schedulers.CosineAnnealingLR(o, 11)],
        [4],
    ),
    "oneCycle": lambda o: schedulers.OneCycleLR(o, max_lr=1.0, total_steps=16),
    "sequence": lambda o: schedulers.SequentialLR(
        o,
        [schedulers.StepLR(o, 2, 0.5), schedulers.ExponentialLR(o, 0.9),
         schedulers.ConstantLR(o, 0.5, 100)],
        [4, 9],
    ),
    "plateau": lambda o: schedulers.ReduceLROnPlateau(o, factor=0.5, patience=2, cooldown=1),
}

print("-- Written by schedule_oracle.py with PyTorch " + torch.__version__.split("+")[0] + ".")
print("-- luacheck: no max line length")
print("return {")
print(f"   losses = {{ {', '.join(map(str, LOSSES))} }},")
for name, make in CASES.items():
    optimiser = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    schedule = make(optimiser)
    factors = []
    for step in range(STEPS):
        factors.append(optimiser.param_groups[0]["lr"])
        optimiser.step()
        if step < STEPS - 1:
            schedule.step(LOSSES[step]) if name == "plateau" else schedule.step()
    print(f"   {name} = {{ {', '.join(map(repr, factors))} }},")
print("}")
