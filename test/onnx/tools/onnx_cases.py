"""ONNX's own test cases for operators, from Debian's libonnx-testdata, as files for read_cases.lua.

    apt-get download libonnx-testdata && dpkg -x libonnx-testdata*.deb DATA
    python test/onnx/tools/onnx_cases.py DATA FOLDER && th test/onnx/tools/read_cases.lua FOLDER

Each case is NAME.onnx with its inputs x1, x2, ... and outputs y1, y2, ... in NAME.safetensors; cases with
types that these files do not hold are left out. Used with libonnx-testdata 1.12.0-2 and Python's onnx 1.23.2.
"""
import glob
import os
import shutil
import sys

import numpy as np
import onnx
from onnx import numpy_helper
from safetensors.numpy import save_file


def tensor(path):
    proto = onnx.TensorProto()  # half precision of the other kind comes as integers
    with open(path, "rb") as file:
        proto.ParseFromString(file.read())
    array = np.ascontiguousarray(numpy_helper.to_array(proto))
    if proto.data_type == onnx.TensorProto.BFLOAT16:
        raise TypeError("bfloat16")
    if array.dtype == np.bool_:
        array = array.astype(np.uint8)
    if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8 or array.dtype.name.startswith(
            ("float8", "int4", "uint4")):
        raise TypeError(array.dtype)
    return array


def main():
    data, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for case in sorted(glob.glob(data + "/**/node/test_*", recursive=True)):
        tensors = {}
        if "BFLOAT16" in case:  # NumPy has them as integers of 16 bits
            continue
        try:
            for letter, kind in (("x", "input"), ("y", "output")):
                paths = glob.glob(f"{case}/test_data_set_0/{kind}_*.pb")
                for i in range(len(paths)):
                    tensors[f"{letter}{i + 1}"] = tensor(f"{case}/test_data_set_0/{kind}_{i}.pb")
            save_file(tensors, f"{folder}/{os.path.basename(case)}.safetensors")
        except Exception:
            continue
        shutil.copy(case + "/model.onnx", f"{folder}/{os.path.basename(case)}.onnx")
    print(len(glob.glob(folder + "/*.onnx")), "cases")


main()
