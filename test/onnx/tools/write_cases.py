"""Operators with numbers where definitions are easily missed, and what onnxruntime gives: a Lua table on
standard output, test/onnx/cases.lua.

    python test/onnx/tools/write_cases.py > test/onnx/cases.lua

Written with Python's onnx 1.23.2 and onnxruntime 1.32.0.
"""
import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

INF = np.inf
F, I = np.float32, np.int64
onnxruntime.set_default_logger_severity(4)


def f(*shape):
    return (np.arange(np.prod(shape)) * 7 % 11 - 5).reshape(shape).astype(F) / 4


def U8(*shape):
    return (np.arange(np.prod(shape)) * 83 % 256).reshape(shape).astype(np.uint8)


def I8(*shape):
    return (np.arange(np.prod(shape)) * 61 % 255 - 127).reshape(shape).astype(np.int8)


def causal(n):
    return np.full((n, n), -INF, F)


def recurrent(gates, directions=1, lengths=None, *more):
    """The input, T x N x I, and the operands behind it: two features, two hidden ones."""
    rows = gates * 2
    weights = [f(directions, rows, 2), f(directions, rows, 2) * 0.5, f(directions, 2 * rows) * F(0.1)]
    return f(4 if lengths else 3, 2, 2), weights + ([np.array(lengths, np.int32)] if lengths else []) + list(more)


def lstm(direction):
    n = 2 if direction == "bidirectional" else 1
    return [f(3, 2, 2), f(n, 8, 2), f(n, 8, 2) * 0.5, f(n, 16) * 0.1]


IMAGE = np.arange(1, 17, dtype=F).reshape(1, 1, 4, 4)
GRID = np.array([[-0.9, -1.2], [0.1, 0.3], [0.45, -0.2], [1.1, 0.95]], F).reshape(1, 2, 2, 2)
BOXES = np.array([[[0, 0, 1, 1], [0, 0.1, 1, 1.1], [1, 0.9, 0, -0.1], [0, 10, 1, 11], [0, 10.1, 1, 11.1],
                   [0, 100, 1, 101]]], F)
SCORES = np.array([[[0.9, 0.75, 0.6, 0.95, 0.5, 0.3], [0.1, 0.3, 0.5, 0.2, 0.8, 0.15]]], F)
ROIS = np.array([[0.5, 1, 4, 3.5], [-2, 0, 5, 9], [2, 2, 2.5, 2.2]], F)
NONE = None

# name, operator, attributes, the input, the constants behind it (None: left out), opset; how many outputs
# where that is not OUTPUTS' number for the operator, or which
CASES = [
    ("Trilu of a mask", "Trilu", {"upper": 1}, causal(3), [np.array(1, I)], 17),
    ("Trilu below", "Trilu", {"upper": 0}, np.stack([causal(3), f(3, 3)]), [np.array(-1, I)], 17),
    ("ReduceLogSumExp far apart", "ReduceLogSumExp", {"axes": [1], "keepdims": 0},
     np.array([[0, 0], [1000, 1000], [-1000, -1001]], F), [], 17),
    ("ReduceLogSumExp of infinities", "ReduceLogSumExp", {"axes": [-1]},
     np.array([[-INF, 0], [INF, 1], [-INF, -INF]], F), [], 17),
    ("ReduceLogSumExp of all", "ReduceLogSumExp", {"keepdims": 0}, f(2, 3), [], 17),
    ("ReduceSum without axes", "ReduceSum", {"noop_with_empty_axes": 1}, f(2, 3), [], 17),
    ("Mod", "Mod", {}, np.array([-4, 7, 5, 4, -7, 8], I), [np.array([2, -3, 8, -2, 3, 5], I)], 17),
    ("Mod as C has it", "Mod", {"fmod": 1}, np.array([-4.3, 7.2, 5, 4.3, -7.2, 8], F),
     [np.array([2.1, -3.4, 8, -2.1, 3.4, 5], F)], 17),
    ("LRN of even size", "LRN", {"size": 4, "alpha": 0.5, "beta": 0.75, "bias": 1.5}, f(1, 6, 1, 2),
     [], 17),
    ("LRN of odd size", "LRN", {"size": 3, "alpha": 0.5}, f(1, 5, 2, 1), [], 17),
    ("Selu of another gamma", "Selu", {"gamma": 2.0}, f(6), [], 17),
    ("Selu of the usual alpha and another gamma", "Selu", {"alpha": 1.6732632, "gamma": 2.0}, f(6), [], 17),
    ("Selu of another alpha", "Selu", {"alpha": 2.0}, f(6), [], 17),
    ("Gemm with a bias of rows", "Gemm", {}, f(2, 2), [f(2, 2), np.array([[10], [20]], F)], 17),
    ("Gemm with a bias of columns", "Gemm", {}, f(2, 2), [f(2, 2), np.array([[10, 20]], F)], 17),
    ("Pow of integers", "Pow", {}, np.array([4, 9, 16], I), [np.array(0.5, F)], 17),
    ("Pow of integers by each", "Pow", {}, np.array([4, 9, 27], I), [np.array([0.5, 1.5, 0.34], F)], 17),
    ("Round of infinities", "Round", {}, np.array([-INF, INF, 0.5, 1.5, -2.5, 2.4], F), [], 17),
    ("Erf of infinities", "Erf", {}, np.array([-INF, INF, 0.5], F), [], 17),
    ("Elu of infinities", "Elu", {"alpha": 2.0}, np.array([-INF, INF, -0.5], F), [], 17),
    ("Celu of infinities", "Celu", {"alpha": 2.0}, np.array([-INF, INF, -0.5], F), [], 17),
    ("Shrink of infinities", "Shrink", {"bias": 1.0, "lambd": 0.5}, np.array([-INF, INF, -0.25, 2], F), [], 17),
    ("Softmax of infinities", "Softmax", {}, np.array([[-INF, 1, 2]], F), [], 17),
    ("LogSoftmax of infinities", "LogSoftmax", {}, np.array([[-INF, 1, 2]], F), [], 17),
    ("Clip, the wrong way round", "Clip", {}, f(6), [np.array(2, F), np.array(1, F)], 17),
    ("MaxPool, SAME_LOWER", "MaxPool", {"kernel_shape": [2, 2], "auto_pad": "SAME_LOWER"}, IMAGE, [], 17),
    ("MaxPool, SAME_UPPER", "MaxPool", {"kernel_shape": [2, 2], "auto_pad": "SAME_UPPER"}, IMAGE, [], 17),
    ("MaxPool, ceil_mode", "MaxPool", {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}, IMAGE, [],
     17),
    ("Resize not larger", "Resize", {"mode": "nearest", "keep_aspect_ratio_policy": "not_larger",
                                     "axes": [2, 3]}, IMAGE, [NONE, NONE, np.array([2, 8], I)], 18),
    ("Resize not smaller", "Resize", {"mode": "linear", "keep_aspect_ratio_policy": "not_smaller",
                                      "axes": [2, 3]}, IMAGE, [NONE, NONE, np.array([3, 6], I)], 18),
    ("Resize of two axes", "Resize", {"mode": "nearest", "axes": [2, 3]}, IMAGE,
     [NONE, np.array([1.5, 0.5], F)], 18),
    ("Resize of axes in another order", "Resize", {"mode": "nearest", "axes": [0, 1, 3, 2]}, IMAGE,
     [NONE, NONE, np.array([1, 1, 8, 2], I)], 18),
    ("Resize, halves down", "Resize", {"mode": "nearest", "nearest_mode": "round_prefer_floor",
                                       "coordinate_transformation_mode": "asymmetric"}, f(1, 1, 1, 4),
     [NONE, np.array([1, 1, 1, 2], F)], 17),
    ("Resize, halves up", "Resize", {"mode": "nearest", "nearest_mode": "round_prefer_ceil",
                                     "coordinate_transformation_mode": "asymmetric"}, f(1, 1, 1, 4),
     [NONE, np.array([1, 1, 1, 2], F)], 17),
    ("LSTM", "LSTM", {"hidden_size": 2}, lstm("forward")[0], lstm("forward")[1:], 17),
    ("LSTM both ways", "LSTM", {"hidden_size": 2, "direction": "bidirectional"}, lstm("bidirectional")[0],
     lstm("bidirectional")[1:], 17),
    ("Resize cubic", "Resize", {"mode": "cubic"}, IMAGE, [NONE, np.array([1, 1, 1.5, 0.75], F)], 18),
    ("Resize cubic of another kernel", "Resize",
     {"mode": "cubic", "cubic_coeff_a": -0.5, "coordinate_transformation_mode": "align_corners"}, IMAGE,
     [NONE, NONE, np.array([1, 1, 6, 3], I)], 18),
    ("ConvTranspose of signals", "ConvTranspose", {"strides": [2], "pads": [1, 1], "output_padding": [1]},
     f(1, 2, 5), [f(2, 3, 3), f(3)], 17),
    ("GatherND", "GatherND", {}, f(3, 4, 2), [np.array([[0, -1], [2, 1]], I)], 17),
    ("GatherND, one dimension", "GatherND", {}, f(3, 4), [np.array([[[2]], [[-3]]], I)], 17),
    ("GatherND by batches", "GatherND", {"batch_dims": 1}, f(2, 3, 2), [np.array([[1], [-1]], I)], 17),
    ("ScatterND", "ScatterND", {}, f(3, 4), [np.array([[0, -1], [2, 1]], I), f(2)], 18),
    ("ScatterND of rows, added", "ScatterND", {"reduction": "add"}, f(3, 4),
     [np.array([[2], [0], [2]], I), f(3, 4)], 18),
    ("ScatterElements", "ScatterElements", {"axis": 1}, f(3, 4), [np.array([[1, -1], [0, 3]], I), f(2, 2)], 18),
    ("ScatterElements, added", "ScatterElements", {"axis": 0, "reduction": "add"}, f(3, 2),
     [np.array([[1, 2], [1, 0]], I), f(2, 2)], 18),
    ("NonZero", "NonZero", {}, np.array([[0, 2, 0], [1, 0, -INF]], F), [], 17),
    ("Xor", "Xor", {}, np.array([True, True, False]), [np.array([False, True, True])], 17),
    ("IsInf", "IsInf", {}, np.array([-INF, INF, 0, 1e38], F), [], 17),
    ("IsInf below", "IsInf", {"detect_positive": 0}, np.array([-INF, INF, 0, 1], F), [], 17),
    ("ThresholdedRelu", "ThresholdedRelu", {"alpha": 0.25}, f(6), [], 17),
    ("ThresholdedRelu of infinities", "ThresholdedRelu", {"alpha": 0.25}, np.array([-INF, INF, -1], F), [], 17),
    ("PRelu of an infinite slope", "PRelu", {}, np.array([1, -1, 2], F), [np.array([INF, 0.5, -INF], F)], 17),
    ("Asinh", "Asinh", {}, np.array([-1e4, -0.5, 1e-6, 3], F), [], 17),
    ("Asinh of what has no square", "Asinh", {}, np.array([1e25, -1e30, 2e8, 1e8, INF, -INF], F), [], 17),
    ("Acosh", "Acosh", {}, np.array([1, 1.5, 1e4], F), [], 17),
    ("Acosh of what has no square", "Acosh", {}, np.array([1e25, 1e30, INF], F), [], 17),
    ("Atanh", "Atanh", {}, np.array([-0.9, 1e-6, 0.5], F), [], 17),
    ("Hardmax", "Hardmax", {"axis": 1}, f(2, 4, 2), [], 17),
    ("LpNormalization", "LpNormalization", {"axis": 1, "p": 2}, f(2, 4), [], 17),
    ("LpNormalization of sums", "LpNormalization", {"p": 1}, f(2, 4), [], 17),
    ("CumSum from behind", "CumSum", {"reverse": 1}, f(2, 4), [np.array(1, I)], 17),
    ("CumSum without the element", "CumSum", {"exclusive": 1, "reverse": 1}, f(2, 4), [np.array(-1, I)], 17),
    ("CumSum of those before", "CumSum", {"exclusive": 1}, f(2, 4), [np.array(0, I)], 17),
    ("CumSum of those before the largest", "CumSum", {"exclusive": 1},
     np.array([[1, 1e8, 1, 0, 0, 0], [1, 2, INF, 1, 2, 3]], F), [np.array(1, I)], 17),
    ("CumSum of those behind the largest", "CumSum", {"exclusive": 1, "reverse": 1},
     np.array([[0, 1, 1e8, 1], [1, INF, 2, 1]], F), [np.array(1, I)], 17),
    ("CumSum of those before one", "CumSum", {"exclusive": 1}, f(2, 1), [np.array(1, I)], 17),
    ("RMSNormalization", "RMSNormalization", {"axis": 1, "epsilon": 0.01}, f(2, 3, 4), [f(3, 4)], 23),
    ("Attention of heads that share keys", "Attention",
     {"q_num_heads": 4, "kv_num_heads": 2, "is_causal": 1}, f(2, 3, 8), [f(2, 3, 4), f(2, 3, 4)], 23),
    ("Attention with a mask", "Attention", {"scale": 0.7}, f(1, 2, 3, 4),
     [f(1, 2, 5, 4), f(1, 2, 5, 3), np.array([[1, 1, 0, 1, 1], [0, 1, 1, 1, 0], [1, 0, 0, 0, 1]], bool)], 23),
    ("GridSample", "GridSample", {}, IMAGE, [GRID], 16),
    ("GridSample at the border", "GridSample", {"padding_mode": "border", "align_corners": 1}, IMAGE, [GRID], 16),
    ("GridSample of the nearest", "GridSample", {"mode": "nearest"}, IMAGE, [GRID], 16),
    ("DynamicQuantizeLinear", "DynamicQuantizeLinear", {}, f(3, 4) + F(0.3), [], 17),
    ("DynamicQuantizeLinear above 0", "DynamicQuantizeLinear", {}, f(3, 4) + F(2), [], 17),
    ("MatMulInteger", "MatMulInteger", {}, np.arange(6, dtype=np.uint8).reshape(2, 3) * 40,
     [(np.arange(12) * 37 % 255 - 128).astype(np.int8).reshape(3, 4), np.array(100, np.uint8),
      np.array([1, -2, 3, -4], np.int8)], 17),
    ("LSTM backwards", "LSTM", {"hidden_size": 2, "direction": "reverse"}, *recurrent(4), 17),
    ("LSTM of two lengths", "LSTM", {"hidden_size": 2}, *recurrent(4, 1, [4, 2]), 17),
    ("LSTM of two lengths, both ways", "LSTM", {"hidden_size": 2, "direction": "bidirectional"},
     *recurrent(4, 2, [1, 3]), 17),
    ("LSTM with states, peepholes and a clip", "LSTM", {"hidden_size": 2, "clip": 0.4},
     *recurrent(4, 1, [2, 4], f(1, 2, 2), f(1, 2, 2) * F(2), f(1, 6)), 17),
    ("LSTM whose gates are one", "LSTM", {"hidden_size": 2, "input_forget": 1}, *recurrent(4), 17),
    ("LSTM of other activations", "LSTM",
     {"hidden_size": 2, "activations": ["HardSigmoid", "ScaledTanh", "Softsign"],
      "activation_alpha": [0.3, 0.8], "activation_beta": [0.4, 0.7]}, *recurrent(4), 17),
    ("GRU, the reset before the product", "GRU", {"hidden_size": 2}, *recurrent(3), 17),
    ("GRU, the same backwards, of two lengths", "GRU", {"hidden_size": 2, "direction": "reverse"},
     *recurrent(3, 1, [2, 3]), 17),
    ("GRU of two lengths, both ways", "GRU",
     {"hidden_size": 2, "direction": "bidirectional", "linear_before_reset": 1}, *recurrent(3, 2, [3, 4]), 17),
    ("GRU from a state", "GRU", {"hidden_size": 2}, *recurrent(3, 1, [3, 4], f(1, 2, 2)), 17),
    ("RNN backwards", "RNN", {"hidden_size": 2, "direction": "reverse"}, *recurrent(1), 17),
    ("RNN of other activations both ways", "RNN",
     {"hidden_size": 2, "direction": "bidirectional", "activations": ["LeakyRelu", "Elu"],
      "activation_alpha": [0.2, 0.7]}, *recurrent(1, 2), 17),
    ("Conv, SAME_UPPER in steps", "Conv", {"auto_pad": "SAME_UPPER", "strides": [2, 2]}, f(1, 2, 5, 4),
     [f(3, 2, 3, 3), f(3)], 17),
    ("Conv, SAME_LOWER in steps", "Conv", {"auto_pad": "SAME_LOWER", "strides": [3]},
     f(2, 2, 8), [f(3, 2, 2)], 17),
    ("ConvTranspose with another border behind", "ConvTranspose", {"strides": [2, 2], "pads": [1, 0, 0, 1]},
     f(1, 2, 3, 3), [f(2, 3, 3, 3), f(3)], 17),
    ("ConvTranspose to a size", "ConvTranspose", {"strides": [3, 2], "output_shape": [10, 7]},
     f(1, 1, 3, 3), [f(1, 2, 3, 3)], 17),
    ("ConvTranspose, SAME_UPPER", "ConvTranspose", {"strides": [2, 2], "auto_pad": "SAME_UPPER"},
     f(1, 1, 3, 3), [f(1, 2, 3, 3)], 17),
    ("MaxPool, SAME_UPPER in steps", "MaxPool",
     {"kernel_shape": [3, 2], "auto_pad": "SAME_UPPER", "strides": [2, 2]}, f(1, 2, 5, 4), [], 17),
    ("MaxPool and places", "MaxPool", {"kernel_shape": [2, 2], "strides": [2, 2], "pads": [1, 0, 0, 1]},
     f(2, 2, 5, 4), [], 17, 2),
    ("MaxPool and places, column by column", "MaxPool", {"kernel_shape": [2, 2], "storage_order": 1},
     f(1, 2, 3, 4), [], 17, 2),
    ("MaxPool of bytes", "MaxPool", {"kernel_shape": [2, 2]},
     (np.arange(12) * 70 % 251).astype(np.uint8).reshape(1, 1, 3, 4), [], 17),
    ("MaxPool, ceil_mode with another border behind", "MaxPool",
     {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [0, 1, 1, 0], "ceil_mode": 1}, f(1, 1, 6, 6), [], 17),
    ("AveragePool, SAME_LOWER in steps", "AveragePool",
     {"kernel_shape": [3, 3], "auto_pad": "SAME_LOWER", "strides": [2, 2]}, f(1, 1, 4, 6), [], 17),
    ("AveragePool with gaps", "AveragePool", {"kernel_shape": [2, 2], "dilations": [2, 1]}, f(1, 1, 4, 4), [], 19),
    ("AveragePool with another border behind", "AveragePool",
     {"kernel_shape": [2, 2], "pads": [0, 0, 1, 1]}, f(1, 1, 3, 3), [], 17),
    ("AveragePool, ceil_mode with a border that counts", "AveragePool",
     {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [0, 1, 1, 1], "ceil_mode": 1, "count_include_pad": 1},
     f(1, 1, 6, 6), [], 19),
    ("LpPool", "LpPool", {"kernel_shape": [2, 2], "p": 3, "strides": [2, 1]}, f(1, 1, 4, 4), [], 18),
    ("GlobalLpPool", "GlobalLpPool", {"p": 1}, f(2, 2, 3, 3), [], 17),
    ("MaxUnpool", "MaxUnpool", {"kernel_shape": [2, 2], "strides": [2, 2]}, f(1, 1, 2, 2),
     [np.array([5, 7, 13, 8], I).reshape(1, 1, 2, 2)], 17),
    ("ConvInteger", "ConvInteger", {"pads": [1, 1, 1, 1]}, U8(1, 2, 4, 4),
     [U8(3, 2, 3, 3), np.array(100, np.uint8), np.array(7, np.uint8)], 17),
    ("QLinearConv", "QLinearConv", {"strides": [2, 2], "pads": [1, 1, 0, 0]}, U8(1, 2, 5, 5),
     [F(0.1), np.uint8(120), I8(3, 2, 3, 3), np.array([0.02, 0.03, 0.01], F), np.zeros(3, np.int8), F(0.9),
      np.uint8(128), np.array([1000, -2000, 3000], np.int32)], 17),
    ("QLinearMatMul", "QLinearMatMul", {}, U8(2, 3),
     [F(0.05), np.uint8(100), I8(3, 4), F(0.04), np.int8(3), F(0.3), np.uint8(110)], 17),
    ("QLinearAdd", "com.microsoft.QLinearAdd", {}, U8(2, 3),
     [F(0.05), np.uint8(100), U8(3), F(0.04), np.uint8(30), F(0.11), np.uint8(90)], 17),
    ("QLinearMul", "com.microsoft.QLinearMul", {}, U8(2, 3),
     [F(0.05), np.uint8(100), U8(2, 1), F(0.04), np.uint8(30), F(0.21), np.uint8(90)], 17),
    ("QLinearConcat", "com.microsoft.QLinearConcat", {"axis": 1}, F(0.2),
     [np.uint8(50), U8(2, 3), F(0.05), np.uint8(100), U8(2, 2), F(0.3), np.uint8(30)], 17),
    ("QLinearGlobalAveragePool", "com.microsoft.QLinearGlobalAveragePool", {"channels_last": 0}, U8(1, 2, 3, 3),
     [F(0.05), np.uint8(100), F(0.04), np.uint8(30)], 17),
    ("QLinearAveragePool", "com.microsoft.QLinearAveragePool",
     {"kernel_shape": [2, 2], "channels_last": 0}, U8(1, 2, 3, 3), [F(0.05), np.uint8(100), F(0.043), np.uint8(30)],
     17),
    ("QLinearSigmoid", "com.microsoft.QLinearSigmoid", {}, U8(7),
     [F(0.05), np.uint8(100), F(0.004), np.uint8(0)], 17),
    ("QLinearLeakyRelu", "com.microsoft.QLinearLeakyRelu", {"alpha": 0.3}, U8(7),
     [F(0.05), np.uint8(100), F(0.043), np.uint8(60)], 17),
    ("QGemm", "com.microsoft.QGemm", {"transB": 1}, U8(2, 3),
     [F(0.05), np.uint8(100), I8(4, 3), np.array([0.1, 0.2, 0.05, 0.3], F), np.zeros(4, np.int8),
      np.array([100, -50, 20, 3], np.int32), F(0.8), np.uint8(110)], 17),
    ("QGemm that gives reals", "com.microsoft.QGemm", {}, U8(2, 3),
     [F(0.05), np.uint8(100), I8(3, 4), F(0.1), np.int8(2)], 17),
    ("MatMulIntegerToFloat", "com.microsoft.MatMulIntegerToFloat", {}, U8(2, 3),
     [I8(3, 4), np.array([0.05], F), np.array([0.1], F), np.array([100], np.uint8), np.array([4], np.int8), f(4)],
     17),
    ("DynamicQuantizeMatMul", "com.microsoft.DynamicQuantizeMatMul", {}, f(2, 3),
     [I8(3, 4), np.array([0.1], F), np.array([4], np.int8), f(4)], 17),
    ("FastGelu with a bias", "com.microsoft.FastGelu", {}, f(2, 3), [f(3)], 17),
    ("BiasGelu", "com.microsoft.BiasGelu", {}, f(2, 3), [f(3)], 17),
    ("QuickGelu", "com.microsoft.QuickGelu", {}, f(2, 3), [], 17),
    ("SkipLayerNormalization", "com.microsoft.SkipLayerNormalization", {"epsilon": 1e-5}, f(2, 3, 4),
     [f(2, 3, 4) * F(0.3), f(4), f(4) + F(1), f(4)], 17),
    ("SkipSimplifiedLayerNormalization", "com.microsoft.SkipSimplifiedLayerNormalization", {"epsilon": 1e-5},
     f(2, 3, 4), [f(2, 3, 4) * F(0.3), f(4)], 17),
    ("FusedMatMul", "com.microsoft.FusedMatMul", {"transB": 1, "alpha": 0.5}, f(2, 3, 4), [f(2, 5, 4)], 17),
    ("FusedConv", "com.microsoft.FusedConv", {"activation": "LeakyRelu", "activation_params": [0.2]},
     f(1, 2, 4, 4), [f(3, 2, 3, 3), f(3)], 17),
    ("GridSample, reflected", "GridSample", {"padding_mode": "reflection"}, IMAGE, [GRID * F(1.7)], 16),
    ("GridSample, reflected at corners", "GridSample", {"padding_mode": "reflection", "align_corners": 1}, IMAGE,
     [GRID * F(2.9)], 16),
    ("GridSample, cubic", "GridSample", {"mode": "cubic"}, IMAGE, [GRID], 20),
    ("GridSample, cubic at the border", "GridSample", {"mode": "cubic", "padding_mode": "border"}, IMAGE, [GRID], 20),
    ("GridSample, cubic and reflected", "GridSample", {"mode": "cubic", "padding_mode": "reflection"}, IMAGE,
     [GRID * F(1.3)], 20),
    ("ScatterElements, multiplied", "ScatterElements", {"axis": 0, "reduction": "mul"}, f(3, 2),
     [np.array([[1, 2], [1, 0]], I), f(2, 2)], 18),
    ("ScatterElements, the largest", "ScatterElements", {"axis": 1, "reduction": "max"}, f(2, 3),
     [np.array([[1, 1, 0], [2, 2, 2]], I), f(2, 3) + F(0.5)], 18),
    ("ScatterND, the smallest", "ScatterND", {"reduction": "min"}, f(3, 4),
     [np.array([[2], [0], [2]], I), f(3, 4) * F(2)], 18),
    ("NonMaxSuppression", "NonMaxSuppression", {}, BOXES, [SCORES, np.array([3], I), F([0.5]), F([0.2])], 17),
    ("NonMaxSuppression of centres", "NonMaxSuppression", {"center_point_box": 1}, BOXES,
     [SCORES, np.array(2, I), F(0.1)], 17),
    ("RoiAlign", "RoiAlign", {"output_height": 2, "output_width": 3, "sampling_ratio": 2, "spatial_scale": 0.5},
     f(2, 2, 5, 6), [ROIS, np.array([0, 1, 0], I)], 16),
    ("RoiAlign of as many samples as there are", "RoiAlign", {"output_height": 2, "output_width": 2}, f(2, 1, 5, 6),
     [ROIS, np.array([1, 1, 0], I)], 16),
    ("RoiAlign of older files", "RoiAlign", {"output_height": 2, "output_width": 2}, f(2, 1, 5, 6),
     [ROIS, np.array([1, 1, 0], I)], 10),
    ("RoiAlign of the largest", "RoiAlign", {"output_height": 2, "output_width": 2, "mode": "max"}, f(2, 1, 5, 6),
     [ROIS, np.array([1, 1, 0], I)], 16),
    ("Resize against aliases", "Resize", {"mode": "linear", "antialias": 1}, f(1, 1, 8, 7),
     [NONE, NONE, np.array([1, 1, 3, 4], I)], 18),
    ("Resize, cubic against aliases", "Resize", {"mode": "cubic", "antialias": 1}, f(1, 1, 8, 7),
     [NONE, NONE, np.array([1, 1, 3, 9], I)], 18),
    ("Resize, cubic without what is outside", "Resize", {"mode": "cubic", "exclude_outside": 1}, IMAGE,
     [NONE, np.array([1, 1, 1.5, 0.75], F)], 18),
    ("Resize of a region", "Resize",
     {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 10.0}, IMAGE,
     [F([0, 0, 0.4, 0.6, 1, 1, 1.2, 1.7]), NONE, np.array([1, 1, 3, 3], I)], 17),
    ("Resize, half_pixel_symmetric", "Resize",
     {"mode": "linear", "coordinate_transformation_mode": "half_pixel_symmetric"}, IMAGE,
     [NONE, np.array([1, 1, 0.6, 1.3], F)], 19),
    ("BitwiseAnd", "BitwiseAnd", {}, U8(2, 3), [U8(3) + np.uint8(9)], 18),
    ("BitwiseOr", "BitwiseOr", {}, I8(2, 3), [I8(3) + np.int8(9)], 18),
    ("BitwiseXor", "BitwiseXor", {}, np.arange(4, dtype=np.int32) * 77, [np.array([3, 5, 255, 9], np.int32)], 18),
    ("BitwiseNot", "BitwiseNot", {}, np.array([0, 5, -7], I), [], 18),
    ("BitwiseNot of bytes", "BitwiseNot", {}, U8(4), [], 18),
    ("BitShift", "BitShift", {"direction": "LEFT"}, U8(4), [np.array([1, 2, 0, 3], np.uint8)], 17),
    ("BitShift to the right", "BitShift", {"direction": "RIGHT"}, U8(4), [np.array([1, 2, 0, 3], np.uint8)], 17),
    ("EyeLike", "EyeLike", {"k": -1, "dtype": 7}, f(3, 4), [], 17),
    ("EyeLike above", "EyeLike", {"k": 2}, f(3, 4), [], 17),
    ("HannWindow", "HannWindow", {}, np.array(6, I), [], 17),
    ("HammingWindow of both ends", "HammingWindow", {"periodic": 0}, np.array(5, I), [], 17),
    ("BlackmanWindow", "BlackmanWindow", {}, np.array(5, I), [], 17),
    ("CenterCropPad", "CenterCropPad", {}, f(3, 4), [np.array([6, 1], I)], 18),
    ("CenterCropPad of one axis", "CenterCropPad", {"axes": [1]}, f(2, 5, 2), [np.array([2], I)], 18),
    ("ReverseSequence", "ReverseSequence", {}, f(4, 2, 3), [np.array([3, 1], I)], 17),
    ("ReverseSequence of rows", "ReverseSequence", {"batch_axis": 0, "time_axis": 1}, f(2, 4),
     [np.array([4, 2], I)], 17),
    ("MeanVarianceNormalization", "MeanVarianceNormalization", {}, f(2, 3, 2, 2), [], 17),
    ("QLinearSoftmax", "com.microsoft.QLinearSoftmax", {"axis": -1, "opset": 13}, U8(2, 5),
     [F(0.03), np.uint8(100), F(1 / 256), np.uint8(0)], 17),
    ("Gelu of onnxruntime", "com.microsoft.Gelu", {}, f(2, 3), [], 17),
    ("FusedGemm", "com.microsoft.FusedGemm", {"activation": "Tanh", "transB": 1}, f(2, 3), [f(4, 3), f(4)], 17),
    ("AffineGrid", "AffineGrid", {"align_corners": 1}, f(1, 2, 3), [np.array([1, 1, 2, 3], I)], 20),
    ("SkipSimplifiedLayerNormalization with a bias and the sum", "com.microsoft.SkipSimplifiedLayerNormalization", {},
     f(2, 3, 4), [f(2, 3, 4) * F(0.3), f(4), f(4) + F(2)], 17, (1, 4)),
    ("SkipLayerNormalization and the sum", "com.microsoft.SkipLayerNormalization", {}, f(2, 3, 4),
     [f(2, 3, 4) * F(0.3), f(4), f(4) + F(1), f(4)], 17, (1, 4)),
    ("QGemm with a bias and alpha", "com.microsoft.QGemm", {"alpha": 0.5}, U8(2, 3),
     [F(0.05), np.uint8(100), I8(3, 4), F(0.1), np.int8(2), np.array([100, -50, 20, 3], np.int32)], 17),
    ("QLinearSoftmax of opset 12", "com.microsoft.QLinearSoftmax", {"axis": 1, "opset": 12}, U8(2, 3, 2),
     [F(0.03), np.uint8(100), F(1 / 256), np.uint8(0)], 12),
    ("Resize of bytes", "Resize", {"mode": "linear"}, U8(1, 1, 3, 3), [NONE, np.array([1, 1, 2, 2], F)], 18),
    ("Resize of bytes with a sign", "Resize", {"mode": "linear"}, I8(1, 1, 3, 3),
     [NONE, np.array([1, 1, 2, 2], F)], 18),
    ("Resize of integers at corners", "Resize",
     {"mode": "linear", "coordinate_transformation_mode": "align_corners"}, np.arange(9, dtype=np.int32)
     .reshape(1, 1, 3, 3) * 37 - 100, [NONE, np.array([1, 1, 2, 2], F)], 18),
    ("Resize of bytes against aliases", "Resize", {"mode": "linear", "antialias": 1}, U8(1, 1, 6, 7),
     [NONE, NONE, np.array([1, 1, 6, 4], I)], 18),
    ("Resize of opset 10", "Resize", {"mode": "linear"}, f(1, 1, 2, 3), [np.array([1, 1, 2, 1.5], F)], 10),
    ("Resize of opset 10 to the nearest", "Resize", {"mode": "nearest"}, f(1, 1, 2, 3),
     [np.array([1, 1, 1.5, 2], F)], 10),
    ("Upsample", "Upsample", {"mode": "nearest"}, f(1, 1, 2, 3), [np.array([1, 1, 2, 2], F)], 9),
    ("BitwiseNot of 16 bits without a sign", "BitwiseNot", {}, np.array([127, 0, 65535], np.uint16), [], 18),
    ("BitwiseNot of 32 bits without a sign", "BitwiseNot", {}, np.array([127, 0, 2 ** 32 - 1], np.uint32), [], 18),
    ("BitShift of 32 bits without a sign", "BitShift", {"direction": "LEFT"}, np.array([4294967168, 3], np.uint32),
     [np.array([3, 1], np.uint32)], 17),
    ("FusedGemm of LeakyRelu", "com.microsoft.FusedGemm", {"activation": "LeakyRelu", "activation_alpha": 0.3}, f(2, 3),
     [f(3, 4), f(4)], 17),
    ("FusedGemm of HardSigmoid", "com.microsoft.FusedGemm",
     {"activation": "HardSigmoid", "activation_alpha": 0.3, "activation_beta": 0.1}, f(2, 3), [f(3, 4), f(4)], 17),
    ("QuantizeLinear to bytes with a sign", "QuantizeLinear", {"output_dtype": 3}, np.array([1, -3, 700], F), [F(0.5)],
     21),
    ("QuantizeLinear to 16 bits", "QuantizeLinear", {"output_dtype": 5}, np.array([1, -3, 7e4], F), [F(0.5)], 21),
    ("QuantizeLinear to 16 bits without a sign", "QuantizeLinear", {}, np.array([1, -3, 7e4], F),
     [F(0.5), np.uint16(7)], 21),
    ("Pad of nothing that is left", "Pad", {}, f(5), [np.array([-5, 7], I), F(2)], 17),
    ("Pad of less than nothing", "Pad", {}, f(2, 5), [np.array([0, 7, 0, -6], I)], 17),
    ("LSTM of a length of 0", "LSTM", {"hidden_size": 2}, *recurrent(4, 1, [0, 2], f(1, 2, 2), f(1, 2, 2)), 17),
    ("GRU of a length of 0, both ways", "GRU", {"hidden_size": 2, "direction": "bidirectional"},
     *recurrent(3, 2, [2, 0], f(2, 2, 2)), 17),
    ("GRU of activations in lower case", "GRU", {"hidden_size": 2, "activations": ["hardsigmoid", "SOFTSIGN"]},
     *recurrent(3), 17),
    ("RoiAlign of a box that is turned round", "RoiAlign", {"output_height": 2, "output_width": 2}, f(1, 1, 5, 6),
     [np.array([[4, 3, 1, 1], [1, 1, 4, 3]], F), np.array([0, 0], I)], 16),
    ("Clip of whole numbers", "Clip", {}, np.array([-3, 1, 9], I), [np.array(0, I), np.array(5, I)], 17),
    ("Abs of whole numbers", "Abs", {}, np.array([-3, 1, 9], I), [], 17),
    ("ReduceMean of whole numbers", "ReduceMean", {"axes": [1]}, np.array([[7, -3, 9], [0, 5, -9]], I), [], 17),
    ("ReduceL2 of whole numbers", "ReduceL2", {"axes": [1]}, np.array([[7, -3, 9], [0, 5, -9]], np.int32), [], 17),
    ("Pad around what is left", "Pad", {"mode": "wrap"}, f(2, 5), [np.array([1, -2, -1, 3], I)], 19),
    ("Resize of opset 10 to fewer", "Resize", {"mode": "nearest"}, f(1, 1, 3, 5), [np.array([1, 1, 1.5, 0.6], F)], 10),
    ("QLinearSoftmax of opset 12 without an axis", "com.microsoft.QLinearSoftmax", {"opset": 12}, U8(2, 3, 2),
     [F(0.03), np.uint8(100), F(1 / 256), np.uint8(0)], 12),
    ("Softmax of opset 11 of all from an axis on", "Softmax", {"axis": 1}, f(2, 3, 2), [], 11),
    ("LogSoftmax of opset 12 without an axis", "LogSoftmax", {}, f(2, 3, 2), [], 12),
    ("Hardmax of opset 11 of all from an axis on", "Hardmax", {"axis": -2}, f(2, 3, 2), [], 11),
    ("Hardmax of opset 12 of all", "Hardmax", {"axis": 0}, f(2, 3), [], 12),
    ("TopK of opset 9", "TopK", {"k": 2, "axis": 0}, f(3, 2), [], 9, 2),
    ("Pad of opset 10", "Pad", {"pads": [0, 1, 0, 0], "value": 2.0}, f(2, 3), [], 10),
    ("GatherElements of fewer along the others", "GatherElements", {"axis": 1}, f(2, 3),
     [np.array([[-1, 0, 1, 1]], I)], 17),
    ("ConvTranspose to more than it reaches", "ConvTranspose", {"strides": [3], "output_shape": [10]}, f(1, 1, 3),
     [f(1, 1, 2)], 17),
    ("Pow by one number of more dimensions", "Pow", {}, np.abs(f(2, 3)), [np.array([[[2]]], F)], 17),
    ("ReduceLogSumExp of nothing", "ReduceLogSumExp", {"noop_with_empty_axes": 1, "keepdims": 0}, f(2, 3), [], 18),
    ("Add of 16 bits without a sign", "Add", {}, np.array([65535, 5], np.uint16), [np.array([2, 7], np.uint16)], 17),
    ("Sub of 32 bits without a sign", "Sub", {}, np.array([2, 2 ** 32 - 1], np.uint32), [np.array([5, 7], np.uint32)],
     17),
    ("Mul of 32 bits without a sign", "Mul", {}, np.array([2 ** 32 - 1, 3], np.uint32), [np.array([5, 7], np.uint32)],
     17),
    ("Cast to 16 bits without a sign", "Cast", {"to": 4}, np.array([-1, 70000], np.int32), [], 17),
    ("Cast to 32 bits without a sign", "Cast", {"to": 12}, np.array([-1, 2 ** 40 + 3], I), [], 17),
]


def lua(array):
    def number(v):
        return "-inf" if v == -INF else "inf" if v == INF else repr(round(float(v), 7)) if isinstance(
            v, (float, np.floating)) else str(v)
    plain = array.astype(np.uint8) if array.dtype == bool else array
    values = ", ".join(number(v) for v in plain.reshape(-1).tolist())
    return "{ kind = %d, dims = { %s }, values = { %s } }" % (
        helper.np_dtype_to_tensor_dtype(array.dtype), ", ".join(map(str, array.shape)), values)


def attribute(name, value):
    if isinstance(value, float):
        return "{ name = '%s', type = 1, f = %r }" % (name, value)
    if isinstance(value, int):
        return "{ name = '%s', type = 2, i = %d }" % (name, value)
    if isinstance(value, str):
        return "{ name = '%s', type = 3, s = '%s' }" % (name, value)
    if isinstance(value[0], str):
        return "{ name = '%s', type = 8, strings = { '%s' } }" % (name, "', '".join(value))
    if isinstance(value[0], float):
        return "{ name = '%s', type = 6, floats = { %s } }" % (name, ", ".join(map(repr, value)))
    return "{ name = '%s', type = 7, ints = { %s } }" % (name, ", ".join(map(str, value)))


def lrn(x, size, alpha, beta, bias):
    """By the definition: onnxruntime has none of even size, onnx's reference computes the first plane alone."""
    y = np.empty_like(x)
    for c in range(x.shape[1]):
        part = x[:, max(0, c - (size - 1) // 2):c + size // 2 + 1]
        y[:, c] = x[:, c] / (bias + alpha / size * (part ** 2).sum(axis=1)) ** beta
    return y


OUTPUTS = {"DynamicQuantizeLinear": 3, "LSTM": 3, "GRU": 2, "RNN": 2}


def outputs(operator, count=None):
    """Names of outputs; of a list of places '' where one is left out."""
    places = count if isinstance(count, tuple) else range(1, (count or OUTPUTS.get(operator, 1)) + 1)
    return ["y"] + [f"y{i}" if i in places else "" for i in range(2, max(places) + 1)]


def result(operator, attributes, x, constants, opset, count=None):
    domain, operator = operator.rpartition(".")[::2]
    x, constants = np.asarray(x), [c if c is None else np.asarray(c) for c in constants]
    names = ["x"] + ["" if c is None else f"c{i}" for i, c in enumerate(constants)]
    kind = helper.np_dtype_to_tensor_dtype(x.dtype)
    graph = helper.make_graph(
        [helper.make_node(operator, names, outputs(operator, count), domain=domain, **attributes)], "g",
        [helper.make_tensor_value_info("x", kind, x.shape)],
        [helper.make_empty_tensor_value_info(name) for name in outputs(operator, count) if name],
        [numpy_helper.from_array(c, n) for c, n in zip(constants, names[1:]) if c is not None])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset),
                                             helper.make_opsetid("com.microsoft", 1)], ir_version=8)
    onnx.shape_inference.infer_shapes(model)
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        return "onnxruntime", session.run(None, {"x": x})
    except onnxruntime.capi.onnxruntime_pybind11_state.Fail:
        if operator != "LRN":
            raise
        return "the definition", [lrn(x, **attributes)]


def main():
    print("-- What onnxruntime %s gives (onnx %s): written by test/onnx/tools/write_cases.py."
          % (onnxruntime.__version__, onnx.__version__))
    print("-- luacheck: no max line length\nlocal inf = math.huge\n\nreturn {")
    for name, operator, attributes, x, constants, opset, *count in CASES:
        source, ys = result(operator, attributes, x, constants, opset, *count)
        print("   { name = '%s', operator = '%s', opset = %d, source = '%s'," % (name, operator, opset, source))
        print("      attributes = { %s }," % ", ".join(attribute(*item) for item in attributes.items()))
        if len(ys) > 1:
            print("      outputs = { '%s' }," % "', '".join(outputs(operator, *count)))
        print("      x = %s,\n      constants = { %s }," % (
            lua(np.asarray(x)), ", ".join("false" if c is None else lua(np.asarray(c)) for c in constants)))
        names = [name for name in outputs(operator, *count) if name]
        print("      %s },\n" % ",\n      ".join("%s = %s" % (n, lua(y)) for n, y in zip(names, ys)), end="")
    print("}")


main()
