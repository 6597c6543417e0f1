"""Messages that the reference implementation of Standard Webhooks signs are verified, and no others."""

import base64
import hashlib
import hmac
from datetime import datetime, timezone

import pytest
from standardwebhooks import Webhook

from hivekeep import WebhookRefused, verify_webhook

SECRET = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = '{"type": "usage.alert", "data": {"percent": 80, "café": "☕"}}'


def headers(secret: str = SECRET, body: str = BODY, at: float | None = None) -> dict[str, str]:
    sent = datetime.now(tz=timezone.utc) if at is None else datetime.fromtimestamp(at, tz=timezone.utc)
    signature = Webhook(secret).sign("out_1", sent, body)
    return {"Webhook-Id": "out_1", "Webhook-Timestamp": str(int(sent.timestamp())), "Webhook-Signature": signature}


def test_takes_what_the_reference_signs() -> None:
    assert verify_webhook(BODY, headers(), SECRET)["data"]["percent"] == 80
    assert verify_webhook(BODY.encode(), headers(), SECRET)["data"]["café"] == "☕"
    others = headers()
    others["Webhook-Signature"] = f"v1a,x v1,%%% {others['Webhook-Signature']}"
    assert verify_webhook(BODY, others, SECRET)["type"] == "usage.alert"


@pytest.mark.parametrize(
    ("given", "body"),
    [
        (headers(secret="whsec_" + "AAAA" * 8), BODY),
        (headers(), BODY.replace("80", "81")),
        (headers(at=1_700_000_000), BODY),
        (headers() | {"Webhook-Id": "out_2"}, BODY),
        (headers() | {"Webhook-Timestamp": "soon"}, BODY),
        (headers() | {"Webhook-Signature": ""}, BODY),
        ({name: value for name, value in headers().items() if name != "Webhook-Signature"}, BODY),
    ],
)
def test_refuses_everything_else(given: dict[str, str], body: str) -> None:
    with pytest.raises(WebhookRefused):
        verify_webhook(body, given, SECRET)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_%%%", "whsec_A"])
def test_refuses_a_secret_by_which_anybody_can_sign(secret: str) -> None:
    sent = datetime.now(tz=timezone.utc)
    signed = f"out_1.{int(sent.timestamp())}.{BODY}".encode()
    signature = base64.b64encode(hmac.new(b"", signed, hashlib.sha256).digest()).decode()
    forged = headers() | {"Webhook-Timestamp": str(int(sent.timestamp())), "Webhook-Signature": f"v1,{signature}"}
    with pytest.raises(WebhookRefused, match="the secret is empty"):
        verify_webhook(BODY, forged, secret)


def test_takes_a_clock_of_its_callers() -> None:
    assert verify_webhook(BODY, headers(at=1_700_000_000), SECRET, now=1_700_000_100)["type"] == "usage.alert"
