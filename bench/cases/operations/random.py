import torch
from harness import TYPES, case, loop

N = 1000000

for type_name, dtype in TYPES:
    r, p = torch.empty(N, dtype=dtype), torch.rand(10000, dtype=dtype)
    case(f"uniform, 1e6 {type_name}", loop(lambda: r.uniform_(0, 1)))
    case(f"normal, 1e6 {type_name}", loop(lambda: r.normal_(0, 1)))
    case(f"bernoulli, 1e6 {type_name}", loop(lambda: r.bernoulli_(0.3)))
    case(f"multinomial, 1000 of 1e4 {type_name}", loop(lambda: torch.multinomial(p, 1000)))
    case(f"multinomial with replacement, 1000 of 1e4 {type_name}",
         loop(lambda: torch.multinomial(p, 1000, True)))
case("randperm, 1e6", loop(lambda: torch.randperm(N)))
