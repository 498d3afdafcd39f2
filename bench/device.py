"""Timing on a CUDA device."""
import torch


def waited(f):
    """A case's body that calls f again and again, to the end of the device's work."""

    def body(n):
        for _ in range(n):
            f()
        torch.cuda.synchronize()

    return body


def allow_tf32(allowed):
    torch.backends.cuda.matmul.allow_tf32 = allowed
    torch.backends.cudnn.allow_tf32 = allowed
