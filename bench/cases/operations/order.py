import torch
from harness import TYPES, case, loop

N, SIDE = 1000000, 1000

for type_name, dtype in TYPES:
    v, m = torch.rand(N, dtype=dtype), torch.rand(SIDE, SIDE, dtype=dtype)
    r, positions = torch.zeros(0, dtype=dtype), torch.zeros(0, dtype=torch.int64)

    def results(shape):
        return torch.empty(shape, dtype=dtype), torch.empty(shape, dtype=torch.int64)

    out = results(N)
    case(f"sort, 1e6 {type_name}", loop(lambda: torch.sort(v, out=out)))
    case(f"sort descending, 1e6 {type_name}", loop(lambda: torch.sort(v, 0, True, out=out)))
    rows = results((SIDE, SIDE))
    case(f"sort rows, 1000x1000 {type_name}", loop(lambda: torch.sort(m, 1, out=rows)))
    top = results(100)
    case(f"topk 100 of 1e6 {type_name}", loop(lambda: torch.topk(v, 100, out=top)))
    tops = results((SIDE, 10))
    case(f"topk 10 of rows, 1000x1000 {type_name}", loop(lambda: torch.topk(m, 10, 1, out=tops)))
    one = results(())
    case(f"kthvalue 5e5 of 1e6 {type_name}", loop(lambda: torch.kthvalue(v, 500000, out=one)))
    r, square = out[0], rows[0]
    case(f"cumsum, 1e6 {type_name}", loop(lambda: torch.cumsum(v, 0, out=r)))
    pick = torch.randint(0, SIDE, (SIDE, SIDE))
    picks = torch.randint(0, SIDE, (SIDE,))
    for dim, side in enumerate(("first", "last")):
        case(f"cumsum {side}, 1000x1000 {type_name}",
             loop(lambda: torch.cumsum(m, dim, out=square)))
        case(f"gather {side}, 1000x1000 {type_name}",
             loop(lambda: torch.gather(m, dim, pick, out=square)))
        case(f"indexSelect {side}, 1000x1000 {type_name}",
             loop(lambda: torch.index_select(m, dim, picks, out=square)))
    places = torch.randint(0, N, (N,))
    case(f"indexSelect, 1e6 {type_name}", loop(lambda: torch.index_select(v, 0, places, out=r)))
    a, b = torch.rand(1000, dtype=dtype), torch.rand(1000, dtype=dtype)
    short, long = torch.empty(2000, dtype=dtype), torch.empty(2 * N, dtype=dtype)
    case(f"cat, 2 x 1000 {type_name}", loop(lambda: torch.cat((a, b), out=short)))
    case(f"cat, 2 x 1e6 {type_name}", loop(lambda: torch.cat((v, v), out=long)))
    case(f"linspace, 1e6 {type_name}", loop(lambda: torch.linspace(0, 1, N, out=r)))
    case(f"dot, 1e6 {type_name}", loop(lambda: v.dot(v).item()))
