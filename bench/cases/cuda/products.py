import torch
from device import allow_tf32, waited
from harness import case

torch.backends.cudnn.benchmark = True
for name, dtype, tf32 in (
    ("float", torch.float32, False),
    ("float, tf32", torch.float32, True),
    ("half", torch.float16, False),
    ("bfloat16", torch.bfloat16, False),
):
    allow_tf32(tf32)

    def random(*sizes):
        return (torch.rand(*sizes, device="cuda") * 2 - 1).to(dtype)

    a, b, c = (random(4096, 4096) for _ in range(3))
    case(f"CUDA mm 4096, {name}", waited(lambda: torch.mm(a, b, out=c)))
    left, right, batched = (random(256, 64, 64) for _ in range(3))
    case(f"CUDA bmm 256 x 64, {name}", waited(lambda: torch.bmm(left, right, out=batched)))

    conv = torch.nn.Conv2d(128, 128, 3, padding=1).to("cuda", dtype)
    x = random(64, 128, 56, 56).requires_grad_()
    g = random(64, 128, 56, 56)
    what = "CUDA convolution 128 x 56 x 56 by 3 x 3"
    with torch.no_grad():
        case(f"{what}, forward, {name}", waited(lambda: conv(x)))
    y = conv(x)

    def backward():
        torch.autograd.grad(y, (x, conv.weight, conv.bias), g, retain_graph=True)

    case(f"{what}, backward, {name}", waited(backward))
