"""`biriba serve`: the page to try the rules, on this machine only."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from biriba.cli.common import OK, BadInput, answers


@answers
def serve(
    rules: Annotated[
        list[str] | None,
        typer.Option("--rules", "-r", metavar="NAME|PATH", help="The rule sets to choose from; by default all."),
    ] = None,
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="0 takes any free port.")] = 8321,
    site: Annotated[
        Path | None, typer.Option("--site", help="A built site to serve, with the page at its place in it.")
    ] = None,
) -> int:
    """Serve a page to try the rules, at an address that only this machine reaches."""
    from biriba.language.load import available
    from biriba.web.server import make_server

    if site is not None and not (site / "index.html").is_file():
        raise BadInput(f"{site}: no built site: it has no index.html")
    try:
        server = make_server(tuple(rules or available()), port, site)
    except OSError as error:
        raise BadInput(f"port {port} cannot be used: {error.strerror}") from None
    print(f"Biriba is served on http://127.0.0.1:{server.server_address[1]}/ (Ctrl-C ends it)", flush=True)
    with server:
        server.serve_forever()
    return OK
