"""Writes the file beside it, as h5py writes it, for test/hdf5.

Run by hand when something is added: python3 generate.py (needs h5py and numpy; versions.txt says which
wrote what is here).
"""

import os
import sys

import h5py
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
WIDE = np.array([[0, 1, -2], [30000, -30001, 32767]])

with h5py.File("h5py.h5", "w") as file:
    group = file.create_group("types")
    for name, kind, values in [
        ("u1", "|u1", [[0, 1, 2], [100, 101, 255]]),
        ("i1", "|i1", [[0, 1, -2], [100, -101, 127]]),
        ("i2", "<i2", WIDE),
        ("i4", "<i4", WIDE * 65536 + 5),
        ("i8", "<i8", WIDE * (1 << 40) + 7),
        ("f2", "<f2", WIDE / 1024),
        ("f4", "<f4", WIDE / 64),
        ("f8", "<f8", WIDE / 3),
        ("i4_big", ">i4", WIDE * 65536 + 5),
        ("f8_big", ">f8", WIDE / 3),
        ("u2", "<u2", [[0, 1, 2], [100, 101, 65535]]),
        ("u4", "<u4", [[0, 1, 2], [100, 101, 4294967295]]),
        ("u8", "<u8", [[0, 1, 2], [100, 101, 1 << 62]]),
        ("bool", "?", [[False, True, True], [True, False, True]]),
    ]:
        group[name] = np.array(values).astype(kind)
    file["number"] = 2.5
    file["empty"] = np.zeros((0, 3), "<f4")
    file.create_dataset("packed", data=np.arange(200.0).reshape(20, 10), chunks=(5, 4), compression="gzip")
    file.create_dataset("growing", data=np.arange(6).reshape(2, 3), maxshape=(None, 3), chunks=(4, 3))

with h5py.File("strange.h5", "w") as file:
    file["text"] = "words"
    file["complex"] = np.ones(2, "<c8")
    file["large"] = np.array([1, 2**63], "<u8")
    file["null"] = h5py.Empty("<f4")
    file["type"] = np.dtype("<f4")
    file.create_dataset("unwritten", (1 << 20, 1 << 20), "<f8", chunks=(1024, 1024))
    inner = file.create_group("a/b")
    inner["up"] = file["a"]
    file["one"] = np.arange(3)
    file["two"] = file["one"]
    file["soft"] = h5py.SoftLink("/nothing")

with open("versions.txt", "w") as file:
    file.write(
        "h5py %s, HDF5 %s, numpy %s, Python %s\n"
        % (h5py.__version__, h5py.version.hdf5_version, np.__version__, sys.version.split()[0])
    )
