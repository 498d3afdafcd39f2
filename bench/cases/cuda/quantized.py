# PyTorch has no nets on bytes for devices: its figures are those of float and half.
import torch
import torch.nn as nn
from device import waited
from harness import case


def forward(name, net, x):
    with torch.inference_mode():
        case(f"CUDA {name}", waited(lambda: net(x)))


def each_type(name, net, *sizes):
    x = torch.rand(*sizes, device="cuda") * 2 - 1
    net = net.to("cuda").eval()
    forward(f"{name}, float", net, x)
    forward(f"{name}, half", net.half(), x.half())


class Residual(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return x + self.inner(x)


def conv():
    return nn.Conv2d(128, 128, 3, padding=1)


mlp = nn.Sequential(nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 4096))
each_type("MLP 4096-4096-4096, 4096 rows", mlp, 4096, 4096)
plain = nn.Sequential(conv(), nn.ReLU(), conv(), nn.ReLU(), nn.MaxPool2d(2))
each_type("two convolutions and a pooling, 64 x 128 x 56 x 56", plain, 64, 128, 56, 56)
residual = nn.Sequential(Residual(nn.Sequential(conv(), nn.ReLU(), conv())), nn.ReLU())
each_type("residual block, 64 x 128 x 56 x 56", residual, 64, 128, 56, 56)
for rows in (1, 8):
    each_type(f"Linear 4096 x 4096, batch {rows}", nn.Linear(4096, 4096), rows, 4096)
