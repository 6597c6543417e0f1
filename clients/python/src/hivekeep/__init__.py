"""The Python client of hivekeep: `Hivekeep` for callers that wait, `AsyncHivekeep` for asyncio."""

from . import types
from .client import AsyncHivekeep, Hivekeep
from .errors import ApiError, ConnectionFailed, HivekeepError, WaitTimeout
from ._found import Found
from .pages import AsyncPages, Page, Pages
from .webhooks import WebhookRefused, verify_webhook

__all__ = [
    "ApiError",
    "AsyncHivekeep",
    "AsyncPages",
    "ConnectionFailed",
    "Found",
    "Hivekeep",
    "HivekeepError",
    "Page",
    "Pages",
    "WaitTimeout",
    "WebhookRefused",
    "types",
    "verify_webhook",
]
