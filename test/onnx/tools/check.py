"""Compares what test/onnx/tools/write_nets.lua wrote with onnx's checker and onnxruntime.

    th test/onnx/tools/write_nets.lua FOLDER && python test/onnx/tools/check.py FOLDER

Each NAME.onnx goes through the checker with its inference of sizes, then onnxruntime computes the inputs x1,
x2, ... of NAME.safetensors; its outputs have to be y1, y2, ... within 1e-5 of their size. Used with
onnx 1.23.2 and onnxruntime 1.32.0.
"""
import glob
import os
import sys

import numpy as np
import onnx
import onnxruntime
from safetensors.numpy import load_file


def check(path):
    onnx.checker.check_model(onnx.load(path), full_check=True)
    data = load_file(path[:-5] + ".safetensors")
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    inputs = {one.name: data[f"x{i + 1}"] for i, one in enumerate(session.get_inputs())}
    worst = 0
    for i, found in enumerate(session.run(None, inputs)):
        wanted = data[f"y{i + 1}"]
        if found.shape != wanted.shape:
            raise ValueError(f"output {i + 1} is {found.shape}, wanted {wanted.shape}")
        size = max(1, np.abs(wanted.astype(np.float64)).max())
        worst = max(worst, np.abs(found.astype(np.float64) - wanted).max() / size)
    if not worst <= 1e-5:
        raise ValueError(f"off by {worst:g}")
    return worst


def main():
    onnxruntime.set_default_logger_severity(4)
    good, bad, worst = 0, 0, 0
    for path in sorted(glob.glob(sys.argv[1] + "/*.onnx")):
        name = os.path.basename(path)
        try:
            off = check(path)
            good, worst = good + 1, max(worst, off)
            if name.startswith(("net_", "function_")):
                print(f"{name:32} off by {off:.1e}")
        except Exception as error:
            bad += 1
            print(name, str(error)[:300].replace("\n", " "))
    print(f"{good} agree with onnxruntime {onnxruntime.__version__} within {worst:.1e}, {bad} do not")
    sys.exit(bad > 0)


main()
