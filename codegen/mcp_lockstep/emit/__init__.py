"""What a generated project consists of: files of ours (`generated`), and files that become the user's (`seeds`)."""

from __future__ import annotations
