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
    # Inputs and outputs of bodies that begin with bare_ lose their types below.
    "numbers": ("""
        g (float z, int64 n, float[3, 2] xs) => (float last, float[T] each, float final, float[T] sums, float[T] totals,
            float[A, B] square, float[T] squeezed)
        <float[1, 1] one = {1.0}> {
            last, each = Loop (n, , z) <body = b (int64 i, bool c, float bare_s) => (bool more, float next, float bare_e) {
                at = Cast <to = 1> (i)
                next = Add (bare_s, at)
                bare_e = Identity (next)
                more = Identity (c)
            }>
            final, sums, totals = Scan (z, xs) <num_scan_inputs = 1,
                body = b (float bare_s, float bare_x) => (float bare_t, float bare_e, float total) {
                    total = ReduceSum <keepdims = 0> (bare_x)
                    bare_t = Mul (bare_s, total)
                    bare_e = Identity (bare_t)
                }>
            square, squeezed = Loop (n, , one) <body = b (int64 i, bool c, float[1, 1] s)
                => (bool more, float[1, 1] next, float e) {
                    next = Add (s, s)
                    e = Squeeze (next)
                    more = Identity (c)
                }>
        }""", [[np.array(0.5, F), np.array(3, I), f(3, 2)], [np.array(-2, F), np.array(1, I), f(3, 2)]]),
    "grows": ("""
        g (float[2] x, int64 n) => (float[A, B, C] y, float[T] each)
        <int64[1] front = {0}, int64 two = {2}> {
            y, none = Loop (two, , x) <body = b (int64 i, bool c, float bare_s) => (bool more, float bare_t, float e) {
                bare_t = Unsqueeze (bare_s, front)
                e = ReduceSum <keepdims = 0> (bare_t)
                more = Identity (c)
            }>
            each = Loop (n, ) <body = b (int64 i, bool c) => (bool more, float e) {
                at = Cast <to = 1> (i)
                by = Mul (x, at)
                e = ReduceSum <keepdims = 0> (by)
                more = Identity (c)
            }>
        }""", [[f(2), np.array(3, I)]]),
    "whole": ("""
        g (int64[4] x, int32[4] k, float[1, 1, 4, 4] image, int64[2] at) => (int64[N] a, int64[N] b, int32[N] c,
            int64[N] d, int64[N] e, int64[N] f, int64[N] h, int64[N] p, int64[N] q, int64[N] r)
        <int64 two = {2}, int64 four = {4}, int64[1] front = {0}, int64 zero = {0}, int64 one = {1},
            int64[1] some = {2}, int64[1] some4 = {4}, int64[2, 1] ends = {0, 3}> {
            minus = Neg (x)
            a = Abs (minus)
            part = Div (x, two)
            b = Clip (part, zero, two)
            rest = Mod (k, k)
            less = Sub (rest, k)
            c = Relu (less)
            sum = ReduceSum <keepdims = 1> (x, front)
            d = Clip (sum, zero, two)
            sums = CumSum (x, zero)
            e = Abs (sums)
            shape = Shape (x)
            first = Squeeze (shape)
            range = Range (zero, first, one)
            f = Clip (range, one, two)
            full = ConstantOfShape <value = int64[1] {-3}> (at)
            flat = Flatten <axis = 0> (full)
            row = Squeeze (flat, front)
            h = Abs (row)
            best, places = TopK (x, some)
            p = Clip (places, one, two)
            pooled, from = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (image)
            line = Reshape (from, some4)
            q = Clip (line, two, four)
            found = GatherND (x, ends)
            r = Abs (found)
        }""", [[np.array([5, -7, 3, -1], I), np.array([5, -7, 3, -1], np.int32), f(1, 1, 4, 4), np.array([2, 3], I)]]),
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


def bare(graph):
    """Take the types of values within nodes away whose names ask for it."""
    for node in graph.node:
        for body in (a.g for a in node.attribute if a.HasField("g")):
            for value in (*body.input, *body.output):
                if value.name.startswith("bare_"):
                    value.ClearField("type")
            bare(body)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for name, (text, runs) in NETS.items():
        model = parser.parse_model(HEAD + text)
        for node in model.graph.node:
            if node.op_type == "Loop" and len(node.input) == 1:
                node.input.append("")  # which the parser drops
        onnx.checker.check_model(model)
        bare(model.graph)
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
