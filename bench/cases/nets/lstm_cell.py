import harness
import torch

cell = torch.nn.LSTMCell(64, 64)
x = torch.rand(1, 64)
state = (torch.zeros(1, 64), torch.zeros(1, 64))


def step():
    global state
    state = cell(x, state)


with torch.no_grad():
    harness.case("LSTM cell 1x64, step", harness.loop(step))
