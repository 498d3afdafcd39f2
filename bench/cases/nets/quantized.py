import warnings

import harness
import nets
import torch

warnings.filterwarnings("ignore")
WANTED = ("MLP 784-1024", "ResNet-20")

try:  # graphs of whole numbers: torch.ao, where a PyTorch still has it
    from torch.ao.quantization import get_default_qconfig_mapping
    from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx
except ImportError:
    convert_fx = None


def quantized(model, x):
    torch.backends.quantized.engine = "x86"
    prepared = prepare_fx(model, get_default_qconfig_mapping("x86"), (x,))
    prepared(x)
    return convert_fx(prepared)


for batch in (1, 32):
    for net in nets.each(batch):
        if any(word in net.name for word in WANTED) and harness.wanted(f"{net.name}, "):
            model, _, x, _ = net.make()
            model.eval()
            with torch.inference_mode():
                harness.case(f"{net.name}, floats", harness.loop(lambda: model(x)))
            if convert_fx:
                with torch.no_grad():
                    small = quantized(model, x)
                with torch.inference_mode():
                    harness.case(f"{net.name}, int8", harness.loop(lambda: small(x)))

if harness.wanted("4096x4096"):
    layer = torch.nn.Linear(4096, 4096)
    x = torch.rand(1, 4096)
    with torch.inference_mode():
        harness.case("Linear 4096x4096 b1, floats", harness.loop(lambda: layer(x)))
