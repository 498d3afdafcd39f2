"""Writes oracle.lua: what PyTorch's layers and losses give, in float64, for oracle_spec.lua.

Run by hand when a case is added: python3 oracle.py > oracle.lua (needs PyTorch, any 2.x).
"""

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)

# Numbers on both sides of every kink, and far out.
X = torch.tensor([[-30.0, -4.5, -3.2, -1.3], [-0.6, -0.01, 0.02, 0.4], [0.9, 2.5, 3.7, 25.0]])
G = torch.tensor([[0.5, -1.0, 2.0, 0.3], [1.5, 0.7, -0.4, 1.1], [-0.9, 0.6, 1.3, -2.0]])
IMAGES = torch.linspace(-2, 3, 24).sin().mul(3).view(2, 3, 2, 2)
IMAGES_G = torch.linspace(1, 9, 24).cos().view(2, 3, 2, 2)

# what the layer is in Lua, what it is here, input, gradOutput
LAYERS = [
    ("nn.ReLU()", F.relu, X, G),
    ("nn.Threshold(0.3, -7)", lambda x: F.threshold(x, 0.3, -7), X, G),
    ("nn.Sigmoid()", torch.sigmoid, X, G),
    ("nn.Tanh()", torch.tanh, X, G),
    ("nn.HardTanh()", F.hardtanh, X, G),
    ("nn.SoftPlus()", lambda x: F.softplus(x, 1, 1e9), X, G),
    ("nn.HardShrink()", F.hardshrink, X, G),
    ("nn.SoftShrink()", F.softshrink, X, G),
    ("nn.ELU()", F.elu, X, G),
    ("nn.CELU()", F.celu, X, G),
    ("nn.LeakyReLU()", F.leaky_relu, X, G),
    ("nn.RReLU()", lambda x: F.rrelu(x, training=False), X, G),
    ("nn.SoftMax()", lambda x: F.softmax(x, 1), X, G),
    ("nn.LogSoftMax()", lambda x: F.log_softmax(x, 1), X, G),
    ("nn.SoftMax()", lambda x: F.softmax(x, 1), IMAGES, IMAGES_G),
    ("nn.LogSoftMax()", lambda x: F.log_softmax(x, 1), IMAGES, IMAGES_G),
    ("nn.SoftMin()", lambda x: F.softmin(x, 1), IMAGES, IMAGES_G),
    ("nn.Abs()", torch.abs, X, G),
    ("nn.Exp()", torch.exp, X, G),
    ("nn.Log()", torch.log, X.abs(), G),
    ("nn.Square()", torch.square, X, G),
    ("nn.Sqrt()", torch.sqrt, X.abs(), G),
    ("nn.ELU(0.7)", lambda x: F.elu(x, 0.7), X, G),
    ("nn.CELU(0.7)", lambda x: F.celu(x, 0.7), X, G),
    ("nn.SELU()", F.selu, X, G),
    ("nn.LeakyReLU(0.1)", lambda x: F.leaky_relu(x, 0.1), X, G),
    ("nn.PReLU()", lambda x: F.prelu(x, torch.tensor([0.25])), X, G),
    ("nn.PReLU(4)", lambda x: F.prelu(x, torch.full((4,), 0.25)), X, G),
    ("nn.RReLU(0.1, 0.5)", lambda x: F.rrelu(x, 0.1, 0.5, training=False), X, G),
    ("nn.ReLU6()", F.relu6, X, G),
    ("nn.HardTanh(-0.5, 2)", lambda x: F.hardtanh(x, -0.5, 2), X, G),
    ("nn.Clamp(-0.5, 2)", lambda x: F.hardtanh(x, -0.5, 2), X, G),
    ("nn.HardShrink(0.7)", lambda x: F.hardshrink(x, 0.7), X, G),
    ("nn.SoftShrink(0.7)", lambda x: F.softshrink(x, 0.7), X, G),
    ("nn.SoftSign()", F.softsign, X, G),
    ("nn.SoftPlus(1.5)", lambda x: F.softplus(x, 1.5, 1e9), X, G),
    ("nn.TanhShrink()", F.tanhshrink, X, G),
    ("nn.LogSigmoid()", F.logsigmoid, X, G),
    ("nn.GELU()", F.gelu, X, G),
    ("nn.GELU(true)", lambda x: F.gelu(x, approximate="tanh"), X, G),
    ("nn.SiLU()", F.silu, X, G),
    ("nn.Mish()", F.mish, X, G),
    ("nn.HardSwish()", F.hardswish, X, G),
    ("nn.HardSigmoid()", F.hardsigmoid, X, G),
    ("nn.Power(3)", lambda x: x**3, X, G),
    ("nn.Sqrt(0.5)", lambda x: (x + 0.5).sqrt(), X.abs(), G),
    ("nn.GatedLinearUnit()", F.glu, X, G[:, :2]),
    ("nn.GatedLinearUnit(1)", lambda x: F.glu(x, 0), X.view(4, 3), G.view(4, 3)[:2]),
    ("nn.SoftMin()", lambda x: F.softmin(x, 1), X, G),
    ("nn.SpatialSoftMax()", lambda x: F.softmax(x, 1), IMAGES, IMAGES_G),
    ("nn.SpatialLogSoftMax()", lambda x: F.log_softmax(x, 1), IMAGES, IMAGES_G),
    ("nn.CReLU(1)", lambda x: torch.cat([F.relu(x), F.relu(-x)], 1), X, torch.cat([G, -2 * G], 1)),
]

Y = G.flip(0) * 2
P = X.sigmoid() * 0.9 + 0.05
T = Y.sigmoid()
SIGNS = G.sign()
BITS = (G > 0).double()
W4 = torch.tensor([0.5, 2.0, 1.0, 0.25])
W3 = torch.tensor([0.5, 2.0, 1.0])
CLASSES = torch.tensor([2, 0, 3])
S = X.clamp(-3, 3)
A, B, C = S, G, S.flip(1) * 0.7 + 0.1
PLACES = torch.tensor([[0, 2, 1, 1], [1, 0, 2, 2]]).view(2, 2, 2)
FRAMES = torch.linspace(0, 20, 2 * 7 * 5).sin().mul(2).view(7, 2, 5)


def nt_xent(a, b, temperature):
    z = F.normalize(torch.cat([a, b]), dim=1, eps=0)
    n = len(a)
    s = (z @ z.T / temperature).masked_fill(torch.eye(2 * n, dtype=bool), -torch.inf)
    return F.cross_entropy(s, torch.cat([torch.arange(n, 2 * n), torch.arange(n)]))


def info_nce(a, b, temperature):
    s = F.normalize(a, dim=1, eps=0) @ F.normalize(b, dim=1, eps=0).T / temperature
    return F.cross_entropy(s, torch.arange(len(a)))


def ctc(x, labels, frames=None, blank=0, reduction="sum"):
    lengths = torch.tensor([len(l) for l in labels])
    flat = torch.tensor([c for l in labels for c in l])
    frames = torch.tensor(frames or [x.shape[0]] * x.shape[1])
    loss = F.ctc_loss(F.log_softmax(x, 2), flat, frames, lengths, blank, "none")
    return loss.mean() if reduction == "mean" else loss.sum()


def lua_labels(labels):
    return "{ %s }" % ", ".join("{ %s }" % ", ".join(str(c + 1) for c in l) for l in labels)


def smoothed(**options):
    return lambda x: F.cross_entropy(x, CLASSES, **options)


LABELS = [[1, 2, 2], [4]]

# what the criterion is in Lua, what it is here, its inputs, the target in Lua (or a tensor)
LOSSES = [
    ("nn.MSECriterion()", lambda x: F.mse_loss(x, Y), [X], Y),
    ("nn.AbsCriterion(false)", lambda x: F.l1_loss(x, Y, reduction="sum"), [X], Y),
    ("nn.MSECriterion(false)", lambda x: F.mse_loss(x, Y, reduction="sum"), [X], Y),
    ("nn.AbsCriterion()", lambda x: F.l1_loss(x, Y), [X], Y),
    ("nn.L1Cost()", lambda x: x.abs().sum(), [X], "nil"),
    ("nn.SmoothL1Criterion(false)", lambda x: F.smooth_l1_loss(x, Y, reduction="sum"), [X], Y),
    ("nn.HuberCriterion()", lambda x: F.huber_loss(x, Y), [X], Y),
    ("nn.DistKLDivCriterion(false)", lambda x: F.kl_div(x, T, reduction="sum"), [P.log()], T),
    ("nn.SoftMarginCriterion(false)",
     lambda x: F.soft_margin_loss(x, SIGNS, reduction="sum"), [X], SIGNS),
    ("nn.HingeEmbeddingCriterion()",
     lambda x: F.hinge_embedding_loss(x, SIGNS), [X.abs()], SIGNS),
    ("nn.HingeEmbeddingCriterion(2, false)",
     lambda x: F.hinge_embedding_loss(x, SIGNS, 2.0, reduction="sum"), [X.abs()], SIGNS),
    ("nn.MarginCriterion()", lambda x: (1 - SIGNS * x).clamp(min=0).mean(), [S], SIGNS),
    ("nn.MarginRankingCriterion(0.5, false)",
     lambda a, b: F.margin_ranking_loss(a, b, SIGNS, 0.5, reduction="sum"), [S, G], SIGNS),
    ("nn.L1HingeEmbeddingCriterion(30)",
     lambda a, b: F.hinge_embedding_loss((a - b).abs().sum(), torch.tensor(-1.0), 30.0), [S, G],
     "-1"),
    ("nn.L1HingeEmbeddingCriterion(30)",
     lambda a, b: F.hinge_embedding_loss((a - b).abs().sum(), torch.tensor(1.0), 30.0), [S, G],
     "1"),
    ("nn.CosineEmbeddingCriterion()",
     lambda a, b: F.cosine_embedding_loss(a, b, torch.tensor([1.0, -1, -1])), [S, C],
     torch.tensor([1.0, -1, -1])),
    ("nn.CosineEmbeddingCriterion(0.2, false)",
     lambda a, b: F.cosine_embedding_loss(a, b, torch.tensor([-1.0, -1, 1]), 0.2,
                                          reduction="sum"), [S, C],
     torch.tensor([-1.0, -1, 1])),
    ("nn.TripletMarginCriterion()",
     lambda a, p, n: F.triplet_margin_loss(a, p, n), [A, B, C], "nil"),
    ("nn.DistanceRatioCriterion()",
     lambda a, b: -F.log_softmax(torch.stack([-a, -b]), 0)[0].mean(), [S, G], "nil"),
    ("nn.BCECriterion(nil, false)",
     lambda x: F.binary_cross_entropy(x, T, reduction="sum"), [P], T),
    ("nn.BCEWithLogitsCriterion(W4, false)",
     lambda x: F.binary_cross_entropy_with_logits(x, T, W4, reduction="sum"), [X], T),
    ("nn.MultiLabelSoftMarginCriterion()",
     lambda x: F.multilabel_soft_margin_loss(x, BITS), [X], BITS),
    ("nn.MultiMarginCriterion(1, W4, 0.7, false)",
     lambda x: F.multi_margin_loss(x, CLASSES, 1, 0.7, W4, reduction="sum"), [S],
     "torch.LongTensor { 3, 1, 4 }"),
    ("nn.MultiLabelMarginCriterion(false)",
     lambda x: F.multilabel_margin_loss(
         x, torch.tensor([[2, 0, -1, 1], [3, -1, -1, -1], [-1, -1, -1, -1]]), reduction="sum"),
     [S], "torch.LongTensor { { 3, 1, 0, 2 }, { 4, 0, 0, 0 }, { 0, 0, 0, 0 } }"),
    ("nn.ClassNLLCriterion()", lambda x: F.nll_loss(x, CLASSES), [S],
     "torch.LongTensor { 3, 1, 4 }"),
    ("nn.ClassNLLCriterion(W4)", lambda x: F.nll_loss(x, CLASSES, W4), [S],
     "torch.LongTensor { 3, 1, 4 }"),
    ("nn.ClassNLLCriterion(W4, false)", lambda x: F.nll_loss(x, CLASSES, W4, reduction="sum"),
     [S], "torch.LongTensor { 3, 1, 4 }"),
    ("nn.ClassNLLCriterion(W4, true, 1)",
     lambda x: F.nll_loss(x, CLASSES, W4, ignore_index=0), [S], "torch.LongTensor { 3, 1, 4 }"),
    ("nn.SpatialClassNLLCriterion(W3, false)",
     lambda x: F.nll_loss(x, PLACES, W3, reduction="sum"), [IMAGES],
     "torch.LongTensor { { { 1, 3 }, { 2, 2 } }, { { 2, 1 }, { 3, 3 } } }"),
    ("nn.CrossEntropyCriterion()", smoothed(), [S], "torch.LongTensor { 3, 1, 4 }"),
    ("nn.CrossEntropyCriterion(nil, false)", smoothed(reduction="sum"), [S],
     "torch.LongTensor { 3, 1, 4 }"),
    ("nn.SmoothL1Criterion()", lambda x: F.smooth_l1_loss(x, Y), [X], Y),
    ("nn.HuberCriterion(1.7)", lambda x: F.huber_loss(x, Y, delta=1.7), [X], Y),
    ("nn.BCECriterion()", lambda x: F.binary_cross_entropy(x, T), [P], T),
    ("nn.BCECriterion(W4, false)",
     lambda x: F.binary_cross_entropy(x, T, W4, reduction="sum"), [P], T),
    ("nn.BCEWithLogitsCriterion()", lambda x: F.binary_cross_entropy_with_logits(x, T), [X], T),
    ("nn.BCEWithLogitsCriterion(W4)",
     lambda x: F.binary_cross_entropy_with_logits(x, T, W4), [X], T),
    ("nn.MultiLabelSoftMarginCriterion(W4)",
     lambda x: F.multilabel_soft_margin_loss(x, BITS, W4), [X], BITS),
    ("nn.DistKLDivCriterion()", lambda x: F.kl_div(x, T, reduction="mean"), [P.log()], T),
    ("nn.SoftMarginCriterion()", lambda x: F.soft_margin_loss(x, SIGNS), [X], SIGNS),
    ("nn.HingeEmbeddingCriterion(2)",
     lambda x: F.hinge_embedding_loss(x, SIGNS, 2.0), [X.abs()], SIGNS),
    ("nn.MarginRankingCriterion(0.5)",
     lambda a, b: F.margin_ranking_loss(a, b, SIGNS, 0.5), [S, G], SIGNS),
    ("nn.CosineEmbeddingCriterion(0.2)",
     lambda a, b: F.cosine_embedding_loss(a, b, torch.tensor([1.0, -1, -1]), 0.2), [S, C],
     torch.tensor([1.0, -1, -1])),
    ("nn.TripletMarginCriterion(1.5)",
     lambda a, p, n: F.triplet_margin_loss(a, p, n, 1.5), [A, B, C], "nil"),
    ("nn.TripletMarginCriterion(1.5, 3, false)",
     lambda a, p, n: F.triplet_margin_loss(a, p, n, 1.5, 3, reduction="sum"), [A, B, C], "nil"),
    ("nn.ContrastiveCriterion(0.3)", lambda a, b: nt_xent(a, b, 0.3), [A, B], "nil"),
    ("nn.ContrastiveCriterion(0.3, true)", lambda a, b: info_nce(a, b, 0.3), [A, B], "nil"),
    ("nn.MultiMarginCriterion()",
     lambda x: F.multi_margin_loss(x, CLASSES), [S], "torch.LongTensor { 3, 1, 4 }"),
    ("nn.MultiMarginCriterion(2, W4, 0.7)",
     lambda x: F.multi_margin_loss(x, CLASSES, 2, 0.7, W4), [S], "torch.LongTensor { 3, 1, 4 }"),
    ("nn.MultiLabelMarginCriterion()",
     lambda x: F.multilabel_margin_loss(
         x, torch.tensor([[2, 0, -1, 1], [3, -1, -1, -1], [-1, -1, -1, -1]])), [S],
     "torch.LongTensor { { 3, 1, 0, 2 }, { 4, 0, 0, 0 }, { 0, 0, 0, 0 } }"),
    ("nn.SpatialClassNLLCriterion(W3)",
     lambda x: F.nll_loss(x, PLACES, W3), [IMAGES],
     "torch.LongTensor { { { 1, 3 }, { 2, 2 } }, { { 2, 1 }, { 3, 3 } } }"),
    ("nn.CrossEntropyCriterion(W4)",
     smoothed(weight=W4), [S], "torch.LongTensor { 3, 1, 4 }"),
    ("nn.CrossEntropyCriterion(nil, true, 0.1)",
     smoothed(label_smoothing=0.1), [S], "torch.LongTensor { 3, 1, 4 }"),
    ("nn.CrossEntropyCriterion(W4, true, 0.3)",
     smoothed(weight=W4, label_smoothing=0.3), [S], "torch.LongTensor { 3, 1, 4 }"),
    ("nn.CrossEntropyCriterion(W4, false, 0.3)",
     smoothed(weight=W4, label_smoothing=0.3, reduction="sum"), [S],
     "torch.LongTensor { 3, 1, 4 }"),
    ("nn.CTCCriterion(1, false)", lambda x: ctc(x, LABELS), [FRAMES], lua_labels(LABELS)),
    ("nn.CTCCriterion(3)", lambda x: ctc(x, [[1, 3], [4, 0, 4]], None, 2, "mean"), [FRAMES],
     lua_labels([[1, 3], [4, 0, 4]])),
    ("nn.CTCCriterion(1, false)", lambda x: ctc(x, LABELS, [7, 3]), [FRAMES],
     lua_labels(LABELS), "{ 7, 3 }"),
]


def lua(value):
    if isinstance(value, torch.Tensor):
        value = value.tolist()
    if isinstance(value, list):
        return "{ %s }" % ", ".join(lua(v) for v in value)
    return repr(value)


print("-- Written by oracle.py with PyTorch %s, in float64." % torch.__version__.split("+")[0])
print("-- luacheck: ignore 631")
print("return {\nlayers = {")
for make, f, x, g in LAYERS:
    x = x.clone().requires_grad_()
    y = f(x)
    y.backward(g)
    print(" { make = '%s',\n  x = %s,\n  g = %s,\n  y = %s,\n  gx = %s }," % (
        make, lua(x.detach()), lua(g), lua(y.detach()), lua(x.grad)))
print("},\nlosses = {")
for make, f, inputs, target, *sizes in LOSSES:
    inputs = [x.clone().requires_grad_() for x in inputs]
    loss = f(*inputs)
    loss.backward()
    if isinstance(target, torch.Tensor):
        target = "torch.Tensor " + lua(target)
    print(" { make = '%s',\n  x = { %s },\n  target = [[%s]], sizes = '%s',\n  loss = %s,\n"
          "  gx = { %s } }," % (make, ", ".join(lua(x.detach()) for x in inputs), target,
                                sizes[0] if sizes else "nil", lua(loss.item()),
                                ", ".join(lua(x.grad) for x in inputs)))
print("},\n}")
