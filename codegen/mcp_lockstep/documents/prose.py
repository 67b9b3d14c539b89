"""Texts of others, made fit for one line: of a comment, of a docstring, of Markdown."""

from __future__ import annotations

import re

_SUMMARY = 100
_MARKS = r"(?i:(?<=mcp-name):|(?<=mcp-name ):)"
"""The colon that makes a registry read `mcp-name: NAME` as a proof of who owns the package."""


def one_line(text: str) -> str:
    """The words of `text` with single spaces in between."""
    return " ".join(text.split())


def summary(text: str, limit: int = _SUMMARY) -> str:
    """The first line of `text` that says something, its first sentence if it is long, cut at a word if it must be."""
    first = next((line for line in map(one_line, text.splitlines()) if line), "")
    if len(first) <= limit:
        return first
    sentence = re.match(r".{10,}?[.!?](?=\s)", first)
    if sentence and len(sentence[0]) <= limit:
        return sentence[0]
    return first[: limit - 3].rpartition(" ")[0].rstrip(" ,;:") + "..."


def comment(text: str) -> str:
    """`text` for one line of a comment: no line ends, nothing that cannot be seen."""
    return "".join(c if c.isprintable() else "?" for c in one_line(text))


def markdown(text: str) -> str:
    """`text` for a paragraph or a table of Markdown: no markup, formula, HTML or comment, and no ownership marker."""
    return re.sub(rf"([\\`*_\[\]<>!#|~$]|&(?=#?\w+;)|{_MARKS})", r"\\\1", comment(text))


def code(text: str) -> str:
    """`text` for a code span of Markdown inside a table."""
    return re.sub(_MARKS, "", one_line(re.sub("[`|]", "", comment(text)))).strip()


def read_markdown(text: str) -> str:
    """What `text`, written by `markdown` or by hand, says: escapes undone."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)


def shown_markdown(text: str) -> str:
    """The words that a reader of `text` as Markdown sees; the same for plain text and for the text escaped."""
    bare = re.sub(r"[\\`*]", "", comment(text))
    unlinked = re.sub(r"\[([^\[\]]*)\]\([^()]*\)", r"\1", bare)
    return one_line(re.sub(r"(?<![^\W_])_+|_+(?![^\W_])", "", unlinked))


def begins(text: str, words: str) -> bool:
    """Whether `words`, in Markdown, are the first line of `text` or its first sentences."""
    said = shown_markdown(words)
    if said in (shown_markdown(summary(text)), shown_markdown(summary(text, len(text)))):
        return True
    paragraph = shown_markdown(re.split(r"\n[^\S\n]*\n", text.strip())[0])
    return said.endswith((".", "!", "?")) and f"{paragraph} ".startswith(f"{said} ")
