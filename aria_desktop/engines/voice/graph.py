"""A voice's ONNX graph in two: text to the hidden frames of speech, and those to sound.

The second half of a VITS voice, the decoder, costs most of the time and looks only a few frames around, so it can
make the beginning of a sentence before its end. The file itself knows nothing of halves: the nodes of the decoder are
told by the name that all of Piper's voices give them, and each half is written anew as a model of its own, from the
bytes of the whole. A graph that is made in another way is not cut. The file was checked before
(`safety.models.onnx_check`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

DECODER = "/dec/"
_GRAPH, _NODE, _INITIALIZER, _NAME, _INPUT, _OUTPUT = 7, 1, 5, 2, 11, 12
"""Field numbers of onnx.proto."""
_BYTES = 2
_FIXED = {1: 8, 5: 4}


@dataclass(frozen=True, slots=True)
class Halves:
    """Two models, as bytes."""

    frames: bytes
    """From the voice's own inputs to `seam`."""
    sound: bytes
    """From `seam` to the voice's own output."""
    seam: str
    """The name of the hidden frames, [1, channels, frames]."""


@dataclass(frozen=True, slots=True)
class _Node:
    raw: memoryview
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class _Graph:
    def __init__(self, raw: memoryview) -> None:
        self.nodes: list[_Node] = []
        self.weights: dict[str, memoryview] = {}
        self.inputs: list[memoryview] = []
        self.outputs: list[memoryview] = []
        for number, value in _fields(raw):
            if number == _NODE:
                self.nodes.append(_node(value))
            elif number == _INITIALIZER:
                self.weights[_texts(value, 8)[0]] = value
            elif number == _INPUT:
                self.inputs.append(value)
            elif number == _OUTPUT:
                self.outputs.append(value)

    def half(self, wanted: str, seam: str = "") -> tuple[list[_Node], list[memoryview], set[str]]:
        """The nodes and weights that make `wanted`, without what makes `seam`; and the graph's own inputs in use."""
        makers = {output: at for at, node in enumerate(self.nodes) for output in node.outputs}
        nodes, weights, own, open_ = set[int](), set[str](), set[str](), [wanted]
        while open_:
            name = open_.pop()
            if name in ("", seam):
                continue
            if name in self.weights:
                weights.add(name)
            elif name not in makers:
                own.add(name)
            elif makers[name] not in nodes:
                nodes.add(makers[name])
                open_ += self.nodes[makers[name]].inputs
        return [self.nodes[at] for at in sorted(nodes)], [self.weights[name] for name in sorted(weights)], own


def halves(model: bytes) -> Halves | None:
    """None when it can't be cut: its decoder is not told by its name, or is given more than the frames."""
    whole = memoryview(model)
    around = [(number, value) for number, value in _spans(whole) if number != _GRAPH]
    graph = _Graph(next(value for number, value in _fields(whole) if number == _GRAPH))
    seam, output = _seam(graph), _texts(graph.outputs[0], 1)[0] if graph.outputs else ""
    if not seam or not output:
        return None
    nodes, weights, own = graph.half(output, seam)
    if own:
        return None
    before, weights_before, _ = graph.half(seam)
    value = _value(seam)
    return Halves(
        _model(around, before, weights_before, graph.inputs, [value]),
        _model(around, nodes, weights, [value], graph.outputs[:1]),
        seam,
    )


def _seam(graph: _Graph) -> str:
    """What the decoder's nodes are given by others, if it is one thing; constants are nobody's."""
    makers = {output: node for node in graph.nodes for output in node.outputs}
    given = set()
    for node in graph.nodes:
        if node.name.startswith(DECODER):
            given |= {
                name
                for name in node.inputs
                if name in makers and makers[name].inputs and not makers[name].name.startswith(DECODER)
            }
    return given.pop() if len(given) == 1 else ""


def _model(
    around: Sequence[tuple[int, memoryview]],
    nodes: Sequence[_Node],
    weights: Sequence[memoryview],
    inputs: Sequence[memoryview | bytes],
    outputs: Sequence[memoryview | bytes],
) -> bytes:
    graph = b"".join(
        [
            *(_field(_NODE, node.raw) for node in nodes),
            _field(_NAME, b"half"),
            *(_field(_INITIALIZER, weight) for weight in weights),
            *(_field(_INPUT, value) for value in inputs),
            *(_field(_OUTPUT, value) for value in outputs),
        ]
    )
    return b"".join([*(bytes(span) for _, span in around), _field(_GRAPH, graph)])


def _value(name: str) -> bytes:
    """A tensor of 32-bit floats whose shape is not stated."""
    kind = _field(1, _number(1 << 3) + _number(1))
    return _field(1, name.encode()) + _field(2, kind)


def _node(raw: memoryview) -> _Node:
    names = _texts(raw, 3)
    return _Node(raw, names[0] if names else "", tuple(_texts(raw, 1)), tuple(_texts(raw, 2)))


def _texts(raw: memoryview, number: int) -> list[str]:
    return [bytes(value).decode("utf-8", "replace") for found, value in _fields(raw) if found == number]


def _field(number: int, value: bytes | memoryview) -> bytes:
    return _number(number << 3 | _BYTES) + _number(len(value)) + bytes(value)


def _number(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _fields(raw: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Those that hold bytes."""
    for number, wire, value, _ in _walked(raw):
        if wire == _BYTES:
            yield number, value


def _spans(raw: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Every field whole, with its tag."""
    for number, _, _, span in _walked(raw):
        yield number, span


def _walked(raw: memoryview) -> Iterator[tuple[int, int, memoryview, memoryview]]:
    at = 0
    while at < len(raw):
        begin = at
        tag, at = _read(raw, at)
        number, wire = tag >> 3, tag & 7
        length = _FIXED.get(wire, 0)
        if wire == _BYTES:
            length, at = _read(raw, at)
        elif wire == 0:
            _, at = _read(raw, at)
        yield number, wire, raw[at : at + length], raw[begin : at + length]
        at += length


def _read(raw: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = raw[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at
