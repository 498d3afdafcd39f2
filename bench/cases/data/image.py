"""Pillow on the files that bench/cases/data/image.lua made, on one thread: it has no more."""
import io
import itertools
import os

import numpy
import torch
from harness import case, loop
from PIL import Image

COUNT, SIDE = 1000, 224
folder = os.environ.get("BENCH_IMAGES", "/tmp/luatorch-bench-images")
names = [f"{folder}/{i:04d}.jpg" for i in range(1, COUNT + 1)]


def each(f):
    """One file after the other, round and round."""
    order = itertools.cycle(names)

    def body(n):
        for _ in range(n):
            f(next(order))

    return body


def load(name):
    picture = Image.open(name)
    picture.load()
    return picture


def scaled(name):
    return load(name).resize((SIDE, SIDE), Image.Resampling.BILINEAR)


def planes(name):
    pixels = torch.from_numpy(numpy.array(scaled(name)))
    return pixels.permute(2, 0, 1).contiguous().float().div_(255)


case("JPEG 500x375 to 224x224", each(scaled))
case("JPEG 500x375 to 224x224, planes of floats", each(planes))
case("JPEG 500x375", each(load))

picture = load(names[0])
case("scale 500x375 to 224x224, bytes", loop(lambda: picture.resize((SIDE, SIDE), Image.Resampling.BILINEAR)))
floats = torch.from_numpy(numpy.array(picture)).permute(2, 0, 1).contiguous().float().div_(255)[None]
case(
    "scale 500x375 to 224x224, floats",
    loop(lambda: torch.nn.functional.interpolate(floats, (SIDE, SIDE), mode="bilinear", antialias=True)),
)
case("compress 500x375 as JPEG", loop(lambda: picture.save(io.BytesIO(), "JPEG", quality=75)))
