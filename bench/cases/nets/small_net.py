import torch
import torch.nn as nn
import torch.nn.functional as F
from harness import case, loop


def step(batch, optimiser):
    torch.manual_seed(1)
    net = nn.Sequential(
        nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4)
    )
    x, target = torch.rand(batch, 32), torch.rand(batch, 4)
    optimizer = optimiser(net.parameters(), lr=1e-9)

    def run():
        optimizer.zero_grad()
        F.mse_loss(net(x), target).backward()
        optimizer.step()

    return run


for batch in (1, 32):
    name = f"MLP 32-64-64-4 step b{batch}, "
    case(name + "sgd", loop(step(batch, torch.optim.SGD)))
    case(name + "adam", loop(step(batch, torch.optim.Adam)))
