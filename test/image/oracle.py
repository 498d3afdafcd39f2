"""Writes oracle.lua, and the files of test/data/image: what Pillow, SciPy and PyTorch make of small pictures.

Run by hand when a case is added: python3 oracle.py (needs Pillow, SciPy and PyTorch, any recent).
"""
import colorsys
import io
import pathlib
import zlib

import numpy as np
import PIL
import scipy
import scipy.ndimage
import scipy.signal
import torch
import torch.nn.functional as F
from PIL import Image

here = pathlib.Path(__file__).parent
files = here.parent / "data" / "image"
files.mkdir(exist_ok=True)

lines = [
    f"-- Written by oracle.py with Pillow {PIL.__version__}, SciPy {scipy.__version__}, PyTorch {torch.__version__}.",
    "-- luacheck: no max line length",
    "return {",
]


def put(name, array):
    array = np.asarray(array)
    flat = ", ".join(f"{v:.10g}" for v in array.astype(float).ravel())
    sizes = ", ".join(str(n) for n in array.shape)
    lines.append(f"   {name} = {{ sizes = {{ {sizes} }}, {flat} }},")


def noise(*sizes):
    """0..1, the same on every machine; the specs get it by name."""
    state, out = 12345, []
    for _ in range(int(np.prod(sizes))):
        state = (state * 1103515245 + 12345) % 2**31
        out.append((state >> 8) % 1000 / 1000)
    return np.array(out).reshape(sizes)


# --- sizes ---------------------------------------------------------------------------------------
x = noise(2, 5, 7)
put("picture", x)
t = torch.from_numpy(x)[None]
put("bilinear_9x11", F.interpolate(t, (9, 11), mode="bilinear", align_corners=True)[0])
# A pixel of the result is the mean of what it covers: every pixel split into as many as there will
# be, then averaged in whole numbers.
fine = np.repeat(np.repeat(x, 3, 1), 4, 2)
put("area_3x4", fine.reshape(2, 3, 5, 4, 7).mean((2, 4)))
put("nearest_3x4", x[:, [0, 1, 3]][:, :, [0, 1, 3, 5]])
whole = np.floor(noise(1, 6, 9) * 256).astype(np.uint8)
put("bytes", whole)
put("bytes_box_2x3", np.asarray(Image.fromarray(whole[0]).resize((3, 2), Image.Resampling.BOX)))

# --- warps ---------------------------------------------------------------------------------------
p = noise(2, 6, 8)
put("warped", p)
field = noise(2, 4, 5) * np.array([8, 10])[:, None, None] - 1.5  # some off the picture
put("field", field)


def mapped(order, mode):
    return np.stack([scipy.ndimage.map_coordinates(c, field, order=order, mode=mode) for c in p])


put("warp_bilinear", mapped(1, "nearest"))
put("warp_simple", mapped(0, "nearest"))
grid = torch.from_numpy(np.stack([field[1] / 7 * 2 - 1, field[0] / 5 * 2 - 1], -1))[None]
inside = (field[0] >= 0) & (field[0] <= 5) & (field[1] >= 0) & (field[1] <= 7)
padded = F.grid_sample(torch.from_numpy(p)[None], grid, "bilinear", "border", align_corners=True)[0].numpy()
put("warp_padded", np.where(inside, padded, 0.25))
angle = 0.7
put("rotated", np.stack([scipy.ndimage.rotate(c, np.degrees(angle), reshape=False, order=1) for c in p]))

# --- colours -------------------------------------------------------------------------------------
colours = noise(3, 4, 5)
colours[:, 0, 0] = 0.5
colours[:, 0, 1] = [1, 0, 0]
colours[:, 0, 2] = [0, 0, 1]
colours[:, 0, 3] = 0
put("colours", colours)


def each(f):
    out = np.zeros_like(colours)
    for i in np.ndindex(colours.shape[1:]):
        out[(slice(None), *i)] = f(*colours[(slice(None), *i)])
    return out


def hsl(r, g, b):
    h, l, s = colorsys.rgb_to_hls(r, g, b)
    return h, s, l


put("hsv", each(colorsys.rgb_to_hsv))
put("hsl", each(hsl))

# --- filters -------------------------------------------------------------------------------------
kernel = noise(3, 2)
put("kernel", kernel)
for mode in ("valid", "full", "same"):
    put(f"convolved_{mode}", scipy.signal.convolve2d(p[0], kernel, mode))
shape = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 0], [0, 0, 0]])
put("footprint", shape)
put("eroded", scipy.ndimage.grey_erosion(p[0], footprint=shape, mode="constant", cval=0.4))
put("dilated", scipy.ndimage.grey_dilation(p[0], footprint=shape, mode="constant", cval=0.4))

# --- files ---------------------------------------------------------------------------------------
# Smooth, so that JPEG keeps it.
rows, columns = np.mgrid[0:21, 0:34]
smooth = np.stack([rows * 12, columns * 7, 255 - rows * 5 - columns * 4], -1).clip(0, 255).astype(np.uint8)
coloured = Image.fromarray(smooth)
grey = coloured.convert("L")


def save(name, picture, **options):
    picture.save(files / name, **options)
    return np.asarray(Image.open(files / name).convert(options.pop("as_mode", picture.mode)))


def decoded(name, array):
    put(name.replace(".", "_"), array.transpose(2, 0, 1) if array.ndim == 3 else array[None])


for name, picture, options in (
    ("baseline.jpg", coloured, dict(quality=90)),
    ("full_chroma.jpg", coloured, dict(quality=90, subsampling=0)),
    ("progressive.jpg", coloured, dict(quality=90, progressive=True)),
    ("restarts.jpg", coloured, dict(quality=90, restart_marker_blocks=2)),
    ("grey.jpg", grey, dict(quality=90)),
):
    decoded(name, save(name, picture, **options))
save("inks.jpg", coloured.convert("CMYK"), quality=95)
decoded("inks.jpg", np.asarray(Image.open(files / "inks.jpg").convert("RGB")))
save("rgb.jpg", coloured, quality=90, keep_rgb=True)
decoded("rgb.jpg", np.asarray(Image.open(files / "rgb.jpg").convert("RGB")))

small = coloured.crop((0, 0, 9, 6))
opaque = np.asarray(small)
alpha = np.concatenate([opaque, (np.arange(54).reshape(6, 9, 1) * 4).astype(np.uint8)], -1)
for name, picture, mode in (
    ("colours.png", small, "RGB"),
    ("alpha.png", Image.fromarray(alpha), "RGBA"),
    ("grey.png", small.convert("L"), "L"),
    ("grey_alpha.png", Image.fromarray(alpha).convert("LA"), "LA"),
    ("palette.png", small.quantize(7), "RGB"),
    ("bits.png", small.convert("L").point(lambda v: 255 if v > 120 else 0).convert("1"), "L"),
):
    picture.save(files / name)
    decoded(name, np.asarray(Image.open(files / name).convert(mode)))
# 16 bits, and interlaced (Adam7), which Pillow does not write.
deep = (np.arange(12).reshape(3, 4) * 5461).astype(np.uint16)
Image.fromarray(deep).save(files / "deep.png")
decoded("deep.png", np.asarray(Image.open(files / "deep.png")).astype(np.int64))


def chunk(kind, data):
    body = kind + data
    return len(data).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")


raw = b""
a = np.asarray(small.convert("L"))
for y, x0, dy, dx in ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)):
    for row in a[y::dy, x0::dx]:
        if len(row):
            raw += b"\0" + row.tobytes()
header = (9).to_bytes(4, "big") + (6).to_bytes(4, "big") + bytes([8, 0, 0, 0, 1])
png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")
assert (np.asarray(Image.open(io.BytesIO(png))) == a).all()
(files / "interlaced.png").write_bytes(png)
decoded("interlaced.png", a)
small.save(files / "colours.ppm")
small.convert("L").save(files / "grey.pgm")
(files / "letters.ppm").write_text("P3 # colours\n2 1\n# the largest\n15\n0 15 3\n 5 10 15\n")
(files / "deep.pgm").write_bytes(b"P5\n2 1\n1000\n" + (250).to_bytes(2, "big") + (1000).to_bytes(2, "big"))

lines.append("}")
(here / "oracle.lua").write_text("\n".join(lines) + "\n")
