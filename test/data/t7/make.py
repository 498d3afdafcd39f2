#!/usr/bin/env python3
"""Write the .t7 files of this folder from the format's description, without LuaTorch.

    python3 make.py        # in this folder; writes the same bytes every time

Each file holds one object. A word of the binary format is a number kind plus its struct code; `Out`
writes the same words as text for the ASCII files.
"""

import struct

NIL, NUMBER, STRING, TABLE, TORCH, BOOLEAN = range(6)
OLDEST_FUNCTION, OLDER_FUNCTION, FUNCTION = 6, 7, 8


class Out:
    def __init__(self, ascii=False, order="<", long="q"):
        self.ascii, self.order, self.long, self.bytes = ascii, order, long, b""

    def block(self, code, values, text="%d"):
        values = list(values)
        if self.ascii:
            if values:
                self.bytes += (" ".join(text % v for v in values) + "\n").encode()
        else:
            self.bytes += struct.pack("%s%d%s" % (self.order, len(values), code), *values)

    def int(self, *values):
        self.block("i", values)

    def longs(self, *values):
        self.block(self.long, values)

    def raw(self, data):
        self.bytes += data + (b"\n" if self.ascii and data else b"")

    def text(self, data):
        self.int(len(data))
        self.raw(data)

    def number(self, value):
        self.int(NUMBER)
        self.block("d", [value], "%.17g")

    def string(self, data):
        self.int(STRING)
        self.text(data)

    def torch(self, index, name, version=1):
        self.int(TORCH)
        self.int(index)
        if version is not None:
            self.text(b"V %d" % version)
        self.text(name)

    def table(self, index, count):
        self.int(TABLE)
        self.int(index)
        self.int(count)

    def tensor(self, index, name, sizes, strides, offset):
        self.torch(index, b"torch." + name + b"Tensor")
        self.int(len(sizes))
        self.longs(*sizes)
        self.longs(*strides)
        self.longs(offset)

    def storage(self, index, name, code, values, text="%d"):
        self.torch(index, b"torch." + name + b"Storage")
        self.longs(len(values))
        if name in (b"Byte", b"Char"):
            self.raw(struct.pack("%d%s" % (len(values), code), *values))
        else:
            self.block(code, values, text)


def scalars(o):
    """{nil is no value; 0.1, -3, 1e300, 'hi', '', true, false} as a list"""
    o.table(1, 7)
    for i, write in enumerate(
        (
            lambda: o.number(0.1),
            lambda: o.number(-3),
            lambda: o.number(1e300),
            lambda: o.string(b"hi"),
            lambda: o.string(b""),
            lambda: (o.int(BOOLEAN), o.int(1)),
            lambda: (o.int(BOOLEAN), o.int(0)),
        )
    ):
        o.number(i + 1)
        write()


def cycle(o):
    """t = { name = 'root', self = t, child = { parent = t } }"""
    o.table(1, 3)
    o.string(b"name")
    o.string(b"root")
    o.string(b"self")
    o.int(TABLE)
    o.int(1)
    o.string(b"child")
    o.table(2, 1)
    o.string(b"parent")
    o.int(TABLE)
    o.int(1)


def transposed(o):
    """FloatTensor {{1, 2}, {3, 0.1}}:t()"""
    o.tensor(1, b"Float", (2, 2), (1, 2), 1)
    o.storage(2, b"Float", "f", (1, 2, 3, struct.unpack("f", struct.pack("f", 0.1))[0]), "%.9g")


def shared(o):
    """{u, u:narrow(1, 2, 1), u} with u = LongTensor {1, 2^53 + 1, -3}"""
    o.table(1, 3)
    o.number(1)
    o.tensor(2, b"Long", (3,), (1,), 1)
    if o.long == "q":
        o.storage(3, b"Long", "q", (1, 2**53 + 1, -3))
    else:
        o.storage(3, b"Long", o.long, (1, 2, -3))
    o.number(2)
    o.tensor(4, b"Long", (1,), (1,), 2)
    o.int(TORCH)
    o.int(3)
    o.number(3)
    o.int(TORCH)
    o.int(2)


def types(o):
    """one tensor of 3 elements of each type, by name"""
    kinds = (
        (b"Byte", "B", (65, 10, 255), "%d"),
        (b"Char", "b", (65, 10, -128), "%d"),
        (b"Short", "h", (1, -2, 32767), "%d"),
        (b"Int", "i", (1, -2, 2147483647), "%d"),
        (b"Long", "q", (1, -2, 9223372036854775807), "%d"),
        (b"Float", "f", (1, -2.5, 2.0**-149), "%.9g"),
        (b"Double", "d", (1, -2.5, 5e-324), "%.17g"),
        (b"Half", "H", (1, -2.5, 65504), "%.9g"),
    )
    o.table(1, len(kinds))
    index = 2
    for name, code, values, text in kinds:
        if name == b"Half" and not o.ascii:  # binary: the bits
            values = struct.unpack("<3H", struct.pack("<3e", *values))
        o.string(name)
        o.tensor(index, name, (3,), (1,), 1)
        o.storage(index + 1, name, code, values, text)
        index += 2


def empty(o):
    """DoubleTensor()"""
    o.tensor(1, b"Double", (), (), 1)
    o.int(NIL)


def instance(o, version=1):
    """an instance of class t7test.Point with x = 3, y = 'up'"""
    o.torch(1, b"t7test.Point", version)
    o.table(2, 2)
    o.string(b"x")
    o.number(3)
    o.string(b"y")
    o.string(b"up")


def function(o, kind):
    """a function whose bytecode no interpreter knows, with the upvalue n = 7"""
    o.int(kind)
    if kind != OLDEST_FUNCTION:
        o.int(1)
    o.text(b"\x1bLuaQ no such code")
    if kind == FUNCTION:
        o.table(2, 1)
        o.number(1)
        o.table(3, 2)
        o.string(b"name")
        o.string(b"n")
        o.string(b"value")
        o.number(7)
    else:
        o.table(2 if kind == OLDER_FUNCTION else 1, 1)
        o.number(1)
        o.number(7)


def write(name, build, *args, **options):
    o = Out(**options)
    build(o, *args)
    with open(name, "wb") as f:
        f.write(o.bytes)


for build in (scalars, cycle, transposed, shared, types, empty, instance):
    write(build.__name__ + ".t7", build)
    write(build.__name__ + ".ascii.t7", build, ascii=True)
write("shared.b32.t7", shared, long="i")
write("shared.big-endian.t7", shared, order=">")
write("instance.unversioned.t7", instance, None)
for kind in (OLDEST_FUNCTION, OLDER_FUNCTION, FUNCTION):
    write("function.type%d.t7" % kind, function, kind)
