"""Versions in normal form, against the reference implementation of PEP 440."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_lockstep.facts.normal import normal_identifier, normal_version, version_key

version = pytest.importorskip("packaging.version", reason="the oracle is not installed")
utils = pytest.importorskip("packaging.utils", reason="the oracle is not installed")

NUMBERS = st.sampled_from(["", "0", "00", "1", "01", "23"])
SEPARATORS = st.sampled_from(["", "-", "_", "."])
LOOSE = st.from_regex(r"\A[v0-9a-c.!+_-]{0,12}\Z")
SHAPED = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "v", "V", " "]),
        st.sampled_from(["", "0!", "1!"]),
        st.sampled_from(["0", "1", "1.0", "1.2.0", "01.002.000", "0.0"]),
        SEPARATORS,
        st.sampled_from(["", "a", "ALPHA", "b", "beta", "c", "rc", "pre", "preview"]),
        SEPARATORS,
        NUMBERS,
        SEPARATORS,
        st.sampled_from(["", "post", "rev", "r"]),
        SEPARATORS,
        NUMBERS,
        SEPARATORS,
        st.sampled_from(["", "dev"]),
        SEPARATORS,
        NUMBERS,
        st.sampled_from(["", "+1", "+a.b", "+A_01-x", "+00"]),
    ),
)


def oracle(text: str) -> object:
    try:
        return version.Version(text)
    except version.InvalidVersion:
        return text.strip()


@given(LOOSE | SHAPED)
def test_versions_read_as_the_reference_reads_them(text: str) -> None:
    assert normal_version(text) == str(oracle(text))


@given(SHAPED, SHAPED)
def test_keys_are_equal_exactly_where_versions_are(one: str, other: str) -> None:
    assert (version_key(one) == version_key(other)) is (oracle(one) == oracle(other))


@given(st.text(alphabet="aB1-_.", max_size=12))
def test_identifiers_read_as_the_reference_reads_them(text: str) -> None:
    assert normal_identifier(text) == utils.canonicalize_name(text)
