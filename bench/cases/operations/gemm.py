import torch
from harness import case, loop

for n in (64, 256, 1024):
    a, b, r = torch.rand(n, n), torch.rand(n, n), torch.zeros(n, n)
    case(f"gemm {n}, float", loop(lambda: torch.mm(a, b, out=r)))
