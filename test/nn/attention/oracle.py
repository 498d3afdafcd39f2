"""Writes oracle.lua: what PyTorch's attention and Transformer layers do, for the spec beside it.

Run by hand when a case is added: python3 oracle.py > oracle.lua (needs PyTorch, any 2.x).
Inputs and parameters are `wave` of their sizes, so that only results are stored.
"""

import math

import torch

torch.set_default_dtype(torch.float64)
N, T, S, F, H = 2, 3, 4, 4, 2
MASK = torch.tensor([[False, False, False, True], [False, False, True, True]])


def wave(sizes, phase, scale=0.5):
    count = math.prod(sizes)
    return torch.tensor([scale * math.sin(0.7 * i + phase) for i in range(1, count + 1)]).view(sizes)


def text(t):
    if t.dim() == 0:
        return "%.17g" % t.item()
    return "{ " + ", ".join(text(x) for x in t) + " }"


def fill(net):
    for k, p in enumerate(net.parameters()):
        p.data.copy_(wave(p.shape, k + 1))
    return net


def case(name, f, sizes, net=None):
    xs = [wave(s, 0.3 + k, 1).requires_grad_() for k, s in enumerate(sizes)]
    y = f(*xs)
    (y * wave(y.shape, 1.3, 1)).sum().backward()
    print(f"   {name} = {{")
    print(f"      y = {text(y)},")
    print(f"      gx = {{ {', '.join(text(x.grad) for x in xs)} }},")
    if net is not None:
        print(f"      parameters = {{ {', '.join(text(p.grad) for p in net.parameters())} }},")
    print("   },")


print(f"-- Written by oracle.py with PyTorch {torch.__version__.split('+')[0]}.")
print("-- luacheck: no max line length")
print("return {")
attend = torch.nn.functional.scaled_dot_product_attention
case("plain", attend, [(N, T, F), (N, S, F), (N, S, 3)])
case("causal", lambda q, k, v: attend(q, k, v, is_causal=True), [(N, H, T, F)] * 3)
case("masked", lambda q, k, v: attend(q, k, v, attn_mask=~MASK[:, None, None, :]),
     [(N, H, T, F), (N, H, S, F), (N, H, S, F)])
heads = fill(torch.nn.MultiheadAttention(F, H, batch_first=True))
case("heads", lambda q, c: heads(q, c, c, key_padding_mask=MASK)[0], [(N, T, F), (N, S, F)], heads)
future = torch.ones(T, T, dtype=torch.bool).triu(1)
for norm_first in (False, True):
    place = "front" if norm_first else "behind"
    options = dict(dim_feedforward=6, dropout=0.0, activation="gelu", batch_first=True,
                   norm_first=norm_first)
    last = lambda: torch.nn.LayerNorm(F) if norm_first else None
    encoder = torch.nn.TransformerEncoderLayer(F, H, **options)
    decoder = torch.nn.TransformerDecoderLayer(F, H, **options)
    encoders = torch.nn.TransformerEncoder(encoder, 2, last(), enable_nested_tensor=False)
    decoders = torch.nn.TransformerDecoder(decoder, 2, last())
    for name, net in (("encoder", encoder), ("encoders", encoders)):
        fill(net)
        case(f"{name}_{place}", lambda x: net(x, src_key_padding_mask=MASK), [(N, S, F)], net)
        net.zero_grad()
        mask = {"mask" if name == "encoders" else "src_mask": future}
        case(f"{name}_causal_{place}", lambda x: net(x, **mask), [(N, T, F)], net)
    for name, net in (("decoder", decoder), ("decoders", decoders)):
        fill(net)
        case(f"{name}_{place}", lambda x, m: net(x, m, tgt_mask=future,
                                                 memory_key_padding_mask=MASK),
             [(N, T, F), (N, S, F)], net)
        net.zero_grad()
        case(f"{name}_padded_{place}", lambda x, m: net(x, m, tgt_mask=future,
                                                        tgt_key_padding_mask=MASK[:, 1:]),
             [(N, T, F), (N, S, F)], net)
print("}")
