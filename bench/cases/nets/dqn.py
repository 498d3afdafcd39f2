import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from harness import case, loop

HIDDEN, BATCH, CAPACITY, WARMUP, DISCOUNT, SYNC = 64, 64, 20000, 500, 0.99, 250


class CartPole:
    """As examples/dqn/cartpole.lua."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.x, self.v, self.angle, self.spin = (random.uniform(-0.05, 0.05) for _ in range(4))
        self.steps = 0

    def step(self, action):
        sin, cos = math.sin(self.angle), math.cos(self.angle)
        push = (10 if action == 1 else -10) + 0.05 * self.spin**2 * sin
        turn = (9.8 * sin - cos * push / 1.1) / (0.5 * (4 / 3 - 0.1 * cos**2 / 1.1))
        speed_up = (push - 0.05 * turn * cos) / 1.1
        self.x, self.v = self.x + 0.02 * self.v, self.v + 0.02 * speed_up
        self.angle, self.spin = self.angle + 0.02 * self.spin, self.spin + 0.02 * turn
        self.steps += 1
        failed = abs(self.x) > 2.4 or abs(self.angle) > math.radians(12)
        return 1.0, failed, failed or self.steps >= 200

    def observe(self):
        return torch.tensor([self.x, self.v, self.angle, self.spin])


def network():
    return nn.Sequential(
        nn.Linear(4, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 2)
    )


class Agent:
    def __init__(self):
        self.net, self.target = network(), network()
        self.target.load_state_dict(self.net.state_dict())
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.before, self.after = torch.empty(CAPACITY, 4), torch.empty(CAPACITY, 4)
        self.action = torch.empty(CAPACITY, 1, dtype=torch.long)
        self.reward, self.goes_on = torch.empty(CAPACITY, 1), torch.empty(CAPACITY, 1)
        self.at = self.size = self.learned = 0

    @torch.no_grad()
    def act(self, state, epsilon):
        if random.random() < epsilon:
            return random.randrange(2)
        return self.net(state).argmax().item()

    def learn(self, before, action, reward, after, failed):
        at = self.at
        self.before[at], self.after[at] = before, after
        self.action[at], self.reward[at], self.goes_on[at] = action, reward, not failed
        self.at, self.size = (at + 1) % CAPACITY, max(self.size, at + 1)
        if self.size < WARMUP:
            return
        chosen = torch.randint(self.size, (BATCH,))
        with torch.no_grad():
            best = self.target(self.after[chosen]).max(1, keepdim=True).values
            wanted = best * self.goes_on[chosen] * DISCOUNT + self.reward[chosen]
        worth = self.net(self.before[chosen]).gather(1, self.action[chosen])
        self.optimizer.zero_grad()
        F.mse_loss(worth, wanted).backward()
        self.optimizer.step()
        self.learned += 1
        if self.learned % SYNC == 0:
            self.target.load_state_dict(self.net.state_dict())


torch.manual_seed(1)
random.seed(1)
pole, agent = CartPole(), Agent()
before = pole.observe()


def step():
    global before
    action = agent.act(before, 0.02)
    reward, failed, over = pole.step(action)
    after = pole.observe()
    agent.learn(before, action, reward, after, failed)
    if over:
        pole.reset()
        after = pole.observe()
    before = after


for _ in range(500):
    step()
case("DQN on a cart-pole, step b64", loop(step))
