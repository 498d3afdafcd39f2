import torch
import torch.nn as nn
import torch.nn.functional as F
from device import waited
from harness import case


def random(*sizes):
    return torch.rand(*sizes, device="cuda") * 2 - 1


def both(name, module, *inputs):
    parameters = ()
    if isinstance(module, nn.Module):
        module = module.to("cuda")
        parameters = tuple(module.parameters())
    inputs = tuple(x.requires_grad_() for x in inputs)
    with torch.no_grad():
        case(f"CUDA {name}, forward", waited(lambda: module(*inputs)))
    y = module(*inputs)
    y = y[0] if isinstance(y, tuple) else y
    g = y.detach().clone()
    wanted = (*inputs, *parameters)
    case(
        f"CUDA {name}, backward",
        waited(lambda: torch.autograd.grad(y, wanted, g, retain_graph=True)),
    )


both("LayerNorm of 16384 x 1024", nn.LayerNorm(1024), random(16384, 1024))
if hasattr(nn, "RMSNorm"):
    both("RMSNorm of 16384 x 1024", nn.RMSNorm(1024), random(16384, 1024))
both("GroupNorm of 64 x 64 x 56 x 56", nn.GroupNorm(8, 64), random(64, 64, 56, 56))
heads = [random(64, 8, 256, 64) for _ in range(3)]
both("attention of 64 x 8 x 256 x 64", F.scaled_dot_product_attention, *heads)
both("LSTM of 100 x 64 x 256", nn.LSTM(256, 256), random(100, 64, 256))
both("GRU of 100 x 64 x 256", nn.GRU(256, 256), random(100, 64, 256))
bilinear = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
both("bilinear enlarging of 32 x 64 x 56 x 56", bilinear, random(32, 64, 56, 56))
nearest = nn.Upsample(scale_factor=2, mode="nearest")
both("nearest enlarging of 32 x 64 x 56 x 56", nearest, random(32, 64, 56, 56))
both("reflection padding of 32 x 64 x 56 x 56", nn.ReflectionPad2d(2), random(32, 64, 56, 56))

scores = random(200, 64, 64).requires_grad_()
labels = torch.randint(1, 64, (64, 30), device="cuda")
frames = torch.full((64,), 200, dtype=torch.long)
lengths = torch.full((64,), 30, dtype=torch.long)


def ctc():
    loss = F.ctc_loss(F.log_softmax(scores, 2), labels, frames, lengths)
    return torch.autograd.grad(loss, scores)


case("CUDA CTC of 200 x 64 x 64, both ways", waited(ctc))

x = random(4096, 4096)
case("CUDA sort of 4096 x 4096", waited(lambda: torch.sort(x, 1)))
case("CUDA topk 10 of 4096 x 4096", waited(lambda: torch.topk(x, 10, 1)))
case("CUDA median of 4096 x 4096", waited(lambda: torch.median(x, 1)))
rows = random(100000, 256)
to = random(10000, 256)
at = torch.randint(0, 10000, (100000,), device="cuda")
case("CUDA indexAdd of 1e5 x 256 to 1e4", waited(lambda: to.index_add_(0, at, rows)))
