"""What the client raises."""

from __future__ import annotations

from typing import Any


class HivekeepError(Exception):
    """Everything that this client raises of its own."""


class ApiError(HivekeepError):
    """The service refused the request, which has then changed nothing.

    `code` is one of docs/api.md 7.1, `status` the HTTP status, `details` what belongs to the code, and `request_id` finds
    the request in the service's log.
    """

    def __init__(self, status: int, body: Any) -> None:
        error = body.get("error") if isinstance(body, dict) else None
        error = error if isinstance(error, dict) else {}
        super().__init__(error.get("message") or f"the service answered with status {status}")
        self.status = status
        self.code: str = error.get("code") or ("UNAVAILABLE" if status >= 500 else "INTERNAL_ERROR")
        self.details: dict[str, Any] = error.get("details") or {}
        self.request_id: str | None = error.get("request_id")


class ConnectionFailed(HivekeepError):
    """No answer came from the service, after as many tries as were allowed; `__cause__` says why."""


class WaitTimeout(HivekeepError):
    """What was waited for did not happen in the time given."""
