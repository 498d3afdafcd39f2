"""The model of bench/serve/models.lua behind FastAPI, on uvicorn.

uvicorn peer:app --workers 2; MODEL is mlp or lenet, THREADS are one for each worker.
"""

import os

import torch
from fastapi import FastAPI, Request
from fastapi.responses import ORJSONResponse, Response

torch.set_num_threads(1)
torch.manual_seed(1)
nn = torch.nn
if os.environ["MODEL"] == "mlp":
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
else:
    net = nn.Sequential(
        nn.Conv2d(1, 20, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(800, 500), nn.ReLU(), nn.Linear(500, 10))
net.eval()
app = FastAPI()


@app.post("/predict")
async def predict(request: Request):
    body = await request.body()
    binary = request.headers.get("content-type") == "application/octet-stream"
    if binary:
        x = torch.frombuffer(bytearray(body), dtype=torch.float32)
    else:
        x = torch.tensor((await request.json())["input"])
    with torch.inference_mode():
        y = net(x.view(1, 1, 28, 28))[0]
    if binary:
        return Response(y.numpy().tobytes(), media_type="application/octet-stream")
    return ORJSONResponse({"output": y.tolist()})
