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
        before = resident("VmRSS")
        with open("/proc/self/clear_refs", "w") as peak:  # the peak starts anew
            peak.write("5")
        for _ in range(3):
            step()
        print(f"{name}\t{torch.get_num_threads()}\t{resident('VmHWM') - before:.6g}", flush=True)
        del step
