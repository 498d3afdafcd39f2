"""Writes the files beside it, as NumPy writes them, for test/npy.

Run by hand when a file is added: python3 generate.py (needs numpy and ml_dtypes; versions.txt says which
wrote what is here).
"""

import os
import sys

import ml_dtypes
import numpy as np
from numpy.lib import format as npf

os.chdir(os.path.dirname(os.path.abspath(__file__)))
SMALL = np.array([[0, 1, 2], [100, 101, 127]])
SIGNED = np.array([[0, 1, -2], [100, -101, 127]])
WIDE = np.array([[0, 1, -2], [30000, -30001, 32767]])

for name, kind, values in [
    ("u1", "|u1", SMALL + 128 * (SMALL > 99)),
    ("i1", "|i1", SIGNED),
    ("i2", "<i2", WIDE),
    ("i4", "<i4", WIDE * 65536 + 5),
    ("i8", "<i8", WIDE * (1 << 40) + 7),
    ("f2", "<f2", SIGNED / 8),
    ("f4", "<f4", WIDE / 64),
    ("f8", "<f8", WIDE / 3),
    ("i2_big", ">i2", WIDE),
    ("i4_big", ">i4", WIDE * 65536 + 5),
    ("i8_big", ">i8", WIDE * (1 << 40) + 7),
    ("f2_big", ">f2", SIGNED / 8),
    ("f4_big", ">f4", WIDE / 64),
    ("f8_big", ">f8", WIDE / 3),
    ("u2", "<u2", SMALL * 512 + 1),
    ("u2_big", ">u2", SMALL * 512 + 1),
    ("u4", "<u4", SMALL * (1 << 25) + 3),
    ("u8", "<u8", SMALL * (1 << 40)),
    ("c8", "<c8", SMALL),
    ("g16", "<f16", SMALL),
]:
    np.save(name + ".npy", values.astype(kind))

np.save("u8_large.npy", np.array([1, 2**63], "<u8"))
np.save("b1.npy", np.array([True, False, True]))
np.save("bf16.npy", (np.arange(6) / 4).astype(ml_dtypes.bfloat16))
np.save("fortran.npy", np.asfortranarray(np.arange(24.0).reshape(2, 3, 4)))
np.save("number.npy", np.float64(2.5))
np.save("empty.npy", np.zeros((0, 3), "<f4"))
np.save("one.npy", np.arange(5, dtype="<i4"))
np.save("object.npy", np.array([{"a": 1}], object), allow_pickle=True)
np.save("text.npy", np.array(["a", "bc"]))
np.save("dates.npy", np.array(["2026-11-22"], "<M8[D]"))
np.save("records.npy", np.zeros(2, [("a", "<f4"), ("b", "<i4")]))
for version in (2, 3):
    with open("version%d.npy" % version, "wb") as file:
        npf.write_array(file, np.arange(6, dtype="<f8").reshape(2, 3), (version, 0))
with open("python2.npy", "wb") as file:  # as Python 2 wrote sizes
    text = b"{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 3L), }"
    text += b" " * (-(10 + len(text) + 1) % 16) + b"\n"
    file.write(b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text)
    file.write(np.arange(6, dtype="<f8").tobytes())

arrays = {"x": np.arange(6.0).reshape(2, 3), "name with/slash": np.arange(3, dtype="<i4"), "n": np.int64(7)}
np.savez("stored.npz", **arrays)
np.savez_compressed("packed.npz", big=np.zeros((100, 100), "<f4"), **arrays)
np.savez("list.npz", np.arange(2), np.arange(3))

with open("versions.txt", "w") as file:
    file.write("numpy %s, ml_dtypes %s, Python %s\n" % (np.__version__, ml_dtypes.__version__, sys.version.split()[0]))
