import torch
import torch.nn as nn
from device import waited
from harness import case

for kind, dtype in (("float", torch.float32), ("half", torch.float16)):

    def random(*sizes):
        return (torch.rand(*sizes, device="cuda") * 2 - 1).to(dtype).requires_grad_()

    def both(name, module, *sizes, parameters=False):
        module = module.to("cuda", dtype)
        x = random(*sizes)
        with torch.no_grad():
            case(f"CUDA {name}, forward, {kind}", waited(lambda: module(x)))
        y = module(x)
        y = y[0] if isinstance(y, tuple) else y
        g = y.detach().clone()
        wanted = (x, *module.parameters()) if parameters else (x,)
        case(
            f"CUDA {name}, backward, {kind}",
            waited(lambda: torch.autograd.grad(y, wanted, g, retain_graph=True)),
        )

    both("SoftMax of 65536 x 100", nn.Softmax(1), 65536, 100)
    both("SoftMax of 4096 x 4096", nn.Softmax(1), 4096, 4096)
    both("LogSoftMax of 512 x 50000", nn.LogSoftmax(1), 512, 50000)
    both("ReLU of 1e7", nn.ReLU(), 10000, 1000)
    pooling = nn.MaxPool2d(3, 2, 1, return_indices=True)  # as Torch7's layers keep them
    both("max pooling of 64 x 64 x 112 x 112", pooling, 64, 64, 112, 112)
    both(
        "batch normalisation of 64 x 64 x 56 x 56", nn.BatchNorm2d(64), 64, 64, 56, 56, parameters=True
    )
