import ctypes
import gc
import re

import harness
import nets
import torch


def resident(field):
    with open("/proc/self/status") as status:
        return int(re.search(rf"^{field}:\s+(\d+)", status.read(), re.M)[1]) / 1024


for net in nets.each():
    name = f"peak MiB, {net.name}, training step"
    if harness.wanted(name):
        step = nets.step(*net.make())
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)  # or what nets before have left is there already
        before = resident("VmRSS")
        with open("/proc/self/clear_refs", "w") as clear:  # the peak starts anew
            clear.write("5")
        for _ in range(3):
            step()
        peak = resident("VmHWM") - before
        for ours in ("", ", shareGradInput", ", train.Trainer"):  # compared with each of ours
            print(f"{name}{ours}\t{torch.get_num_threads()}\t{peak:.6g}", flush=True)
        del step
