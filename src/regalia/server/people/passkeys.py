"""Passkeys: what the browser is asked, and whether its answer is right. WebAuthn itself is the library's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import webauthn
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from regalia.server.model.refusals import Refused
from regalia.server.protocol import Code

MOST_BYTES = 16 * 1024  # of an answer
ALGORITHMS = [
    COSEAlgorithmIdentifier.EDDSA,
    COSEAlgorithmIdentifier.ECDSA_SHA_256,
    COSEAlgorithmIdentifier.RSASSA_PKCS1_v1_5_SHA_256,
]


@dataclass(frozen=True)
class Site:
    """To whom a passkey belongs, and from which page it may be used."""

    rp_id: str
    origin: str


class Passkey(msgspec.Struct, frozen=True):
    """What is kept of one."""

    site: str
    public_key: str
    sign_count: int


def site_of(scheme: str, host: str) -> Site | None:
    """None where browsers have no passkeys: by plain http, except on the own machine, and for bare addresses."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    is_local = name == "localhost" or name.endswith(".localhost")
    if name.startswith("[") or name.replace(".", "").isdigit() or not (scheme == "https" or is_local):
        return None
    return Site(name, f"{scheme}://{host}")


def creation_options(
    site: Site, challenge: bytes, player: str, name: str, known: list[str]
) -> dict[str, Any]:
    options = webauthn.generate_registration_options(
        rp_id=site.rp_id,
        rp_name="Regalia",
        user_name=name,
        user_id=player.encode(),
        challenge=challenge,
        timeout=300_000,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(name)) for name in known],
        supported_pub_key_algs=ALGORITHMS,
    )
    return as_json(options)


def request_options(site: Site, challenge: bytes) -> dict[str, Any]:
    """For any passkey of this site: whose it is the browser knows, and nobody learns who is known here."""
    return as_json(
        webauthn.generate_authentication_options(rp_id=site.rp_id, challenge=challenge, timeout=300_000)
    )


def as_json(options: Any) -> dict[str, Any]:
    decoded: dict[str, Any] = msgspec.json.decode(webauthn.options_to_json(options))
    return decoded


def verified_new(site: Site, challenge: bytes, answer: dict[str, Any]) -> tuple[str, Passkey]:
    """The id of a new passkey, and what is kept of it."""
    try:
        found = webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=site.rp_id,
            expected_origin=site.origin,
            supported_pub_key_algs=ALGORITHMS,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise Refused(Code.WRONG_PROOF, "server.error.wrong_passkey") from error
    key = bytes_to_base64url(found.credential_public_key)
    return bytes_to_base64url(found.credential_id), Passkey(site.rp_id, key, found.sign_count)


def verified(site: Site, challenge: bytes, answer: dict[str, Any], kept: Passkey) -> Passkey:
    """What is kept of the passkey from now on."""
    try:
        found = webauthn.verify_authentication_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=site.rp_id,
            expected_origin=site.origin,
            credential_public_key=base64url_to_bytes(kept.public_key),
            credential_current_sign_count=kept.sign_count,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise Refused(Code.WRONG_PROOF, "server.error.wrong_passkey") from error
    return msgspec.structs.replace(kept, sign_count=found.new_sign_count)
