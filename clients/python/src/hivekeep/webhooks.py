"""Verifies what the service sends to webhooks, as Standard Webhooks (standardwebhooks.com) has it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

from .errors import HivekeepError


class WebhookRefused(HivekeepError):
    """A message that was not signed with the secret, or not lately."""


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> Any:
    """The message, once it is known that it was signed with this secret (`whsec_...`) within `tolerance` seconds.

    Raises WebhookRefused otherwise. `body` is the body as it came: parsed and written again it may be another text.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message, sent, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise WebhookRefused(f"the header {missing.args[0]} is missing") from None
    present = time.time() if now is None else now
    if not (sent.isascii() and sent.isdigit()) or abs(present - int(sent[:12])) > tolerance:
        raise WebhookRefused("the time of the message is too far from now")
    raw = body.encode() if isinstance(body, str) else body
    key = _bytes_of(secret.removeprefix("whsec_"))
    if not key:
        # anybody can sign by an empty secret, such as that of a setting that is not there
        raise WebhookRefused("the secret is empty, or not base64")
    digest = hmac.new(key, f"{message}.{sent}.".encode() + raw, hashlib.sha256).digest()
    for signature in signatures.split(" "):
        version, _, value = signature.partition(",")
        if version == "v1" and hmac.compare_digest(_bytes_of(value), digest):
            return json.loads(raw)
    raise WebhookRefused("no signature of the message is by this secret")


def _bytes_of(value: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return b""
