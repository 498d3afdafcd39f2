"""The cases of bench/cases in PyTorch eager, under the same names.

python bench/pytorch.py THREADS CASE...
"""
import pathlib
import runpy
import sys

import torch

if __name__ == "__main__":
    torch.set_num_threads(int(sys.argv[1]))
    for name in sys.argv[2:]:
        path = pathlib.Path(__file__).parent / "cases" / f"{name}.py"
        if path.exists():  # some cases have another peer
            runpy.run_path(str(path))
