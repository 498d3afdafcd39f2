"""Writes the files beside it, as the reference implementation writes them, for test/safetensors.

Run by hand when a file is added: python3 generate.py (needs safetensors, numpy and PyTorch; versions.txt
says which wrote what is here).
"""

import os
import sys

import numpy as np
import safetensors
import safetensors.numpy
import safetensors.torch
import torch

os.chdir(os.path.dirname(os.path.abspath(__file__)))
WIDE = torch.tensor([[0, 1, -2], [30000, -30001, 32767]])

safetensors.torch.save_file(
    {
        "U8": torch.tensor([0, 1, 200], dtype=torch.uint8),
        "BOOL": torch.tensor([True, False, True]),
        "I8": torch.tensor([[0, 1], [-2, 127]], dtype=torch.int8),
        "I16": WIDE.to(torch.int16),
        "I32": (WIDE * 65536 + 5).to(torch.int32),
        "I64": WIDE * (1 << 40) + 7,
        "F16": (WIDE / 64).half(),
        "BF16": (torch.arange(6) / 4).bfloat16().view(3, 2),
        "F32": WIDE.float() / 64,
        "F64": WIDE.double() / 3,
        "number": torch.tensor(2.5),
        "empty": torch.zeros(0, 3),
        "a/b\"c": torch.ones(2, 1, 2),
    },
    "torch.safetensors",
    metadata={"format": "pt"},
)
safetensors.numpy.save_file(
    {
        "U16": np.array([1, 65535], "<u2"),
        "U32": np.array([1, 4294967295], "<u4"),
        "U64": np.array([1, 2**53], "<u8"),
    },
    "unsigned.safetensors",
)
safetensors.numpy.save_file({"x": np.array([1, 2**63], "<u8")}, "large.safetensors")
safetensors.torch.save_file(
    {"f8": torch.ones(4).to(torch.float8_e4m3fn), "x": torch.arange(3.0)}, "float8.safetensors"
)


class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(2, 2, bias=False)
        self.b = torch.nn.Linear(2, 2, bias=False)
        self.b.weight = self.a.weight
        with torch.no_grad():
            self.a.weight.copy_(torch.arange(4.0).view(2, 2))


safetensors.torch.save_model(Tied(), "tied.safetensors")
# What safetensors.save of test/safetensors writes, byte by byte.
safetensors.torch.save_file(
    {
        "weight": torch.arange(6.0).view(2, 3),
        "steps": torch.tensor([7]),
        "mask": torch.tensor([0, 1, 1], dtype=torch.uint8),
        "half": torch.tensor([0.5, -2]).half(),
        "brain": torch.tensor([3.0]).bfloat16(),
        "short": torch.tensor([-5], dtype=torch.int16),
        "double": torch.tensor([0.1], dtype=torch.float64),
        "int": torch.tensor([9, 8], dtype=torch.int32),
        "char": torch.tensor([-1], dtype=torch.int8),
        "truth": torch.tensor([True, False]),
    },
    "written.safetensors",
    metadata={"k": 'v"\n\u00e9/'},
)

with open("versions.txt", "w") as file:
    file.write(
        "safetensors %s, PyTorch %s, numpy %s, Python %s\n"
        % (safetensors.__version__, torch.__version__, np.__version__, sys.version.split()[0])
    )
