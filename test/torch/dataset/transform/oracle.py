"""Writes oracle.lua: what Pillow makes of small pictures by the operations of augmentation policies.

Run by hand when a case is added: python3 oracle.py (needs Pillow, any recent).
"""
import pathlib

import PIL
from PIL import Image, ImageEnhance, ImageOps

lines = [
    f"-- Written by oracle.py with Pillow {PIL.__version__}.",
    "-- luacheck: no max line length",
    "return {",
]


def put(name, picture):
    channels = picture.split()
    values = ", ".join(str(v) for c in channels for v in c.tobytes())
    sizes = f"{len(channels)}, {picture.height}, {picture.width}"
    lines.append(f"   {name} = {{ sizes = {{ {sizes} }}, {values} }},")


def bytes_of(n, spread, seed):
    """Bytes around 120, the same on every machine."""
    out = bytearray()
    for _ in range(n):
        seed = (seed * 1103515245 + 12345) % 2**31
        out.append(120 + ((seed >> 8) % 1000) * spread // 1000 - spread // 2)
    return bytes(out)


# Equalizing wants more than 255 pixels to do anything.
grey = Image.frombytes("L", (30, 20), bytes_of(600, 90, 1))
put("grey", grey)
put("grey_autocontrast", ImageOps.autocontrast(grey))
put("grey_equalize", ImageOps.equalize(grey))

planes = [Image.frombytes("L", (7, 6), bytes_of(42, 240, seed)) for seed in (2, 3, 4)]
colours = Image.merge("RGB", planes)
put("colours", colours)
put("invert", ImageOps.invert(colours))
put("solarize_100", ImageOps.solarize(colours, 100))
put("posterize_3", ImageOps.posterize(colours, 3))
for name, kind in (
    ("brightness", ImageEnhance.Brightness),
    ("contrast", ImageEnhance.Contrast),
    ("color", ImageEnhance.Color),
    ("sharpness", ImageEnhance.Sharpness),
):
    put(f"{name}_more", kind(colours).enhance(1.7))
    put(f"{name}_less", kind(colours).enhance(0.4))

# Smooth, so that the eighths of a pixel to which Pillow may round do not show.
field = Image.frombytes("L", (15, 13), bytes(10 * x + 7 * y for y in range(13) for x in range(15)))
put("field", field)
put("rotate_25", field.rotate(25, Image.Resampling.BILINEAR))


def affine(*data):
    return field.transform(field.size, Image.Transform.AFFINE, data, Image.Resampling.BILINEAR)


put("shearX_03", affine(1, 0.3, -0.3 * 13 / 2, 0, 1, 0))
put("shearY_03", affine(1, 0, 0, 0.3, 1, -0.3 * 15 / 2))
put("translateX_25", affine(1, 0, -2.5, 0, 1, 0))
put("translateY_25", affine(1, 0, 0, 0, 1, -2.5))

lines.append("}")
pathlib.Path(__file__).with_name("oracle.lua").write_text("\n".join(lines) + "\n")
