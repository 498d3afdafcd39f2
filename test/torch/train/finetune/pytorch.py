"""Writes test/data/train/pytorch.safetensors: a net of PyTorch's, and what it gives.

Run by hand: python3 test/torch/train/finetune/pytorch.py (needs PyTorch, any 2.x, and safetensors).
"""

import torch
from safetensors.torch import save_file

torch.manual_seed(3)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.features = torch.nn.Sequential(
            torch.nn.Conv2d(2, 4, 3, padding=1), torch.nn.BatchNorm2d(4), torch.nn.ReLU(),
            torch.nn.MaxPool2d(2), torch.nn.Conv2d(4, 6, 3, stride=2, bias=False),
            torch.nn.Tanh(),
        )
        self.embedding = torch.nn.Embedding(7, 6)
        self.classifier = torch.nn.Linear(6, 3)

    def forward(self, x, words):
        h = self.features(x).flatten(1) + self.embedding(words)
        return torch.log_softmax(self.classifier(h), 1)


net = Net()
for _ in range(3):  # running statistics
    net(torch.randn(5, 2, 6, 6) * 2 + 1, torch.zeros(5, dtype=torch.long))
net.eval()
x, words = torch.randn(4, 2, 6, 6), torch.tensor([0, 3, 6, 2])
tensors = {name: t.contiguous() for name, t in net.state_dict().items()}
tensors["sample.x"], tensors["sample.words"] = x, words
tensors["sample.output"] = net(x, words).detach()
save_file(tensors, "test/data/train/pytorch.safetensors", {"made by": f"PyTorch {torch.__version__}"})
