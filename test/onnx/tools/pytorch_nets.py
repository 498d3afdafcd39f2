"""Nets exported by PyTorch, with an input and the output that PyTorch gives: test/data/onnx.

    python test/onnx/tools/pytorch_nets.py FOLDER [--large]

Small ones have random weights and few planes and are kept with the sources; --large writes them as wide
as their papers have them, for a run by hand (test/onnx/tools/read_nets.lua FOLDER). Each net is
NAME.onnx, and NAME.safetensors with x1, x2, ... and y1, y2, ... Written with PyTorch 2.15.0, onnx 1.23,
onnxscript 0.7.
"""
import sys
import warnings

import onnx
import torch
from safetensors.torch import save_file
from torch import nn

warnings.filterwarnings("ignore")


class Block(nn.Module):
    """Of ResNet-18: He et al., CVPR 2016, figure 2."""

    def __init__(self, inputs, outputs, step):
        super().__init__()
        self.a = nn.Conv2d(inputs, outputs, 3, step, 1, bias=False)
        self.na = nn.BatchNorm2d(outputs)
        self.b = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.nb = nn.BatchNorm2d(outputs)
        self.short = nn.Sequential()
        if step > 1 or inputs != outputs:
            self.short = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, step, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = torch.relu(self.na(self.a(x)))
        return torch.relu(self.nb(self.b(y)) + self.short(x))


def resnet18(width):
    layers = [nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
              nn.MaxPool2d(3, 2, 1)]
    inputs = width
    for i in range(4):
        outputs = width * 2**i
        layers += [Block(inputs, outputs, 1 if i == 0 else 2), Block(outputs, outputs, 1)]
        inputs = outputs
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 10))


class Inverted(nn.Module):
    """Of MobileNetV2 (Sandler et al., CVPR 2018) and, with a gate, V3 (Howard et al., ICCV 2019)."""

    def __init__(self, inputs, inner, outputs, step, activation, gate):
        super().__init__()
        layers = [nn.Conv2d(inputs, inner, 1, bias=False), nn.BatchNorm2d(inner), activation(),
                  nn.Conv2d(inner, inner, 3, step, 1, groups=inner, bias=False),
                  nn.BatchNorm2d(inner), activation()]
        self.front = nn.Sequential(*layers)
        self.gate = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(inner, max(inner // 4, 1), 1), nn.ReLU(),
            nn.Conv2d(max(inner // 4, 1), inner, 1), nn.Hardsigmoid()) if gate else None
        self.back = nn.Sequential(nn.Conv2d(inner, outputs, 1, bias=False), nn.BatchNorm2d(outputs))
        self.same = step == 1 and inputs == outputs

    def forward(self, x):
        y = self.front(x)
        if self.gate is not None:
            y = y * self.gate(y)
        y = self.back(y)
        return x + y if self.same else y


def mobilenet(width, version):
    activation = nn.ReLU6 if version == 2 else nn.Hardswish
    layers = [nn.Conv2d(3, width, 3, 2, 1, bias=False), nn.BatchNorm2d(width), activation()]
    inputs = width
    for factor, step, repeats in ((1, 1, 1), (2, 2, 2), (3, 2, 2), (4, 1, 1)):
        for i in range(repeats):
            outputs = width * factor
            layers.append(Inverted(inputs, inputs * 3, outputs, step if i == 0 else 1, activation,
                                   version == 3))
            inputs = outputs
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.2),
                         nn.Linear(inputs, 10))


class Encoder(nn.Module):
    def __init__(self, features, heads, hidden, words):
        super().__init__()
        self.words = nn.Embedding(words, features)
        layer = nn.TransformerEncoderLayer(features, heads, hidden, batch_first=True,
                                           activation="gelu")
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(features, words)

    def forward(self, x):
        return self.head(self.encoder(self.words(x)))


class Recurrent(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.lstm = nn.LSTM(features, hidden, 2, batch_first=True, bidirectional=True)
        self.gru = nn.GRU(2 * hidden, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 5)

    def forward(self, x):
        y, _ = self.lstm(x)
        y, last = self.gru(y)
        return self.head(y[:, -1]), last


class States(nn.Module):
    """The last states and cells of both directions are outputs, and go on through a linear layer."""

    def __init__(self, features, hidden):
        super().__init__()
        self.lstm = nn.LSTM(features, hidden, bidirectional=True)
        self.head = nn.Linear(2 * hidden, 3)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        return y, h, c, self.head(h.transpose(0, 1).flatten(1))


class Patches(nn.Module):
    """Patches of an image through attention (Dosovitskiy et al., ICLR 2021), and some of them written over."""

    def __init__(self, features, heads, patch, count):
        super().__init__()
        self.patch = nn.Conv2d(3, features, patch, patch)
        self.first = nn.Parameter(torch.randn(1, 1, features))
        self.places = nn.Parameter(torch.randn(1, count + 1, features))
        self.qkv = nn.Linear(features, 3 * features)
        self.heads = heads

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(x.shape[0], -1, -1), x], 1) + self.places
        n, t, f = x.shape
        q, k, v = self.qkv(x).reshape(n, t, 3, self.heads, f // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        y = nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(n, t, f)
        y[:, 1:3] = 0.5
        best, at = y.mean(2).topk(2)
        return best, y.gather(1, at.unsqueeze(-1).expand(-1, -1, f)), y[:, [0, 2]]


def strip(path):
    """What the exporter tells of the sources, larger than the net."""
    model = onnx.load(path)
    del model.metadata_props[:]
    for node in model.graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
    for value in list(model.graph.value_info) + list(model.graph.input) + list(model.graph.output):
        del value.metadata_props[:]
    for value in model.graph.initializer:
        del value.metadata_props[:]
    del model.graph.value_info[:]
    onnx.save(model, path)


def main():
    folder, large = sys.argv[1], "--large" in sys.argv
    width = 64 if large else 3
    size = 96 if large else 20
    images = torch.randn(2 if large else 1, 3, size, size)
    features = 128 if large else 8
    nets = {
        "resnet18": (resnet18(width), images),
        "mobilenetv2": (mobilenet(width, 2), images),
        "mobilenetv3": (mobilenet(width, 3), images),
        "transformer": (Encoder(features, 2, 2 * features, 20), torch.randint(20, (2, 7))),
        "lstm": (Recurrent(features, features), torch.randn(2, 6, features)),
        "states": (States(features, features // 2), torch.randn(5, 2, features)),
        "patches": (Patches(features, 2, size // 4, 16), images),
    }
    if not large:  # a file of 200 KB holds all
        nets["resnet18"] = (resnet18(2), images)
    for name, (net, x) in nets.items():
        for module in net.modules():  # statistics as training leaves them
            if isinstance(module, nn.BatchNorm2d):
                module.running_mean.normal_(0, 0.1)
                module.running_var.uniform_(0.5, 1.5)
                module.weight.data.uniform_(0.5, 1.5)
        net.eval()
        with torch.no_grad():
            y = net(x)
        y = y if isinstance(y, tuple) else (y,)
        tensors = {"x1": x.contiguous()}
        for i, one in enumerate(y):
            tensors[f"y{i + 1}"] = one.contiguous()
        save_file(tensors, f"{folder}/{name}.safetensors")
        for kind, options in (("", {"dynamo": True, "external_data": False}),
                              ("_old", {"dynamo": False})):
            try:
                path = f"{folder}/{name}{kind}.onnx"
                torch.onnx.export(net, (x,), path, **options)
                strip(path)
            except Exception as error:  # an exporter that a version has not
                print(name, kind, type(error).__name__, str(error)[:200])


torch.manual_seed(1)
main()
