"""Two JSON Schemas: whether the new one accepts less, or more, than the old one, and where."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from mcp_lockstep.compare import codes
from mcp_lockstep.compare.difference import Certainty, Difference
from mcp_lockstep.compare.keywords import differs, enumerated, scalars
from mcp_lockstep.compare.nodes import ANNOTATIONS, HOLDERS, REFERENCES, Document, Node, definition_name
from mcp_lockstep.compare.objects import arrays, objects
from mcp_lockstep.compare.opaque import opaque
from mcp_lockstep.compare.shapes import CONDITION, CONSTRAINTS, KINDS, Branch, branches, same
from mcp_lockstep.compare.unions import Matched, match
from mcp_lockstep.compare.work import Work
from mcp_lockstep.contract.model import shown
from mcp_lockstep.documents.data import Kind

_NOT_PROSE = CONSTRAINTS.union(HOLDERS, ["$id", "id", "$anchor", "$dynamicAnchor", "default", "format"])


def schema_differences(old: Document, new: Document, pairs: Sequence[tuple[Node, Node]]) -> list[Difference]:
    """Everything that is different between pairs of nodes of two documents, and in what they refer to."""
    work = Work(old, new, Engine())
    for before, after in pairs:
        work.later(before, after)
    work.run()
    return work.found


class Engine:
    """Compares one pair at a time; what it leads to is left to the work."""

    def nodes(self, work: Work, old: Node, new: Node) -> None:
        """Compare two nodes."""
        before, after = _followed(work.old, old), _followed(work.new, new)
        if before is None or after is None:
            _unresolved(work, old, new)
            return
        _annotations(work, old, new)
        if before is not old and after is not new:
            work.later(before, after)
            return
        left, right = branches(work.old, before), branches(work.new, after)
        _exclusive(work, before, after, any(b.exclusive for b in left), any(b.exclusive for b in right))
        if _types(work, before, after, left, right) and not (_says(before) and _says(after)):
            return
        for kind in KINDS:
            mine, theirs = [b for b in left if b.kind == kind], [b for b in right if b.kind == kind]
            if mine and theirs:
                self._matched(work, match(work, mine, theirs), before, after)

    def _matched(self, work: Work, matched: Matched, old: Node, new: Node) -> None:
        for before, after in matched.pairs:
            _annotations(work, before.home, after.home)
            self.branch(work, before, after)
        for gone in matched.removed:
            work.say([Difference(codes.MEMBER_REMOVED, old.at, new.at, _member(gone), None, "yes")])
        for come in matched.added:
            work.say([Difference(codes.MEMBER_ADDED, old.at, new.at, None, _member(come), "no", "yes")])

    def branch(self, work: Work, old: Branch, new: Branch) -> None:
        """Compare two branches of the same type."""
        if not work.first_time("branch", old.identity, new.identity):
            return
        listed = enumerated(old, new)
        work.say(listed or ())
        if (old.values is None) == (new.values is None):
            if old.values is None and old.integer != new.integer:
                work.say([_whole_number(old, new)])
            work.say(scalars(old, new))
            if old.kind == "object":
                objects(work, old.node, new.node)
            elif old.kind == "array":
                arrays(work, old.node, new.node)
        _parts(work, old, new)


def _followed(document: Document, node: Node) -> Node | None:
    """The node itself, or where it leads if a reference is all that it is; None where that leads out."""
    return document.target(node) if document.stands_alone(node) else node


def _unresolved(work: Work, old: Node, new: Node) -> None:
    before, after = old.only(*REFERENCES), new.only(*REFERENCES)
    leads_out = _followed(work.old, old) is None and _followed(work.new, new) is None
    if leads_out and same(before.keys, after.keys):
        return
    found = Difference(codes.REFERENCE_CHANGED, old.at, new.at, shown(old.keys), shown(new.keys))
    work.say([found._replace(writers="maybe", readers="maybe")])


def _exclusive(work: Work, old: Node, new: Node, before: bool, after: bool) -> None:
    if not before and not after:
        return
    trial = len(work.found)
    opaque(work, old, new)
    changed = len(work.found) > trial
    del work.found[trial:]
    if changed:
        writers: Certainty = "maybe" if after else "no"
        readers: Certainty = "maybe" if before else "no"
        work.say([Difference(codes.ONE_OF_UNSURE, old.at, new.at, None, None, writers, readers)])


def _types(work: Work, old: Node, new: Node, left: Sequence[Branch], right: Sequence[Branch]) -> bool:
    """Compare the JSON types; whether they are different."""
    before, after = {b.kind for b in left}, {b.kind for b in right}
    if before != after:
        writers: Certainty = "yes" if before - after else "no"
        readers: Certainty = "yes" if after - before else "no"
        texts = _type_names(left), _type_names(right)
        work.say([Difference(codes.TYPE_CHANGED, old.at, new.at, *texts, writers, readers)])
    return before != after


def _says(node: Node) -> bool:
    """Whether a schema refuses anything at all."""
    return bool(CONSTRAINTS.intersection(node.keys))


def _type_names(found: Sequence[Branch]) -> str:
    kinds: list[Kind] = [kind for kind in KINDS if any(b.kind == kind for b in found)]
    if len(kinds) == len(KINDS):
        return "any type"
    names = ["integer" if kind == "number" and _all_whole(found) else kind for kind in kinds]
    # A reader thinks of null as of what is there besides.
    return " or ".join([name for name in names if name != "null"] + ["null"] * ("null" in names)) or "nothing"


def _all_whole(found: Sequence[Branch]) -> bool:
    return all(branch.integer for branch in found if branch.kind == "number")


def _whole_number(old: Branch, new: Branch) -> Difference:
    names = ("integer", "number") if old.integer else ("number", "integer")
    writers: Certainty = "yes" if new.integer else "no"
    readers: Certainty = "yes" if old.integer else "no"
    return Difference(codes.TYPE_CHANGED, old.home.at, new.home.at, *names, writers, readers)


def _member(branch: Branch) -> str:
    name = definition_name(branch.home)
    return name or shown({k: v for k, v in branch.home.keys.items() if k not in ANNOTATIONS or k == "title"})


_LEFT_OVER = frozenset(["unevaluatedItems", "unevaluatedProperties"])


def _parts(work: Work, old: Branch, new: Branch) -> None:
    """Compare what a value must fulfil besides: parts that belong together, then those that have no counterpart."""
    before, after = list(old.parts), list(new.parts)
    for keyword in sorted(_LEFT_OVER & (old.node.keys.keys() | new.node.keys.keys())):
        for one, other in zip_longest(before, after, fillvalue=Node(old.home.at, {})):
            opaque(work, one, other)
        # What is left over depends on every part: one more may let more through, one less may refuse more.
        if [part.keys for part in before] != [part.keys for part in after]:
            at = (old.node, new.node)
            work.say([differs(codes.CONSTRAINT_CHANGED, *at, keyword, writers="maybe", readers="maybe")])
    _same_parts(work, before, after)
    for one, other in list(zip(before, after, strict=False)):
        if len(before) == len(after) and _manner(one) == _manner(other):
            before.remove(one)
            after.remove(other)
            _part(work, one, other)
    for part in after:
        if _manner(part) == "opaque" or not work.within(old, part):
            text = shown(part.keys)
            work.say([Difference(codes.CONSTRAINT_CHANGED, old.home.at, part.at, None, text, "maybe")])
    for part in before:
        if _manner(part) == "opaque" or not work.within(new, part, backwards=True):
            text = shown(part.keys)
            work.say([Difference(codes.CONSTRAINT_CHANGED, part.at, new.home.at, text, None, "no", "maybe")])


def _same_parts(work: Work, before: list[Node], after: list[Node]) -> None:
    for part in list(before):
        other = next((other for other in after if same(part.keys, other.keys)), None)
        if other is not None:
            before.remove(part)
            after.remove(other)
            _part(work, part, other)


def _part(work: Work, old: Node, new: Node) -> None:
    if _manner(old) == "opaque":
        if work.first_time("opaque", old.identity, new.identity):
            opaque(work, old, new)
    else:
        work.later(old, new)


def _manner(part: Node) -> str:
    return "opaque" if part.keys.keys() <= {"not", *CONDITION} and part.keys else "schema"


def _annotations(work: Work, old: Node, new: Node) -> None:
    """What changes no value: texts, and, each by itself, the default and the format."""
    if not work.first_time("prose", old.identity, new.identity):
        return
    for keyword in ("default", "format"):
        _annotation(work, old, new, keyword)
    keys = sorted((old.keys.keys() | new.keys.keys()) - _NOT_PROSE)
    changed = [key for key in keys if not _alike(old, new, key)]
    if changed:
        found = differs(codes.PROSE_CHANGED, old, new, changed[0])
        more = f"also: {shown(changed[1:])}" if len(changed) > 1 else ""
        work.say([found._replace(cosmetic=True, hint=more)])


def _alike(old: Node, new: Node, keyword: str) -> bool:
    both = keyword in old.keys and keyword in new.keys
    return same(old.keys[keyword], new.keys[keyword]) if both else keyword not in {*old.keys, *new.keys}


def _annotation(work: Work, old: Node, new: Node, keyword: str) -> None:
    if _alike(old, new, keyword):
        return
    if keyword == "default":
        sure: Certainty = "maybe" if keyword in old.keys else "no"
        work.say([differs(codes.DEFAULT_CHANGED, old, new, keyword, writers=sure, readers=sure)])
    else:
        writers: Certainty = "maybe" if keyword in new.keys else "no"
        readers: Certainty = "maybe" if keyword in old.keys else "no"
        work.say([differs(codes.FORMAT_CHANGED, old, new, keyword, writers=writers, readers=readers)])
