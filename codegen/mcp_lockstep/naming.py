"""Names as types: any text becomes a valid, readable name, and a name that is not valid cannot be made."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Final, Self, TypeVar


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LONGEST_MODULE: Final = 80
"""A module is a file: 255 bytes is the usual limit, and a path holds several names."""

WINDOWS_NAMES: Final = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{digit}" for port in ("com", "lpt") for digit in range(10))]
)
"""File stems that Windows gives to devices, in lower case."""

SOFT_KEYWORDS: Final = frozenset(["_", "case", "lazy", "match", "type"])
"""Written out: the list of the running Python would make the output depend on it."""

BUILTIN_NAMES: Final = _words(
    """
    abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile
    complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format
    frozendict frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len
    license list locals map max memoryview min next object oct open ord pow print property quit range repr
    reversed round sentinel set setattr slice sorted staticmethod str sum super tuple type vars zip
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
    ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning
    EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError
    FutureWarning GeneratorExit IOError ImportCycleError ImportError ImportWarning IndentationError
    IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
    ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError
    OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError
    RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration
    StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError
    UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError
    UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError
    """
)

TYPING_NAMES: Final = _words(
    """
    AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator
    Awaitable BinaryIO ByteString Callable ChainMap ClassVar Collection Concatenate Container
    ContextManager Coroutine Counter DefaultDict Deque Dict Enum Final ForwardRef FrozenSet Generator
    Generic Hashable IO IntEnum ItemsView Iterable Iterator KeysView List Literal LiteralString Mapping
    MappingView Match MutableMapping MutableSequence MutableSet NamedTuple Never NewType NoDefault
    NoReturn NotRequired Optional OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs Pattern Protocol
    ReadOnly Required Reversible Self Sequence Set Sized StrEnum SupportsAbs SupportsBytes SupportsComplex
    SupportsFloat SupportsIndex SupportsInt SupportsRound TYPE_CHECKING Text TextIO Tuple Type TypeAlias
    TypeAliasType TypeForm TypeGuard TypeIs TypeVar TypeVarTuple TypedDict Union Unpack ValuesView
    """
)

PYDANTIC_NAMES: Final = _words(
    """
    AfterValidator AliasChoices AliasPath AwareDatetime BaseModel BeforeValidator ByteSize ConfigDict
    Discriminator Field FieldSerializationInfo GetCoreSchemaHandler InstanceOf Json MISSING
    ModelWrapValidatorHandler PlainSerializer PlainValidator PrivateAttr RootModel SerializeAsAny
    SkipValidation StrictBool StrictBytes StrictFloat StrictInt StrictStr StringConstraints Tag
    TypeAdapter ValidationError ValidationInfo WithJsonSchema WrapSerializer WrapValidator
    """
)

_CLASS_RESERVED: Final = BUILTIN_NAMES | TYPING_NAMES | PYDANTIC_NAMES

_MODULE_RESERVED: Final = (
    {name.lower() for name in keyword.kwlist}
    | {name.lower() for name in BUILTIN_NAMES}
    | SOFT_KEYWORDS
    | WINDOWS_NAMES
    | {"conftest", "enum", "mcp", "pydantic", "typing"}
)

_PACKAGE_RESERVED: Final = _words(
    """
    abc aifc annotationlib antigravity anyio argparse array ast asynchat asyncio asyncore atexit audioop
    base64 bdb binascii bisect builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop
    collections colorsys compileall compression concurrent configparser contextlib contextvars copy
    copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email
    encodings ensurepip errno fastmcp faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
    functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http
    httpx idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json jsonschema keyword
    lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib
    msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os
    ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath
    pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re
    readline referencing reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex
    shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants
    sre_parse ssl starlette stat statistics string stringprep struct subprocess sunau symtable sys
    sysconfig syslog tabnanny tarfile telnetlib tempfile termios test tests textwrap this threading time
    timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types
    unicodedata unittest urllib uu uuid uvicorn venv warnings wave weakref webbrowser winreg winsound
    wsgiref xdrlib xml xmlrpc xxlimited zipapp zipfile zipimport zlib zoneinfo
    """
)

MODEL_ATTRIBUTES: Final = _words(
    """
    construct copy dict from_orm json model_computed_fields model_config model_construct model_copy
    model_dump model_dump_json model_extra model_fields model_fields_set model_json_schema
    model_parametrized_name model_post_init model_rebuild model_validate model_validate_json
    model_validate_strings parse_file parse_obj parse_raw schema schema_json update_forward_refs validate
    """
)
"""Public attributes of pydantic 2's `BaseModel`: a field of such a name hides or breaks one."""

_MODEL_PREFIXES: Final = ("model_validate", "model_dump")
"""Beginnings that pydantic protects: it warns about a field that has one."""

_LETTERS: Final[Mapping[str, str]] = {
    "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i",
}  # fmt: skip
"""Lower-case letters that Unicode does not decompose into an ASCII letter and a mark."""


class Identifier(str):
    """A Python identifier as the compiler keeps it: NFKC, and no keyword. Raises ValueError."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        if not text.isidentifier() or keyword.iskeyword(text) or _nfkc(text) != text:
            raise ValueError(f"{text!r} is not a Python identifier")
        return super().__new__(cls, text)


class ClassName(Identifier):
    """An identifier for a class; it hides no builtin, typing or pydantic name. Raises ValueError."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        if text.startswith("_") or text in _CLASS_RESERVED:
            raise ValueError(f"{text!r} cannot name a generated class")
        return super().__new__(cls, text)


class ModuleName(Identifier):
    """The stem of a Python file: lower-case ASCII, so distinct on every file system. Raises ValueError."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        if not re.fullmatch("[a-z][a-z0-9_]*", text) or text in _MODULE_RESERVED:
            raise ValueError(f"{text!r} cannot name a generated module")
        return super().__new__(cls, text)


class ImportName(str):
    """What Python imports: one identifier, or several with dots between. Raises ValueError."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        return super().__new__(cls, ".".join(map(Identifier, text.split("."))))


class DistributionName(str):
    """The name of a distribution as package indexes take it. Raises ValueError."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", text):
            raise ValueError(f"{text!r} is not the name of a distribution")
        return super().__new__(cls, text)


def identifier(text: str) -> Identifier:
    """The identifier nearest to `text`; the same text where that is one and starts with no underscore.

    It never starts with an underscore (pydantic takes such names as private): one is moved to the end,
    more are dropped. It may hide a builtin; see `function_name`.
    """
    name = _cleaned(_nfkc(text))
    return Identifier(f"{name}_" if keyword.iskeyword(name) else name)


def function_name(text: str) -> Identifier:
    """The identifier nearest to `text` that hides no builtin, typing or pydantic name of its module."""
    name = identifier(text)
    return Identifier(f"{name}_") if name in _CLASS_RESERVED else name


def field_name(wire: str, taken: Container[str] = frozenset()) -> Identifier:
    """The field of a pydantic model for the property `wire`: the same text where pydantic takes it.

    `taken` are further names that the field may not have, such as types that the class body uses. For the
    fields of one model use `field_names`, which keeps them apart.
    """
    name = identifier(wire)
    if name in MODEL_ATTRIBUTES or name in taken:
        name = Identifier(f"{name}_")
    if name.startswith(_MODEL_PREFIXES):
        name = Identifier(f"field_{name}")
    rounds = 0
    while name in taken:
        name = Identifier(f"{name.rstrip('_')}_{_digest(wire, rounds)}")
        rounds += 1
    return name


def field_names(wires: Iterable[str], taken: Container[str] = frozenset()) -> dict[str, Identifier]:
    """The fields of one model, property by property: distinct, valid, none of them in `taken`."""
    return distinct(wires, lambda wire: field_name(wire, taken))


def class_name(text: str) -> ClassName:
    """The class name nearest to `text`, words joined with capitals: `get-forecast` gives `GetForecast`."""
    words = _cleaned(_nfkc(text)).split("_")
    name = _nfkc("".join(map(_capitalised, words)))
    return ClassName(f"{name}_" if keyword.iskeyword(name) or name in _CLASS_RESERVED else name)


def module_name(text: str) -> ModuleName:
    """The module name nearest to `text`, words in lower case: `getForecast` gives `get_forecast`.

    Letters outside ASCII lose their marks or become `u` and their code point in hexadecimal.
    """
    name = _ascii_words(text)
    if len(name) > _LONGEST_MODULE:
        name = f"{name[: _LONGEST_MODULE - 9]}_{_digest(text, 2)}"
    return ModuleName(f"{name}_" if name in _MODULE_RESERVED else name)


def package_name(text: str) -> ModuleName:
    """A module name for a top-level package: it hides no module of the standard library or the SDKs."""
    name = module_name(text)
    if name in _PACKAGE_RESERVED or name.endswith("_"):
        return ModuleName(f"{name.rstrip('_')}_server")
    return name


def distribution_name(text: str) -> DistributionName:
    """The name of a distribution nearest to `text`, in normal form (PEP 503): `weather-server`."""
    lower = _ascii(text).lower()
    name = re.sub("[^a-z0-9]+", "-", lower).strip("-")
    return DistributionName(name or _spelled(text).replace("_", "-"))


Name = TypeVar("Name", bound=str)


def distinct(names: Iterable[str], make: Callable[[str], Name]) -> dict[str, Name]:
    """A different made name for each of `names`, whatever their order.

    Of several that `make` gives one name, the one that is that name already keeps it (else the first in
    alphabetical order); each other gets a suffix from a hash of its own text. So a further name changes no
    other one, except that it may take over the plain name of one that differs from it only in spelling.
    Raises ValueError where `make` cannot tell the names apart.
    """
    made = {name: make(name) for name in names}
    groups: dict[str, list[str]] = {}
    for name, base in made.items():
        groups.setdefault(base, []).append(name)
    plain = {min(group, key=lambda name: (name != made[name], name)) for group in groups.values()}
    return made | _suffixed(
        {name: base for name, base in made.items() if name not in plain}, set(groups), make
    )


def _suffixed(bases: Mapping[str, Name], taken: set[str], make: Callable[[str], Name]) -> dict[str, Name]:
    """A name of its own for each key: settled in rounds, so that the order of the keys does not matter."""
    settled: dict[str, Name] = {}
    for rounds in range(len(bases) + len(taken) + 1):
        waiting = {name: base.rstrip("_") for name, base in bases.items() if name not in settled}
        if not waiting:
            return settled
        made = {name: make(f"{base}_{_digest(name, rounds)}") for name, base in waiting.items()}
        counts = Counter[str](made.values())
        new = {name: result for name, result in made.items() if counts[result] == 1 and result not in taken}
        settled |= new
        taken |= set(new.values())
    raise ValueError("no distinct names for " + ", ".join(map(repr, sorted(bases.keys() - settled.keys()))))


def _digest(text: str, rounds: int) -> str:
    """Hexadecimal digits of a hash of `text`, four and two more for each of `rounds` before."""
    from hashlib import sha256

    seed = f"{rounds}:{text}" if rounds else text
    return sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[: 4 + 2 * rounds]


def _nfkc(text: str) -> str:
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFKC", text)


def _cleaned(text: str) -> str:
    """`text` (NFKC) with every run of other characters as one underscore; a valid identifier or a keyword."""
    name = "".join(c if c == "_" or f"a{c}".isidentifier() else " " for c in text).strip(" ")
    name = re.sub(" +", "_", name)
    bare = name.lstrip("_")
    if not bare:
        return _spelled(text)
    if len(name) - len(bare) == 1:
        bare += "_"
    return bare if bare.isidentifier() else f"n_{bare}"


def _spelled(text: str) -> str:
    """A name for a text without a letter: `empty`, or what Unicode calls its first character."""
    if not text:
        return "empty"
    if text[0] == "_":
        return "underscore"
    from unicodedata import name

    words = re.sub("[^a-z0-9]+", "_", name(text[0], "").lower())
    return words if words[:1].isalpha() else f"u{ord(text[0]):04x}"


def _capitalised(word: str) -> str:
    """`word` with a capital first letter where that letter has one that an identifier can begin with."""
    first = word[:1].upper()
    return first + word[1:] if first.isidentifier() else word


def _ascii(text: str) -> str:
    """`text` in ASCII: letters without their marks, others as `u` and hexadecimal digits, as a word each."""
    if text.isascii():
        return text
    from unicodedata import combining, normalize

    plain = "".join(c for c in normalize("NFKD", text) if not combining(c))
    return "".join(map(_ascii_character, plain))


def _ascii_character(character: str) -> str:
    if character.isascii():
        return character
    letters = _LETTERS.get(character.lower())
    if letters is not None:
        return letters if character.islower() else letters.capitalize()
    return f"_u{ord(character):04x}_" if character.isalnum() else "_"


def _ascii_words(text: str) -> str:
    """The words of `text` in lower-case ASCII, joined with single or the text's own underscores."""
    plain = re.sub("([a-z0-9])([A-Z])", r"\1_\2", re.sub("([A-Z]+)([A-Z][a-z])", r"\1_\2", _ascii(text)))
    words = re.sub("[^a-z0-9_]+", "_", plain.lower())
    if words != text:
        words = re.sub("__+", "_", words)
    words = words.strip("_") or _spelled(text)
    return words if words[0].isalpha() else f"n_{words}"
