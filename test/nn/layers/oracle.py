"""Writes oracle.lua: what PyTorch gives for layers with parameters, of several inputs, and with
states that passes change, for the spec beside it.

Run by hand when a case is added: python3 oracle.py > oracle.lua (needs PyTorch, 2.x).
Inputs and parameters are `wave` of their sizes, so that only results are stored.
"""

import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


def wave(sizes, phase, scale=0.5):
    count = math.prod(sizes)
    return torch.tensor([scale * math.sin(0.7 * i + phase) for i in range(1, count + 1)]).view(sizes)


def norm_rows(x):
    return x / x.norm(2, 1, keepdim=True)


def batch_norm(training, momentum, eps=1e-3):
    def f(x, mean, var, w=None, b=None):
        return F.batch_norm(x, mean, var, w, b, training, momentum, eps)
    return f


def weight(sizes, outputs=None):
    return [("weight", sizes, "gradWeight")] + ([("bias", (outputs,), "gradBias")] if outputs else [])


def statistics(n, affine=True):
    return ([("running_mean", (n,), "buffer"), ("running_var", (n,), "buffer+")]
            + (weight((n,), n) if affine else []))


def over_time(x, w, b, width, step):
    kernel = w.view(w.shape[0], width, -1).transpose(1, 2)
    return F.conv1d(x.transpose(1, 2), kernel, b, step).transpose(1, 2)


def depthwise(x, w, b, step, padding):
    kernel = w.transpose(0, 1).reshape(-1, 1, *w.shape[2:])
    return F.conv2d(x, kernel, b.t().reshape(-1), step, padding, 1, w.shape[1])


def weight_norm(x, v, g, b):
    return F.linear(x, g[:, None] * v / (v.pow(2).sum(1, keepdim=True) + 1e-4).sqrt(), b)


def spectral(x, raw, u, b):
    with torch.no_grad():
        v = F.normalize(raw.t() @ u, dim=0)
        u.copy_(F.normalize(raw @ v, dim=0))
    return F.linear(x, raw / (u @ (raw @ v)), b)


def embedding(positions, **options):
    return lambda w: F.embedding(torch.tensor(positions) - 1, w, **options)


def bag(mode):
    return lambda w: F.embedding_bag(torch.tensor([[1, 4, 4], [3, 1, 2]]) - 1, w, mode=mode)


def fractional3(x, samples):  # height, width, time; the samples are for time, width and height
    return F.fractional_max_pool3d(x, (2, 3, 2), output_size=(4, 3, 3),
                                   _random_samples=samples.flip(2))


def lp_features(x):
    return F.lp_pool1d(x.transpose(1, 2).reshape(-1, 1, x.shape[1]), 4, 3, 2).reshape(
        x.shape[0], x.shape[2], -1).transpose(1, 2)


IMAGE, VOLUME = (2, 2, 5, 6), (1, 2, 4, 5, 3)
# what the layer is in Lua, what it is here, inputs' sizes (or positions, as Lua has them),
# parameters: the field, its size, and where its gradient is; "buffer" has none, "buffer+" is
# positive
CASES = [
    ("nn.BatchNormalization(3, 1e-3, 0.3)", batch_norm(True, 0.3), [(6, 3)], statistics(3)),
    ("nn.BatchNormalization(3, 1e-3, 0.3, false)", batch_norm(True, 0.3), [(6, 3)],
     statistics(3, False)),
    ("nn.SpatialBatchNormalization(2, 1e-3)", batch_norm(True, 0.1), [IMAGE], statistics(2)),
    ("nn.VolumetricBatchNormalization(2, 1e-3)", batch_norm(True, 0.1), [VOLUME], statistics(2)),
    ("evaluated(nn.BatchNormalization(3))", batch_norm(False, 0.1, 1e-5), [(6, 3)], statistics(3)),
    ("evaluated(nn.SpatialBatchNormalization(2))", batch_norm(False, 0.1, 1e-5), [IMAGE],
     statistics(2)),
    ("nn.Linear(4, 3)", F.linear, [(5, 4)], weight((3, 4), 3)),
    ("nn.Bilinear(3, 4, 2)", F.bilinear, [(5, 3), (5, 4)], weight((2, 3, 4), 2)),
    ("nn.Cosine(4, 3)", lambda x, w: norm_rows(x) @ norm_rows(w).t(), [(5, 4)], weight((3, 4))),
    ("nn.Euclidean(4, 3)", lambda x, w: torch.cdist(x, w.t()), [(5, 4)], weight((4, 3))),
    ("nn.WeightedEuclidean(4, 3)",
     lambda x, w, c: ((x[:, :, None] - w) * c).norm(2, 1), [(5, 4)],
     weight((4, 3)) + [("diagCov", (4, 3), "gradDiagCov")]),
    ("nn.CosineDistance()", F.cosine_similarity, [(5, 4), (5, 4)], []),
    ("nn.PairwiseDistance(2)", lambda a, b: F.pairwise_distance(a, b, 2, 0), [(5, 4), (5, 4)], []),
    ("nn.PairwiseDistance(1)", lambda a, b: F.pairwise_distance(a, b, 1, 0), [(5, 4), (5, 4)], []),
    ("nn.PairwiseDistance(3)", lambda a, b: F.pairwise_distance(a, b, 3, 0), [(5, 4), (5, 4)], []),
    ("nn.DotProduct()", lambda a, b: (a * b).sum(1), [(5, 4), (5, 4)], []),
    ("nn.Normalize(2, 0)", F.normalize, [(5, 4)], []),
    ("nn.Normalize(1, 0)", lambda x: F.normalize(x, 1), [(5, 4)], []),
    ("nn.Normalize(3, 0)", lambda x: F.normalize(x, 3), [(5, 4)], []),
    ("nn.Normalize(math.huge, 0)", lambda x: F.normalize(x, math.inf), [(5, 4)], []),
    ("nn.PReLU(2)", F.prelu, [IMAGE], weight((2,))),
    ("nn.LookupTable(5, 3, 4)", embedding([1, 4, 4, 5, 1], padding_idx=3), "{ 1, 4, 4, 5, 1 }",
     weight((5, 3))),
    ("nn.LookupTable(5, 3):scaleGradByFreq()",
     embedding([[1, 4, 4], [5, 1, 4]], scale_grad_by_freq=True), "{ { 1, 4, 4 }, { 5, 1, 4 } }",
     weight((5, 3))),
    ("nn.LookupTable(5, 3, 0, 0.5)", embedding([1, 4, 2], max_norm=0.5), "{ 1, 4, 2 }",
     weight((5, 3))),
    ("nn.LookupTable(5, 3, 0, 0.5, 1)", embedding([1, 4, 2], max_norm=0.5, norm_type=1),
     "{ 1, 4, 2 }", weight((5, 3))),
    ("then_(nn.LookupTable(5, 3), nn.Sum(2))", bag("sum"), "{ { 1, 4, 4 }, { 3, 1, 2 } }",
     [("modules.1.weight", (5, 3), "modules.1.gradWeight")]),
    ("then_(nn.LookupTable(5, 3), nn.Mean(2))", bag("mean"), "{ { 1, 4, 4 }, { 3, 1, 2 } }",
     [("modules.1.weight", (5, 3), "modules.1.gradWeight")]),
    ("nn.LinearWeightNorm(4, 3)",
     lambda x, v, g, b: F.linear(x, torch._weight_norm(v, g, 0), b), [(5, 4)],
     [("v", (3, 4), "gradV"), ("g", (3, 1), "gradG"), ("bias", (3,), "gradBias")]),
    ("nn.WeightNorm(nn.Linear(4, 3))", weight_norm, [(5, 4)],
     [("v", (3, 4), "gradV"), ("g", (3,), "gradG"), ("bias", (3,), "gradBias")]),
    ("nn.SpectralNorm(nn.Linear(4, 3))", spectral, [(5, 4)],
     [("raw", (3, 4), "gradRaw"), ("u", (3,), "buffer"), ("bias", (3,), "gradBias")]),
    ("nn.SpatialConvolution(2, 3, 3, 2, 2, 1, 1, 0)",
     lambda x, w, b: F.conv2d(x, w, b, (1, 2), (0, 1)), [IMAGE], weight((3, 2, 2, 3), 3)),
    ("nn.SpatialDilatedConvolution(2, 3, 3, 2, 1, 2, 1, 2, 2, 3)",
     lambda x, w, b: F.conv2d(x, w, b, (2, 1), (2, 1), (3, 2)), [IMAGE], weight((3, 2, 2, 3), 3)),
    ("nn.SpatialDepthWiseConvolution(2, 3, 3, 2, 2, 1, 1, 0)",
     lambda x, w, b: depthwise(x, w, b, (1, 2), (0, 1)), [IMAGE],
     [("weight", (3, 2, 2, 3), "gradWeight"), ("bias", (3, 2), "gradBias")]),
    ("nn.SpatialFullConvolution(2, 3, 3, 2, 2, 3, 1, 0, 1, 2)",
     lambda x, w, b: F.conv_transpose2d(x, w, b, (3, 2), (0, 1), (2, 1)), [IMAGE],
     weight((2, 3, 2, 3), 3)),
    ("nn.VolumetricConvolution(2, 3, 3, 2, 1, 1, 2, 1, 1, 0, 1)",
     lambda x, w, b: F.conv3d(x, w, b, (1, 1, 2), (1, 1, 0)), [VOLUME],
     weight((3, 2, 3, 1, 2), 3)),
    ("nn.VolumetricFullConvolution(2, 3, 3, 2, 1, 1, 2, 2, 1, 0, 0, 0, 1, 1)",
     lambda x, w, b: F.conv_transpose3d(x, w, b, (1, 2, 2), (1, 0, 0), (0, 1, 1)), [VOLUME],
     weight((2, 3, 3, 1, 2), 3)),
    ("nn.TemporalConvolution(3, 4, 3, 2)", lambda x, w, b: over_time(x, w, b, 3, 2), [(2, 8, 3)],
     weight((4, 9), 4)),
    ("nn.TemporalRowConvolution(3, 3, 2, true)",
     lambda x, w, b: F.conv1d(x, w, b, 2, 0, 1, 3), [(2, 3, 8)], weight((3, 1, 3), 3)),
    ("nn.SpatialFractionalMaxPooling(3, 2, 3, 4):fixPoolingRegions()",
     lambda x, u: F.fractional_max_pool2d(x, (2, 3), output_size=(4, 3), _random_samples=u),
     [(2, 2, 9, 8)], [("randomSamples", (2, 2, 2), "buffer+")]),
    ("nn.VolumetricFractionalMaxPooling(2, 3, 2, 3, 3, 4):fixPoolingRegions()", fractional3,
     [(1, 2, 7, 8, 6)], [("randomSamples", (1, 2, 3), "buffer+")]),
    ("nn.FeatureLPPooling(3, 2, 4, true)", lp_features, [(2, 7, 3)], []),
]


def flat(t):
    return "{ " + ", ".join("%.17g" % v for v in t.reshape(-1).tolist()) + " }"


def sizes(t):
    return "{ " + ", ".join(map(str, t)) + " }"


def fields(pairs):
    return "{ " + ", ".join(f"['{name}'] = {flat(t)}" for name, t in pairs) + " }"


print(f"-- Written by oracle.py with PyTorch {torch.__version__.split('+')[0]}, in float64.")
print("-- luacheck: no max line length")
print("return {")
for make, f, inputs, parameters in CASES:
    positions = isinstance(inputs, str)
    xs = [] if positions else [wave(s, 0.3 + k, 1).requires_grad_() for k, s in enumerate(inputs)]
    values = []
    for k, (name, size, gradient) in enumerate(parameters):
        value = wave(size, k + 1)
        if gradient == "buffer+":
            value += 0.5
        values.append(value if gradient.startswith("buffer") else value.requires_grad_())
    y = f(*xs, *values)
    (y * wave(y.shape, 1.3, 1)).sum().backward()
    print(f'   {{ make = "{make}",')
    print(f"      x = {inputs if positions else '{ ' + ', '.join(map(sizes, inputs)) + ' }'},")
    if positions:
        print("      positions = true,")
    names = ", ".join(f"{{ '{n}', {sizes(s)}, '{g}' }}" for n, s, g in parameters)
    print(f"      parameters = {{ {names} }},")
    print(f"      size = {sizes(y.shape)}, y = {flat(y)},")
    print(f"      gx = {{ {', '.join(flat(x.grad) for x in xs)} }},")
    print("      after = " + fields([(n, v.detach()) for (n, _, _), v in zip(parameters, values)])
          + ",")
    print("      gradients = " + fields([(g, v.grad) for (_, _, g), v in zip(parameters, values)
                                         if v.requires_grad]) + " },")
print("}")
