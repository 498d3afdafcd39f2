"""Writes oracle.lua: what PyTorch's recurrent layers do, for the specs beside it.

Run by hand when a case is added: python3 oracle.py > oracle.lua (needs PyTorch, any 2.x).
Inputs and parameters are `wave` of their sizes, so that only results are stored.
"""

import math

import torch

torch.set_default_dtype(torch.float64)
T, N, F, H = 4, 3, 2, 3
LENGTHS = [4, 2, 3]


def wave(sizes, phase, scale=0.5):
    count = math.prod(sizes)
    return torch.tensor([scale * math.sin(0.7 * i + phase) for i in range(1, count + 1)]).view(sizes)


def text(t):
    if t.dim() == 0:
        return "%.17g" % t.item()
    return "{ " + ", ".join(text(x) for x in t) + " }"


def case(name, kind, lengths=False, **options):
    net = getattr(torch.nn, kind)(F, H, **options)
    for k, p in enumerate(net.parameters()):
        p.data.copy_(wave(p.shape, k + 1))
    directions = 2 if options.get("bidirectional") else 1
    layers = options.get("num_layers", 1) * directions
    first = options.get("batch_first", False)
    x = wave((N, T, F) if first else (T, N, F), 0.3, 1).requires_grad_()
    h = wave((layers, N, H), 0.5, 0.8).requires_grad_()
    c = wave((layers, N, H), 0.9, 0.8).requires_grad_()
    state = (h, c) if kind == "LSTM" else h
    if lengths:
        packed = torch.nn.utils.rnn.pack_padded_sequence(x, LENGTHS, first, False)
        y, last = net(packed, state)
        y, _ = torch.nn.utils.rnn.pad_packed_sequence(y, first, total_length=T)
    else:
        y, last = net(x, state)
    last = last if kind == "LSTM" else (last,)
    loss = (y * wave(y.shape, 1.3, 1)).sum()
    for k, s in enumerate(last):
        loss = loss + (s * wave(s.shape, 2 + k, 1)).sum()
    loss.backward()
    print(f"   {name} = {{")
    print(f"      y = {text(y)},")
    print(f"      last = {{ {', '.join(text(s) for s in last)} }},")
    print(f"      gx = {text(x.grad)},")
    print(f"      gh = {text(h.grad)},")
    if kind == "LSTM":
        print(f"      gc = {text(c.grad)},")
    print("      parameters = {")
    for p in net.parameters():
        print(f"         {text(p.grad)},")
    print("      },")
    print("   },")


print(f"-- Written by oracle.py with PyTorch {torch.__version__.split('+')[0]}.")
print("-- luacheck: no max line length")
print("return {")
case("lstm", "LSTM")
case("lstm_deep", "LSTM", num_layers=2, bidirectional=True)
case("lstm_lengths", "LSTM", lengths=True, bidirectional=True)
case("gru", "GRU")
case("gru_lengths", "GRU", lengths=True, num_layers=2, bidirectional=True)
case("rnn", "RNN", num_layers=2, bidirectional=True)
case("rnn_relu", "RNN", nonlinearity="relu")
case("lstm_deep_lengths", "LSTM", lengths=True, num_layers=2, bidirectional=True, batch_first=True)
case("lstm_no_bias", "LSTM", num_layers=3, bias=False)
case("gru_first", "GRU", num_layers=2, batch_first=True, bias=False)
case("rnn_lengths", "RNN", lengths=True, num_layers=2, bidirectional=True)
case("rnn_relu_lengths", "RNN", lengths=True, nonlinearity="relu", batch_first=True)
print("}")
