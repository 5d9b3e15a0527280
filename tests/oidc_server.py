"""A real OpenID Connect provider on loopback, for tests: discovery, code with PKCE, RS256, end of session.

::

    provider = OidcServer()
    provider.person = "anna"                 # who is asked for consent next, and gives it at once
    provider.settings(redirect_uri)          # the section [auth] of a secrets.toml
    provider.secrets()                       # all that nobody else may ever see
    provider.stop()

``behaviour``: ``well``, ``forged`` (the token is signed by somebody else's key), ``denied`` (the person says
no), ``500`` (no token comes).
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT = "query-prism"


class OidcServer:
    """Binds 127.0.0.1 and a free port."""

    def __init__(self) -> None:
        self.person, self.behaviour = "anna", "well"
        self.client_secret, self.cookie_secret = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.paths: list[str] = []
        self._given: set[str] = set()
        self._key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self._codes: dict[str, dict[str, str]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.issuer = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def settings(self, redirect_uri: str) -> str:
        return (
            f'[auth]\nredirect_uri = "{redirect_uri}"\ncookie_secret = "{self.cookie_secret}"\n'
            f'client_id = "{CLIENT}"\nclient_secret = "{self.client_secret}"\n'
            f'server_metadata_url = "{self.issuer}/.well-known/openid-configuration"\n'
        )

    def secrets(self) -> set[str]:
        """The client's and the cookie's secret, and every code and token that was given."""
        return {self.client_secret, self.cookie_secret, *self._given}

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "end_session_endpoint": f"{self.issuer}/end",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }

    def jwks(self) -> dict[str, Any]:
        return {"keys": [self._key.as_dict(private=False)]}

    def authorized(self, asked: dict[str, str]) -> str:
        """Where the browser is sent, at once."""
        back = {"state": asked["state"]}
        if self.behaviour == "denied":
            back |= {"error": "access_denied"}
        else:
            back |= {"code": self._given_one()}
            self._codes[back["code"]] = {**asked, "person": self.person}
        return f"{asked['redirect_uri']}?{urlencode(back)}"

    def exchanged(self, form: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """The tokens for a code, which holds once; None for who may not have them."""
        named = base64.b64encode(f"{CLIENT}:{self.client_secret}".encode()).decode()
        asked = self._codes.pop(form.get("code", ""), None)
        proof = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if authorization != f"Basic {named}" or asked is None or self.behaviour == "500":
            return None
        if base64.urlsafe_b64encode(proof).rstrip(b"=").decode() != asked["code_challenge"]:
            return None
        now = int(time.time())
        claims = {
            "iss": self.issuer, "sub": f"id-of-{asked['person']}", "name": asked["person"].title(), "iat": now,
            "exp": now + 600, "aud": CLIENT,
            "nonce": asked["nonce"],
        }  # fmt: skip
        key = RSAKey.generate_key(2048) if self.behaviour == "forged" else self._key
        token = jwt.encode({"alg": "RS256", "kid": "one"}, claims, key)
        self._given.add(token)
        return {"access_token": self._given_one(), "token_type": "Bearer", "expires_in": 600, "id_token": token}

    def _given_one(self) -> str:
        one = secrets.token_urlsafe(32)
        self._given.add(one)
        return one


def _handler(provider: OidcServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
            provider.paths.append(parts.path)
            if parts.path == "/authorize":
                self._to(provider.authorized(asked))
            elif parts.path == "/end":
                self._to(asked["post_logout_redirect_uri"])
            elif parts.path == "/jwks":
                self._json(provider.jwks())
            else:
                self._json(provider.discovery())

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            provider.paths.append(self.path)
            form = {name: values[-1] for name, values in parse_qs(sent).items()}
            tokens = provider.exchanged(form, self.headers.get("Authorization", ""))
            self._json(tokens or {"error": "invalid_grant"}, 200 if tokens else 500)

        def _to(self, address: str) -> None:
            self.send_response(302)
            self.send_header("Location", address)
            self.end_headers()

        def _json(self, value: dict[str, Any], status: int = 200) -> None:
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
