import torch
from device import waited
from harness import case
from lenet import lenet_step

case("CUDA LeNet training step b128, per image", waited(lenet_step("cuda", 128)), 128)

for name, make in (
    ("sgd", lambda p: torch.optim.SGD(p, lr=1e-3, momentum=0.9)),
    ("adam", lambda p: torch.optim.Adam(p, lr=1e-3)),
    ("rmsprop", lambda p: torch.optim.RMSprop(p, lr=1e-3)),
):
    p = torch.nn.Parameter(torch.rand(25_000_000, device="cuda") * 2 - 1)
    p.grad = torch.rand(25_000_000, device="cuda") * 2 - 1
    case(f"CUDA {name} step, 25e6 parameters", waited(make([p]).step))
