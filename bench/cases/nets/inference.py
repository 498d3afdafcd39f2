import harness
import nets
import torch

for batch in (1, 32):
    for net in nets.each(batch):
        name = f"{net.name}, forward"
        if harness.wanted(name):
            model, _, x, _ = net.make()
            model.eval()
            model, name = nets.compiled(model, name)
            with torch.inference_mode():
                harness.case(name, harness.loop(lambda: model(x)))
