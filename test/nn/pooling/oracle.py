"""Writes oracle.lua: what PyTorch's pooling, padding, enlarging and local response normalisation do.

Run by hand when a case is added: python3 oracle.py > oracle.lua (needs PyTorch, any 2.x).
Inputs and gradients are `wave` of their sizes, so that only results are stored.
"""

import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
IMAGE, VOLUME, SEQUENCE = (2, 2, 7, 6), (1, 2, 5, 4, 6), (2, 9, 3)


def wave(sizes, phase):
    count = math.prod(sizes)
    return torch.tensor([math.sin(0.7 * i + phase) for i in range(1, count + 1)]).view(sizes)


def over_time(f):
    return lambda x: f(x.transpose(1, 2)).transpose(1, 2)


def unpool2(x):
    y, at = F.max_pool2d(x, 2, return_indices=True)
    return F.max_unpool2d(y, at, 2, output_size=x.shape[2:])


def unpool3(x):
    y, at = F.max_pool3d(x, 2, return_indices=True)
    return F.max_unpool3d(y, at, 2, output_size=x.shape[2:])


up = F.interpolate
# what the layer is in Lua, what it is here, the input's size
CASES = [
    ("nn.SpatialMaxPooling(3, 2, 2, 1, 1, 1)",
     lambda x: F.max_pool2d(x, (2, 3), (1, 2), (1, 1)), IMAGE),
    ("nn.SpatialMaxPooling(3, 3, 2, 2):ceil()",
     lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True), IMAGE),
    ("nn.SpatialDilatedMaxPooling(2, 3, 1, 2, 1, 1, 3, 2)",
     lambda x: F.max_pool2d(x, (3, 2), (2, 1), 1, (2, 3)), IMAGE),
    ("nn.SpatialAveragePooling(3, 2, 2, 1, 1, 1)",
     lambda x: F.avg_pool2d(x, (2, 3), (1, 2), (1, 1)), IMAGE),
    ("nn.SpatialAveragePooling(3, 3, 2, 2, 1, 1):ceil():setCountExcludePad()",
     lambda x: F.avg_pool2d(x, 3, 2, 1, True, False), IMAGE),
    ("nn.SpatialAveragePooling(2, 3, 3, 3)", lambda x: F.avg_pool2d(x, (3, 2), 3), IMAGE),
    ("nn.VolumetricMaxPooling(3, 2, 2, 2, 1, 2, 1, 0, 1)",
     lambda x: F.max_pool3d(x, (3, 2, 2), (2, 2, 1), (1, 1, 0)), VOLUME),
    ("nn.VolumetricDilatedMaxPooling(2, 2, 2, 1, 1, 2, 1, 0, 1, 2, 3, 1)",
     lambda x: F.max_pool3d(x, 2, (1, 2, 1), (1, 1, 0), (2, 1, 3)), VOLUME),
    ("nn.VolumetricAveragePooling(3, 2, 2, 2, 1, 2, 1, 0, 1)",
     lambda x: F.avg_pool3d(x, (3, 2, 2), (2, 2, 1), (1, 1, 0)), VOLUME),
    ("nn.TemporalMaxPooling(3, 2)", over_time(lambda x: F.max_pool1d(x, 3, 2)), SEQUENCE),
    ("nn.SpatialAdaptiveMaxPooling(4, 3)", lambda x: F.adaptive_max_pool2d(x, (3, 4)), IMAGE),
    ("nn.SpatialAdaptiveMaxPooling(8, 9)", lambda x: F.adaptive_max_pool2d(x, (9, 8)), IMAGE),
    ("nn.SpatialAdaptiveAveragePooling(4, 3)", lambda x: F.adaptive_avg_pool2d(x, (3, 4)), IMAGE),
    ("nn.SpatialAdaptiveAveragePooling(8, 2)", lambda x: F.adaptive_avg_pool2d(x, (2, 8)), IMAGE),
    ("nn.SpatialLPPooling(2, 4, 2, 3)", lambda x: F.lp_pool2d(x, 4, (3, 2)), IMAGE),
    ("pool2:add(nn.SpatialMaxUnpooling(pool2:get(1)))", unpool2, IMAGE),
    ("pool3:add(nn.VolumetricMaxUnpooling(pool3:get(1)))", unpool3, VOLUME),
    ("nn.SpatialZeroPadding(1, -2, 3, 0)", lambda x: F.pad(x, (1, -2, 3, 0)), IMAGE),
    ("nn.SpatialReflectionPadding(5, 1, 6, 0)",
     lambda x: F.pad(x, (5, 1, 6, 0), "reflect"), IMAGE),
    ("nn.SpatialReplicationPadding(5, 1, 7, 0)",
     lambda x: F.pad(x, (5, 1, 7, 0), "replicate"), IMAGE),
    ("nn.VolumetricReplicationPadding(1, 2, 0, 3, 2, 6)",
     lambda x: F.pad(x, (1, 2, 0, 3, 2, 6), "replicate"), VOLUME),
    ("nn.SpatialUpSamplingNearest(3)", lambda x: up(x, scale_factor=3), IMAGE),
    ("nn.SpatialUpSamplingBilinear(2)",
     lambda x: up(x, scale_factor=2, mode="bilinear", align_corners=True), IMAGE),
    ("nn.SpatialUpSamplingBilinear { oheight = 5, owidth = 13 }",
     lambda x: up(x, (5, 13), mode="bilinear", align_corners=True), IMAGE),
    ("nn.UpSampling(2)", lambda x: up(x, scale_factor=2), VOLUME),
    ("nn.UpSampling(2, 'linear')",
     lambda x: up(x, scale_factor=2, mode="trilinear", align_corners=True), VOLUME),
    ("nn.PixelShuffle(2)", lambda x: F.pixel_shuffle(x, 2), (2, 8, 2, 3)),
    ("nn.SpatialCrossMapLRN(3, 0.7, 0.6, 2)",
     lambda x: F.local_response_norm(x, 3, 0.7, 0.6, 2), (2, 5, 2, 3)),
]


def flat(t):
    return "{ " + ", ".join("%.17g" % v for v in t.reshape(-1).tolist()) + " }"


def sizes(t):
    return "{ " + ", ".join(map(str, t)) + " }"


print(f"-- Written by oracle.py with PyTorch {torch.__version__.split('+')[0]}, in float64.")
print("-- luacheck: no max line length")
print("return {")
for make, f, size in CASES:
    x = wave(size, 0.3).requires_grad_()
    y = f(x)
    (y * wave(y.shape, 1.3)).sum().backward()
    print(f'   {{ make = "{make}", x = {sizes(size)}, size = {sizes(y.shape)},')
    print(f"      y = {flat(y)},")
    print(f"      gx = {flat(x.grad)} }},")
print("}")
