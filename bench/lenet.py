import torch
import torch.nn as nn
import torch.nn.functional as F


def lenet_step(device, batch):
    torch.manual_seed(1)
    model = nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2),
        nn.Tanh(),
        nn.MaxPool2d(2, 2),
        nn.Conv2d(6, 16, 5),
        nn.Tanh(),
        nn.MaxPool2d(2, 2),
        nn.Flatten(),
        nn.Linear(16 * 5 * 5, 120),
        nn.Tanh(),
        nn.Linear(120, 84),
        nn.Tanh(),
        nn.Linear(84, 10),
        nn.LogSoftmax(1),
    ).to(device)
    x = torch.rand(batch, 1, 28, 28, device=device)
    target = torch.randint(0, 10, (batch,), device=device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    def step():
        optimizer.zero_grad()
        F.nll_loss(model(x), target).backward()
        optimizer.step()

    return step
