from harness import case, loop
from lenet import lenet_step

case("LeNet training step b128, per image", loop(lenet_step("cpu", 128)), 128)
