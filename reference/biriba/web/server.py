"""The server: files of the page and of a built site, and `POST /api/QUESTION`. Only the loopback reaches it."""

from __future__ import annotations

import json
import mimetypes
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from biriba.web.api import Api, BadQuestion

MAX_BODY = 4_000_000
_STATIC = Path(__file__).parent / "static"
_SHARED = Path(__file__).parents[1] / "sphinx" / "static"
_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


def make_server(names: tuple[str, ...], port: int, site: Path | None = None) -> ThreadingHTTPServer:
    """A server that is bound and not yet running.

    Errors: RulesError if the first rule set does not compile, OSError if the port is taken.
    """
    from biriba.cache import cached_ruleset

    api = Api(names, cached_ruleset)
    api.ask("rules", {})
    root = None if site is None else site.resolve()

    class Handler(_Handler):
        questions, pages = api, root

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    return server


class _Handler(BaseHTTPRequestHandler):
    questions: Api
    pages: Path | None
    server_version = "biriba"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        if not self._local():
            return
        path = unquote(urlsplit(self.path).path)
        file = self._file(path)
        if file is None:
            self._send(HTTPStatus.NOT_FOUND, "text/plain; charset=utf-8", b"There is no such page.\n")
            return
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        text = "; charset=utf-8" if kind.startswith("text/") or kind.endswith(("javascript", "json")) else ""
        self._send(HTTPStatus.OK, kind + text, file.read_bytes())

    do_HEAD = do_GET  # noqa: N815  (the name that the base class asks for)

    def do_POST(self) -> None:
        if not self._local():
            return
        if self.headers.get("Content-Type", "").partition(";")[0] != "application/json":
            # A page of another origin cannot send this type unasked.
            self._answer(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, {"error": "a question is JSON"})
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY:
            self.close_connection = True
            self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"error": "the question is too long"})
            return
        try:
            told = json.loads(self.rfile.read(int(length)) or b"{}")
            if not isinstance(told, dict):
                raise BadQuestion("a question is a JSON object")
            answer = self.questions.ask(self.path.removeprefix("/api/"), told)
        except BadQuestion as error:
            self._answer(HTTPStatus.BAD_REQUEST, {"error": str(error)})
        except (ValueError, RecursionError):
            self._answer(HTTPStatus.BAD_REQUEST, {"error": "this is not JSON"})
        else:
            self._answer(HTTPStatus.OK, answer)

    def _local(self) -> bool:
        """Whether the request names this machine; a name that somebody else points here is refused."""
        host = self.headers.get("Host", "").rpartition(":")[0] or self.headers.get("Host", "")
        if host in _HOSTS:
            return True
        self._send(HTTPStatus.FORBIDDEN, "text/plain; charset=utf-8", b"This server speaks to its own machine only.\n")
        return False

    def _file(self, path: str) -> Path | None:
        """The file of a path: of the site if there is one, else of the page; never outside of their folders."""
        if path.endswith("/"):
            path += "index.html"
        folders = (_STATIC, _SHARED) if self.pages is None else (self.pages, _STATIC, _SHARED)
        for folder in folders:
            found = (folder / path.lstrip("/")).resolve() if "\0" not in path else folder
            if found.is_relative_to(folder) and found.is_file():
                return found
        return None

    def _answer(self, status: HTTPStatus, value: Any) -> None:
        self._send(status, "application/json; charset=utf-8", json.dumps(value, ensure_ascii=False).encode())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", _POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (the base class's name)
        """Requests are not logged: the terminal belongs to the user."""
