"""The peer of training.lua: PyTorch's DistributedDataParallel with gloo."""
import os
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import nets  # noqa: E402

torch.set_num_threads(1)
rank, size = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
if size > 1:
    dist.init_process_group("gloo")


def case(name, net, criterion, x, target):
    model = DistributedDataParallel(net) if size > 1 else net
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-9)

    def step():
        optimizer.zero_grad()
        criterion(model(x), target).backward()
        optimizer.step()

    for _ in range(5):
        step()
    begun = time.perf_counter()
    step()
    count = torch.tensor([max(10, int(float(os.environ.get("SECONDS_EACH", 5)) / (time.perf_counter() - begun)))])
    if size > 1:
        dist.broadcast(count, 0)
    times = []
    for _ in range(int(count)):
        begun = time.perf_counter()
        step()
        times.append(time.perf_counter() - begun)
    times.sort()
    if rank == 0:
        print(f"{name}\tPyTorch\t{size}\t{times[len(times) // 2]:.5g}\t{times[0]:.5g}", flush=True)


for entry in nets.each():
    name = entry.name.split()[0]
    if name in ("LeNet", "ResNet-20"):
        case(name, *entry.make())
if size > 1:
    dist.destroy_process_group()
