"""The nets of the training and inference benchmarks, with their data: the same as bench/nets.lua."""
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

SYMBOLS = 65


def mlp(*sizes):
    layers = []
    for i in range(len(sizes) - 1):
        layers += [nn.Linear(sizes[i], sizes[i + 1]), nn.ReLU(True)]
    return nn.Sequential(*layers[:-1])


def lenet():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.Tanh(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.Tanh(), nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(16 * 5 * 5, 120), nn.Tanh(),
        nn.Linear(120, 84), nn.Tanh(),
        nn.Linear(84, 10),
    )  # fmt: skip


def vgg():
    layers, planes = [], 3
    for outputs in (64, 64, None, 128, 128, None, 256, 256, None):
        if outputs is None:
            layers.append(nn.MaxPool2d(2))
        else:
            layers += [nn.Conv2d(planes, outputs, 3, padding=1), nn.ReLU(True)]
            planes = outputs
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(256 * 4 * 4, 512), nn.ReLU(True), nn.Linear(512, 10))


def convolution(planes, outputs, size, stride):
    return nn.Sequential(
        nn.Conv2d(planes, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs)
    )


class Residual(nn.Module):
    def __init__(self, f, planes, outputs, stride):
        super().__init__()
        self.f = f
        self.straight = (
            nn.Identity() if stride == 1 and planes == outputs else convolution(planes, outputs, 1, stride)
        )

    def forward(self, x):
        return F.relu_(self.f(x) + self.straight(x))


def basic(planes, outputs, stride):
    f = nn.Sequential(
        convolution(planes, outputs, 3, stride), nn.ReLU(True), convolution(outputs, outputs, 3, 1)
    )
    return Residual(f, planes, outputs, stride)


def bottleneck(planes, outputs, stride):
    inner = outputs // 4
    f = nn.Sequential(
        convolution(planes, inner, 1, 1), nn.ReLU(True),
        convolution(inner, inner, 3, stride), nn.ReLU(True),
        convolution(inner, outputs, 1, 1),
    )  # fmt: skip
    return Residual(f, planes, outputs, stride)


def stages(block, planes, counts, outputs):
    layers = []
    for i, count in enumerate(counts):
        for j in range(count):
            layers.append(block(planes, outputs[i], 2 if i > 0 and j == 0 else 1))
            planes = outputs[i]
    return layers


def resnet20():
    return nn.Sequential(
        convolution(3, 16, 3, 1), nn.ReLU(True),
        *stages(basic, 16, (3, 3, 3), (16, 32, 64)),
        nn.AvgPool2d(8), nn.Flatten(), nn.Linear(64, 10),
    )  # fmt: skip


def resnet(block, counts, outputs):
    return nn.Sequential(
        convolution(3, 64, 7, 2), nn.ReLU(True), nn.MaxPool2d(3, 2, 1),
        *stages(block, 64, counts, outputs),
        nn.AvgPool2d(7), nn.Flatten(), nn.Linear(outputs[3], 1000),
    )  # fmt: skip


def double(planes, outputs):
    return nn.Sequential(
        nn.Conv2d(planes, outputs, 3, padding=1), nn.ReLU(True),
        nn.Conv2d(outputs, outputs, 3, padding=1), nn.ReLU(True),
    )  # fmt: skip


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.outer, self.second, self.middle = double(1, 32), double(32, 64), double(64, 128)
        self.up2, self.up1 = nn.ConvTranspose2d(128, 64, 2, 2), nn.ConvTranspose2d(64, 32, 2, 2)
        self.back2, self.back1 = double(128, 64), double(64, 32)
        self.last = nn.Conv2d(32, 1, 1)

    def forward(self, x):
        a = self.outer(x)
        b = self.second(F.max_pool2d(a, 2))
        c = self.middle(F.max_pool2d(b, 2))
        b = self.back2(torch.cat((b, self.up2(c)), 1))
        a = self.back1(torch.cat((a, self.up1(b)), 1))
        return self.last(a)


class LSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(SYMBOLS, 128)
        self.lstm = nn.LSTM(128, 128, 2, batch_first=True)
        self.last = nn.Linear(128, SYMBOLS)

    def forward(self, x):
        return self.last(self.lstm(self.embedding(x))[0].reshape(-1, 128))


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(SYMBOLS, 128)
        self.positions = nn.Parameter(torch.randn(128, 128) * 0.02)
        layer = nn.TransformerEncoderLayer(128, 4, 512, 0.0, F.gelu, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 4, nn.LayerNorm(128), enable_nested_tensor=False)
        self.register_buffer("mask", nn.Transformer.generate_square_subsequent_mask(128), False)
        self.last = nn.Linear(128, SYMBOLS)

    def forward(self, x):
        y = self.encoder(self.embedding(x) + self.positions, mask=self.mask, is_causal=True)
        return self.last(y.reshape(-1, 128))


NETS = (
    ("LeNet 1x28x28 b%d", lenet, (1, 28, 28), 10, 128),
    ("MLP 784-1024-1024-10 b%d", lambda: mlp(784, 1024, 1024, 10), (784,), 10, 128),
    ("VGG-like 3x32x32 b%d", vgg, (3, 32, 32), 10, 64),
    ("ResNet-20 3x32x32 b%d", resnet20, (3, 32, 32), 10, 64),
    ("ResNet-18 3x224x224 b%d", lambda: resnet(basic, (2, 2, 2, 2), (64, 128, 256, 512)), (3, 224, 224), 1000, 8),
    ("ResNet-50 3x224x224 b%d", lambda: resnet(bottleneck, (3, 4, 6, 3), (256, 512, 1024, 2048)), (3, 224, 224), 1000, 4),
    ("U-Net-like 1x128x128 b%d", UNet, (1, 128, 128), None, 4),
    ("LSTM 2x128 seq 50 b%d", LSTM, (50,), SYMBOLS, 50),
    ("Transformer 4x128 seq 128 b%d", Transformer, (128,), SYMBOLS, 32),
)  # fmt: skip


class Net:
    """A row of NETS with a number of samples; made when asked for."""

    def __init__(self, row, batch):
        name, self.model, self.size, self.classes, usual = row
        self.batch = batch or usual
        self.name = name % self.batch

    def make(self):
        torch.manual_seed(1)
        model = self.model()
        if self.classes == SYMBOLS:
            x = torch.randint(0, SYMBOLS, (self.batch, *self.size))
            return model, F.cross_entropy, x, torch.randint(0, SYMBOLS, (self.batch * self.size[0],))
        x = torch.rand(self.batch, *self.size)
        if self.classes is None:
            return model, F.mse_loss, x, torch.rand(self.batch, *self.size)
        return model, F.cross_entropy, x, torch.randint(0, self.classes, (self.batch,))


def each(batch=None):
    return (Net(row, batch) for row in NETS)


def compiled(model, name):
    """With COMPILE=1 the model compiled and a name that says so."""
    if os.environ.get("COMPILE"):
        return torch.compile(model), name + " (compiled)"
    return model, name


def step(model, criterion, x, target):
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-9, momentum=0.9)

    def run():
        optimizer.zero_grad()
        criterion(model(x), target).backward()
        optimizer.step()

    return run
