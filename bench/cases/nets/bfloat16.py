import torch

import harness
import nets

SHOWN = ("MLP", "VGG", "LSTM", "Transformer")


def cast(step):
    def run():
        with torch.autocast("cpu", torch.bfloat16):
            step()

    return run


for net in nets.each():
    if net.name.startswith(SHOWN) and harness.wanted(net.name):
        float_step, bfloat16_step = (nets.step(*net.make()) for _ in range(2))
        harness.by_turns(
            [
                (f"{net.name}, float step", float_step),
                (f"{net.name}, bfloat16 step", cast(bfloat16_step)),
            ]
        )
