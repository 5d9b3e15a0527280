"""Sessions of Claude Code, made in memory for the tests of their loader."""

from __future__ import annotations

import json
from typing import Any

from ir_core.loaders import Loaded, load_uploads

SESSION = "3f1c2d4e-0000-4000-8000-0000000000aa"


class Session:
    """Entries as they are written, each the child of the last unless it is said otherwise."""

    def __init__(self, **common: Any) -> None:
        self.lines: list[str] = []
        self.last: str | None = None
        self.common = {"sessionId": SESSION, "cwd": "/srv/checkouts/ferry-app", "gitBranch": "main", **common}

    def add(self, kind: str, content: Any = None, **given: Any) -> str:
        own = given.pop("uuid", f"u{len(self.lines)}")
        message = {"role": kind, "content": content, **given.pop("message", {})}
        entry = {"parentUuid": given.pop("after", self.last), "isSidechain": False, "type": kind, "uuid": own,
                 "timestamp": f"2026-03-01T10:{len(self.lines):02}:00.000Z", **self.common}  # fmt: skip
        entry |= {"message": message} if kind in ("user", "assistant") else {}
        self.lines.append(json.dumps(entry | given))
        if not given.get("isSidechain"):
            self.last = own
        return own

    def ask(self, text: Any, **given: Any) -> str:
        return self.add("user", text, **given)

    def say(self, text: str, **given: Any) -> str:
        return self.add("assistant", [{"type": "text", "text": text}], message={"model": "model-a"}, **given)

    def use(self, tool: str, output: str = "TOOL OUTPUT") -> None:
        block = {"type": "tool_use", "id": f"t{len(self.lines)}", "name": tool, "input": {"command": "TOOL INPUT"}}
        self.add("assistant", [block], message={"model": "model-a"})
        result = {"type": "tool_result", "tool_use_id": block["id"], "content": output}
        self.add("user", [result], toolUseResult={"stdout": output})

    def loaded(self, name: str = f"{SESSION}.jsonl") -> Loaded:
        return load_uploads([(name, "\n".join(self.lines).encode())])


def pairs(loaded: Loaded) -> list[tuple[str, str]]:
    return [(item.raw["user"], item.raw["assistant"]) for item in loaded.artifacts]
