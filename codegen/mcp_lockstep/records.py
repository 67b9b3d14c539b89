"""Named tuples that cost little to define: `from mcp_lockstep.records import NamedTuple`.

`typing.NamedTuple` compiles a constructor for each class, and the text of each annotation: 0.2 ms a class, 23 ms for
the hundred classes that a `check` loads. Here classes of one width share their constructor; only its names differ.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from types import FunctionType

TYPE_CHECKING = False
"""Ours, so that `typing` need not be imported; type checkers know the name."""

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
    from typing import Self

_PLAIN: Callable[[str, Sequence[str]], type[tuple[object, ...]]] = namedtuple


class _Record(tuple[object, ...]):
    """What every named tuple can do."""

    __slots__ = ()
    _fields: tuple[str, ...]

    def __new__(cls, *values: object) -> Self:
        return super().__new__(cls, values)

    @classmethod
    def _make(cls, values: Iterable[object]) -> Self:
        return cls(*values)

    def _replace(self, /, **changes: object) -> Self:
        made = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"{type(self).__name__} has no field {', '.join(changes)}")
        return made

    def _asdict(self) -> dict[str, object]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        values = ", ".join(f"{field}={value!r}" for field, value in self._asdict().items())
        return f"{type(self).__name__}({values})"

    def __getnewargs__(self) -> tuple[object, ...]:
        return tuple(self)


class _Width:
    """What named tuples of one width share, taken from one of Python's own: it knows places, not names."""

    def __init__(self, width: int) -> None:
        names = [f"field_{index}" for index in range(width)]
        plain = _PLAIN("Plain", names)
        self.getters = [vars(plain)[name] for name in names]
        self.constructor: FunctionType = vars(plain)["__new__"].__func__

    def constructor_of(self, name: str, fields: Iterable[str], defaults: Iterable[object]) -> FunctionType:
        """The constructor of the class `name`, which takes `fields` by name; the last of them have `defaults`."""
        shared = self.constructor
        code = shared.__code__.replace(co_varnames=("_cls", *fields), co_qualname=f"{name}.__new__")
        return FunctionType(code, shared.__globals__, "__new__", tuple(defaults))


_width = cache(_Width)

if not TYPE_CHECKING:

    class _Definition(type):
        """Makes a tuple of each class that names `NamedTuple` as its base, as `typing` does."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            width = _width(len(fields))
            made = {
                **body,
                **dict(zip(fields, width.getters, strict=True)),
                "__slots__": (),
                "__new__": width.constructor_of(name, fields, defaults.values()),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
            }
            return type(name, (_Record,), made)

    NamedTuple = type.__new__(_Definition, "NamedTuple", (), {})
