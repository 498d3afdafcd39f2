"""PyTorch's DataLoader at what bench/cases/data/dataset.lua does; pictures by Pillow."""
import os
import random
import statistics
import time

import numpy
import torch
from harness import QUICK, wanted
from PIL import Image
from torch.utils.data import DataLoader, Dataset, TensorDataset

MEAN = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)
STD = torch.tensor([0.229, 0.224, 0.225]).view(3, 1, 1)


def say(name, seconds):
    print(f"{name}\t{torch.get_num_threads()}\t{seconds:.6g}", flush=True)


def per_sample(loader):
    times = []
    for _ in range(2 if QUICK else 4):
        start, count = time.perf_counter(), 0
        for batch in loader:
            count += batch[0].shape[0]
        times.append((time.perf_counter() - start) / count)
    return statistics.median(times[1:])


class Pictures(Dataset):
    """Random resized crop, mirrored, normalised, as torchvision does it on Pillow's pictures."""

    def __init__(self, folder):
        self.names = sorted(os.path.join(folder, name) for name in os.listdir(folder))

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        picture = Image.open(self.names[i]).convert("RGB")
        width, height = picture.size
        box = (0, 0, width, height)
        for _ in range(10):
            area = width * height * random.uniform(0.08, 1)
            ratio = numpy.exp(random.uniform(numpy.log(3 / 4), numpy.log(4 / 3)))
            w, h = int(round((area * ratio) ** 0.5)), int(round((area / ratio) ** 0.5))
            if w <= width and h <= height:
                x, y = random.randint(0, width - w), random.randint(0, height - h)
                box = (x, y, x + w, y + h)
                break
        picture = picture.resize((224, 224), Image.Resampling.BILINEAR, box=box)
        if random.random() < 0.5:
            picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        pixels = torch.from_numpy(numpy.array(picture)).permute(2, 0, 1).contiguous()
        return pixels.float().div_(255).sub_(MEAN).div_(STD), 1


class Batches(Dataset):
    def __len__(self):
        return 200

    def __getitem__(self, i):
        return torch.ones(32, 3, 224, 224)


def handed_over():
    times = []
    following = iter(DataLoader(Batches(), batch_size=None, num_workers=2, prefetch_factor=2))
    while True:
        start = time.perf_counter()
        while time.perf_counter() < start + 0.03:
            pass
        start = time.perf_counter()
        try:
            next(following)
        except StopIteration:
            return statistics.median(times)
        times.append(time.perf_counter() - start)


class Stamped(Batches):
    def __getitem__(self, i):
        return torch.ones(32, 3, 224, 224), time.monotonic()


def waited_for():
    times = []
    for _, made in DataLoader(Stamped(), batch_size=None, num_workers=2, prefetch_factor=2):
        times.append(time.monotonic() - made)
    return statistics.median(times)


name = "JPEG 500x375, random crop to 224x224, mirrored, normalised; 2 workers"
if wanted(name):
    folder = os.environ.get("BENCH_IMAGES", "/tmp/luatorch-bench-images")
    say(name, per_sample(DataLoader(Pictures(folder), batch_size=32, shuffle=True, num_workers=2,
                                    persistent_workers=True)))

name = "a batch of 32x3x224x224 floats handed over; 2 workers"
if wanted(name):
    say(name, handed_over())

name = "a batch of 32x3x224x224 floats waited for; 2 workers"
if wanted(name):
    say(name, waited_for())

N = 100000
for label, kind, size in (("16 floats", torch.float, 16), ("28x28 bytes", torch.uint8, 784)):
    name = f"a sample of {label} from memory, batches of 128, shuffled"
    if wanted(name):
        data = TensorDataset(torch.ones(N, size, dtype=kind), torch.randint(1, 11, (N,)))
        say(name, per_sample(DataLoader(data, batch_size=128, shuffle=True)))
