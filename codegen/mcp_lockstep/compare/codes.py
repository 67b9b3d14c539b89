"""What can be different, and what keeps two things from being compared: LS7xxx."""

from __future__ import annotations

from mcp_lockstep.findings import Code

NOTHING_TO_COMPARE = Code(
    "LS7001",
    "nothing-to-compare",
    "error",
    "OLD or NEW names nothing that can be compared.",
    "A contract (file or folder), a JSON Schema (file), the name of a bundled schema (`mcp@2026-07-28`), "
    "`git:REV:PATH` and a wheel that holds a contract can be. As OLD, `git:REV` alone means the path NEW at that "
    "revision.",
    exit=2,
)
KINDS_DIFFER = Code(
    "LS7002",
    "compared-kinds-differ",
    "error",
    "OLD and NEW are of different kinds: a contract and a schema, or classes and a schema of one value.",
    "A contract is compared with a contract, a schema with a schema, a module of models with a module or with a schema "
    "of definitions alone, as the protocol's are. Look whether both paths are the ones meant.",
    exit=2,
)

ITEM_REMOVED = Code(
    "LS7010",
    "item-removed",
    "error",
    "A tool, resource, resource template or prompt is not offered any more.",
    "Whoever uses it by its name or address gets an error. Keep the old one beside the new one for a while.",
)
ITEM_ADDED = Code(
    "LS7011",
    "item-added",
    "note",
    "A tool, resource, resource template or prompt is offered that was not before.",
    "Nobody depends on it yet. Clients that let people approve tools may ask again.",
)
TRUST_CHANGED = Code(
    "LS7012",
    "tool-hint-changed",
    "warning",
    "An annotation of a tool says something else about what a call does.",
    "Clients decide by these hints whether they ask a person first. A tool that becomes less harmless breaks what was "
    "approved; one that becomes more harmless breaks nothing. An absent hint has its default from the protocol.",
)
ARGUMENT_ADDED = Code(
    "LS7013",
    "prompt-argument-added",
    "note",
    "A prompt takes an argument that it did not take before.",
    "A required one breaks whoever asks for the prompt without it. Make it optional, or add another prompt.",
)
ARGUMENT_REMOVED = Code(
    "LS7014",
    "prompt-argument-removed",
    "error",
    "A prompt does not take an argument any more.",
    "Whoever still gives it is refused or not understood. Keep it as an optional one that does nothing.",
)
ARGUMENT_REQUIRED = Code(
    "LS7015",
    "prompt-argument-requirement",
    "error",
    "An argument of a prompt became required, or optional.",
    "One that became required breaks whoever left it out; one that became optional breaks nobody.",
)
RESULT_SCHEMA_REMOVED = Code(
    "LS7016",
    "output-schema-removed",
    "error",
    "A tool does not say any more what its structured result looks like.",
    "Clients that read the structured result have nothing to rely on. Keep the outputSchema.",
)
RESULT_SCHEMA_ADDED = Code(
    "LS7017",
    "output-schema-added",
    "note",
    "A tool says what its structured result looks like, which it did not before.",
    "Results were of any form, so the promise takes nothing away. From now on the server has to keep it.",
)
ITEM_KEY_CHANGED = Code(
    "LS7018",
    "item-key-changed",
    "warning",
    "A key of a tool, resource, template or prompt other than its texts has another value.",
    "What clients make of it (a media type, whether a call may be a task) differs from client to client.",
)
ITEM_TEXT_CHANGED = Code(
    "LS7019",
    "item-text-changed",
    "note",
    "A title, a description or an icon of an item is another one.",
    "No program depends on it. A model chooses tools by their descriptions: read the new one as a model would.",
)

DEFINITION_REMOVED = Code(
    "LS7030",
    "definition-removed",
    "error",
    "A definition of the schema is not there any more.",
    "Whoever reads or writes values of it has nothing to go by. Where the schema has a root of its own, definitions "
    "are its inner matter, and only what the root accepts counts.",
)
DEFINITION_ADDED = Code(
    "LS7031",
    "definition-added",
    "note",
    "The schema has a definition that it had not before.",
    "Nobody depends on it yet; where it is used, the place that uses it is reported.",
)
TYPE_CHANGED = Code(
    "LS7040",
    "type-changed",
    "error",
    "A value may have other JSON types than before.",
    "A type that is gone breaks whoever writes it; a type that is new breaks whoever reads. `null` counts as a type, "
    "however it is written; a whole number is a number too.",
)
VALUES_CHANGED = Code(
    "LS7041",
    "values-changed",
    "error",
    "The list of allowed values (`enum`, `const`) is another one.",
    "A value that is gone breaks whoever writes it; a value that is new breaks readers that know the old ones only.",
)
BOUND_CHANGED = Code(
    "LS7042",
    "bound-changed",
    "error",
    "A limit of a number, a length or a count is another one.",
    "A tighter limit breaks whoever writes what lies outside; a wider one breaks readers that count on it.",
)
PATTERN_CHANGED = Code(
    "LS7043",
    "pattern-changed",
    "error",
    "The regular expression for a text is another one.",
    "A new one narrows, a removed one widens. Which texts two different ones have in common is not decided here.",
)
FORMAT_CHANGED = Code(
    "LS7044",
    "format-changed",
    "warning",
    "The `format` of a value is another one.",
    "Some validators enforce formats, most do not: it may break those that do.",
)
DEFAULT_CHANGED = Code(
    "LS7045",
    "default-changed",
    "warning",
    "What stands for an absent value is another one.",
    "Everything is accepted as before, but whoever leaves the value out gets another behaviour.",
)
REQUIRED_ADDED = Code(
    "LS7050",
    "required-added",
    "error",
    "A property must be given that could be left out before.",
    "Whoever leaves it out is refused now. Make it optional, with a default.",
)
REQUIRED_REMOVED = Code(
    "LS7051",
    "required-removed",
    "error",
    "A property may be left out that was always there before.",
    "Nothing is refused, but readers that count on it find it absent.",
)
PROPERTY_ADDED = Code(
    "LS7052",
    "property-added",
    "note",
    "An object has a property that was not declared before.",
    "Where undeclared properties were accepted before, it breaks nobody, except whoever sent another thing under this "
    "very name. Where they were refused, strict readers refuse it too.",
)
PROPERTY_REMOVED = Code(
    "LS7053",
    "property-removed",
    "error",
    "A property is not declared any more.",
    "Where undeclared properties are refused, whoever still writes it is refused. Where they are accepted it goes "
    "unnoticed, which may be worse; and readers cannot count on its type.",
)
OTHERS_CHANGED = Code(
    "LS7054",
    "undeclared-properties",
    "error",
    "An object refuses undeclared properties that it accepted, or accepts what it refused.",
    "A closed object breaks whoever writes anything beyond the declared properties; an opened one breaks readers that "
    "refuse what they do not know.",
)
ITEMS_CHANGED = Code(
    "LS7055",
    "items-changed",
    "error",
    "An array must hold different items, or need not any more.",
    "Whoever writes an item twice is refused where `uniqueItems` is new; readers that count on it find doubles where "
    "it is gone.",
)
MEMBER_REMOVED = Code(
    "LS7060",
    "alternative-removed",
    "error",
    "A union lacks an alternative, and no other one takes everything that it took.",
    "Whoever writes values of it is refused.",
)
MEMBER_ADDED = Code(
    "LS7061",
    "alternative-added",
    "error",
    "A union has an alternative that takes what none took before.",
    "Readers that know the old alternatives only do not know what to do with it.",
)
ONE_OF_UNSURE = Code(
    "LS7062",
    "one-of-overlaps",
    "warning",
    "The alternatives of a `oneOf` changed, and more than one may fit the same value.",
    "A value that fits two alternatives is refused. Use `anyOf`, or a constant that tells the alternatives apart.",
)
CONSTRAINT_CHANGED = Code(
    "LS7063",
    "constraint-changed",
    "warning",
    "A condition changed whose effect is not decided here.",
    "`not`, `if`, `dependentSchemas`, `patternProperties` and parts of `allOf` are compared as they are written. Read "
    "both sides.",
)
REFERENCE_CHANGED = Code(
    "LS7064",
    "reference-changed",
    "warning",
    "A reference leads out of the document, or nowhere, and is another one than before.",
    "Nothing is fetched, so what it stands for is not known.",
)
PROSE_CHANGED = Code(
    "LS7070",
    "prose-changed",
    "note",
    "A title, a description, an example or another annotation of a schema is another one.",
    "No value is accepted or refused because of it.",
)
TOO_MUCH = Code(
    "LS7071",
    "comparison-unfinished",
    "warning",
    "The comparison was stopped because the schemas refer to each other too often.",
    "What was found until then is right, but more may be different. Compare parts of the schemas.",
)
