"""Files of torch.save, for test/pth/pth_spec.lua. Written with PyTorch 2.15.0.

    python test/data/pth/generate.py
"""
import collections
import os

import torch

os.chdir(os.path.dirname(os.path.abspath(__file__)))
base = torch.arange(12, dtype=torch.float32)
torch.save(collections.OrderedDict([
    ("a.weight", base.view(3, 4)), ("a.turned", base.view(3, 4).t()), ("part", base[4:8:2]),
    ("number", torch.tensor(2.5)), ("empty", torch.zeros(0, 3)),
    ("parameter", torch.nn.Parameter(torch.ones(2)))]), "state.pth")
torch.save({"types": [torch.tensor([1, -2]).to(t) for t in (
    torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8)]
    + [torch.tensor([1, 200], dtype=torch.uint8), torch.tensor([True, False])],
    "epoch": 7, "rate": 0.125, "name": "r\u00e9sum\u00e9", "flag": True, "none": None,
    "large": -3000000000, "tuple": (1, (2, 3)), 5: "five"}, "values.pth")
net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))
torch.manual_seed(1)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.arange(p.numel()).view_as(p) / 4)
torch.save(net.state_dict(), "net.pth")
torch.save(net, "whole.pth")
torch.save({"a": torch.ones(2)}, "old.pth", _use_new_zipfile_serialization=False)
