"""The verbs that write a project from one line of stages: `create` a new one, `sync` one that is there."""
