"""Nets with graphs within nodes (If, Loop, Scan) or functions, and what onnxruntime gives: test/data/onnx.

    python test/onnx/tools/body_nets.py test/data/onnx

Written here, no data of others is in them. Each is NAME.onnx, and NAME.safetensors with inputs and outputs of
one or more runs: run 1 has x1_1, x1_2, ... and y1_1, y1_2, ... Made with onnx 1.23.2 and onnxruntime 1.32.0.
"""
import os
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import parser
from safetensors.numpy import save_file

HEAD = '<ir_version: 8, opset_import: ["" : 17, "own" : 1]>\n'
F, I = np.float32, np.int64


def f(*shape):
    return (np.arange(np.prod(shape)) * 7 % 11 - 5).reshape(shape).astype(F) / 4


X = [f(2, 3)]

# name: text of the graph, lists of inputs
NETS = {
    "if_known": ("""
        g (float[2, 3] x) => (float[N, M] y, int64[K] s, float[2, 3] same)
        <bool yes = {1}, float[3] w = {0.5, -1.0, 2.0}> {
            y, s, same = If (yes) <
                then_branch = a () => (float[N, M] p, int64[K] q, float[2, 3] r) {
                    h = Mul (x, w)
                    p = Relu (h)
                    q = Constant <value_ints = [4, 5]> ()
                    r = Identity (x)
                },
                else_branch = b () => (float[N, M] p2, int64[K] q2, float[2, 3] r2) {
                    p2 = Neg (x)
                    q2 = Constant <value_ints = [1]> ()
                    r2 = Neg (x)
                }>
        }""", [X]),
    "if": ("""
        g (float[2, 3] x, bool yes) => (float[N, M] y, float z)
        <float[3, 2] w = {0.5, -1.0, 2.0, 0.25, -0.75, 1.5}, float[2] b = {0.1, -0.2}> {
            h = Tanh (x)
            a, z = If (yes) <
                then_branch = a () => (float[N, M] p, float q) {
                    p = Gemm (h, w, b)
                    q = ReduceSum <keepdims = 0> (h)
                },
                else_branch = b () => (float[N, M] p2, float q2) {
                    big = ReduceMax <keepdims = 0> (x)
                    one = Constant <value_float = 1.0> ()
                    test = Greater (big, one)
                    p2 = If (test) <
                        then_branch = c () => (float[N, M] deep) { deep = MatMul (x, w) },
                        else_branch = d () => (float[N, M] deep2) { deep2 = Identity (w) }>
                    q2 = Constant <value_float = 7.0> ()
                }>
            y = Relu (a)
        }""", [[f(2, 3), np.array(True)], [f(2, 3), np.array(False)], [f(2, 3) * F(3), np.array(False)]]),
    "loop": ("""
        g (float[2, 3] x, int64 n) => (float[2, 3] last, int64 count, float[T, 2, 3] all, float[T] sums)
        <float[3, 3] w = {0.5, -0.4, 0.2, 0.25, -0.75, 0.5, 0.3, 0.1, 0.6}, int64 zero = {0}, bool on = {1}> {
            h = Mul (x, x)
            last, count, all, sums = Loop (n, on, x, zero) <body = b (int64 i, bool c, float[2, 3] s, int64 k)
                => (bool more, float[2, 3] next, int64 k2, float[2, 3] each, float total) {
                    p = MatMul (s, w)
                    q = Add (p, h)
                    next = Tanh (q)
                    k2 = Add (k, i)
                    each = Identity (next)
                    total = ReduceSum <keepdims = 0> (next)
                    limit = Constant <value_float = 100.0> ()
                    more = Less (total, limit)
                }>
        }""", [[f(2, 3), np.array(3, I)], [f(2, 3), np.array(1, I)]]),
    "while": ("""
        g (float[2, 3] x) => (float[2, 3] y)
        <float two = {2.0}, float most = {20.0}> {
            size = ReduceL1 <keepdims = 0> (x)
            on = Less (size, most)
            y = Loop (, on, x) <body = b (int64 i, bool c, float[2, 3] s) => (bool more, float[2, 3] next) {
                next = Mul (s, two)
                now = ReduceL1 <keepdims = 0> (next)
                more = Less (now, most)
            }>
        }""", [X, [f(2, 3) * F(30)]]),
    "loop_known": ("""
        g (float[2, 3] x) => (float[2, 3] y)
        <int64 three = {3}, float half = {0.5}> {
            y = Loop (three, , x) <body = b (int64 i, bool c, float[2, 3] s) => (bool more, float[2, 3] next) {
                at = Cast <to = 1> (i)
                by = Add (at, half)
                next = Mul (s, by)
                more = Identity (c)
            }>
        }""", [X]),
    "functions": ("""
        g (float[2, 3] x, bool yes) => (float[2, 3] y, float[2, 3] z)
        <float[3, 3] w = {0.5, -0.4, 0.2, 0.25, -0.75, 0.5, 0.3, 0.1, 0.6}> {
            h, t = own.twice <slope = 0.3> (x, w)
            y = own.leaky <slope = 0.1> (h)
            z = If (yes) <
                then_branch = a () => (float[2, 3] p) { p = own.leaky <slope = 0.7> (t) },
                else_branch = b () => (float[2, 3] p2) { p2 = own.chosen (t, yes) }>
        }
        <domain: "own", opset_import: ["" : 17, "own" : 1]>
        twice <slope> (a, w) => (b, t) {
            p = MatMul (a, w)
            q = own.leaky <slope: float = @slope> (p)
            t = MatMul (q, w)
            b = own.leaky <slope: float = @slope> (t)
        }
        <domain: "own", opset_import: ["" : 17]>
        leaky <slope> (p) => (t) {
            q = Neg (p)
            r = LeakyRelu <alpha: float = @slope> (q)
            t = Neg (r)
        }
        <domain: "own", opset_import: ["" : 17]>
        chosen (p, on) => (t) {
            t = If (on) <
                then_branch = a () => (q) { q = Neg (p) },
                else_branch = b () => (r) { r = Abs (p) }>
        }""", [[f(2, 3), np.array(True)], [f(2, 3), np.array(False)]]),
    "scan": ("""
        g (float[2, 3] x, float[4, 2, 3] xs, float[2, 4] ws) => (float[2, 3] last, float[2, 3, T] all, float[T] sums)
        {
            last, all, sums = Scan (x, xs, ws) <num_scan_inputs = 2, scan_input_axes = [0, 1],
                scan_input_directions = [1, 0], scan_output_axes = [2, 0], scan_output_directions = [0, 1],
                body = b (float[2, 3] s, float[2, 3] a, float[2] v)
                => (float[2, 3] next, float[2, 3] each, float total) {
                    axis = Constant <value_ints = [1]> ()
                    column = Unsqueeze (v, axis)
                    p = Mul (a, column)
                    q = Add (p, s)
                    next = Sigmoid (q)
                    each = Mul (next, a)
                    total = ReduceSum <keepdims = 0> (each)
                }>
        }""", [[f(2, 3), f(4, 2, 3), f(2, 4)]]),
}


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for name, (text, runs) in NETS.items():
        model = parser.parse_model(HEAD + text)
        onnx.checker.check_model(model)
        path = f"{folder}/{name}.onnx"
        onnx.save(model, path)
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        tensors = {}
        for k, inputs in enumerate(runs, 1):
            names = [one.name for one in session.get_inputs()]
            for i, x in enumerate(inputs, 1):
                tensors[f"x{k}_{i}"] = x.astype(np.uint8) if x.dtype == bool else x
            for i, y in enumerate(session.run(None, dict(zip(names, inputs))), 1):
                tensors[f"y{k}_{i}"] = y
        save_file({key: np.ascontiguousarray(x) for key, x in tensors.items()}, f"{folder}/{name}.safetensors")


main()
