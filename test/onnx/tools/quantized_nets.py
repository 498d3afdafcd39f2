"""Small nets that onnxruntime has quantised, as files for test/onnx/quantization_spec.lua.

    python test/onnx/tools/quantized_nets.py test/data/onnx

Two convolutions with a residual sum, a pool and two products, of random weights made here (no data of others is in
the files), quantised by onnxruntime.quantization.quantize_static to pairs of QuantizeLinear and DequantizeLinear:
quantized.onnx with bytes and a scale for each output, quantized_signed.onnx with signed bytes and one scale for all.
The .safetensors beside them has an input x1 and what onnxruntime computes without its optimisations, y1.
Made with onnx 1.23.2 and onnxruntime 1.32.0 (both of their licences, Apache-2.0 and MIT, leave what they write free).
"""
import os
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from safetensors.numpy import save_file


def net(random):
    constants = []

    def constant(name, *sizes, scale):
        array = (random.standard_normal(sizes) * scale).astype(np.float32)
        constants.append(numpy_helper.from_array(array, name))
        return name

    pads = {"pads": [1, 1, 1, 1], "kernel_shape": [3, 3]}
    nodes = [
        helper.make_node("Conv", ["x", constant("w1", 6, 2, 3, 3, scale=0.3), constant("b1", 6, scale=0.1)],
                         ["c1"], **pads),
        helper.make_node("Relu", ["c1"], ["r1"]),
        helper.make_node("Conv", ["r1", constant("w2", 6, 6, 3, 3, scale=0.2), constant("b2", 6, scale=0.1)],
                         ["c2"], **pads),
        helper.make_node("Add", ["c2", "r1"], ["a"]),
        helper.make_node("Relu", ["a"], ["r2"]),
        helper.make_node("MaxPool", ["r2"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["p"], ["f"]),
        helper.make_node("Gemm", ["f", constant("w3", 10, 96, scale=0.1), constant("b3", 10, scale=0.1)],
                         ["g"], transB=1),
        helper.make_node("Tanh", ["g"], ["t"]),
        helper.make_node("MatMul", ["t", constant("w4", 10, 3, scale=0.5)], ["y"]),
    ]
    graph = helper.make_graph(
        nodes, "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 2, 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 3])], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    return model


class Samples(CalibrationDataReader):
    def __init__(self, x):
        self.rows = iter(np.split(x, len(x)))

    def get_next(self):
        row = next(self.rows, None)
        return None if row is None else {"x": row}


def main():
    folder = sys.argv[1]
    random = np.random.default_rng(7)
    model, x = net(random), random.standard_normal((32, 2, 8, 8)).astype(np.float32)
    with tempfile.TemporaryDirectory() as scratch:
        source = os.path.join(scratch, "net.onnx")
        onnx.save(model, source)
        for name, kind, per_channel in (("quantized", QuantType.QUInt8, True),
                                        ("quantized_signed", QuantType.QInt8, False)):
            path = os.path.join(folder, name + ".onnx")
            quantize_static(source, path, Samples(x), quant_format=QuantFormat.QDQ, per_channel=per_channel,
                            activation_type=kind, weight_type=QuantType.QInt8)
            options = onnxruntime.SessionOptions()
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
            y = session.run(None, {"x": x[:8]})[0]
            save_file({"x1": x[:8], "y1": y}, path[:-5] + ".safetensors")


if __name__ == "__main__":
    main()
