"""An implementation in a process of its own: whatever it does, the harness goes on.

It is started in a session of its own, so that all the processes it starts can be ended with it. Every
wait has a time-out, a line has a greatest length, and of what it prints on standard error the end is kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence
from typing import Any

from biriba.conformance.protocol import (
    MOST_TEXT,
    Implementation,
    ProtocolError,
    read_started,
    start_message,
    stop_message,
)
from biriba.count import counted
from biriba.notation.errors import JsonError
from biriba.notation.jsonvalue import decode, encode

MOST_LINE = 4_000_000
"""Bytes in one line of an answer."""
KEPT_STDERR = 4000
GRACE = 2.0
"""Seconds that a process has to end after it was told to, before it is killed."""


class ChildError(Exception):
    """An implementation that did not answer.

    Attributes:
        kind: ``start``, ``timeout``, ``exit``, ``garbage``, ``flood``, ``sequence`` or ``form``.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Child:
    """One process of an implementation.

    Args:
        command: the program and its arguments.
        startup: seconds that it has to answer the message ``start``.
    """

    def __init__(self, command: Sequence[str], startup: float) -> None:
        self.command, self.startup = list(command), startup
        self._process: asyncio.subprocess.Process | None = None
        self._stderr = bytearray()
        self._drain: asyncio.Task[None] | None = None
        self._seq = 0

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def stderr(self) -> str:
        """The end of what it has printed on standard error since it was started."""
        return self._stderr.decode("utf-8", "replace").strip()

    def no_start(self, error: ChildError) -> str:
        """What there is to say when it does not start."""
        printed = f"\nit printed: {self.stderr}" if self.stderr else ""
        return f"the implementation does not start: {error}{printed}"

    async def start(self) -> Implementation:
        """Start the process and ask who it is.

        Raises:
            ChildError: it cannot be started, or does not answer as it should.
        """
        self._stderr.clear()
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=MOST_LINE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ChildError("start", f"{self.command[0]}: {getattr(error, 'strerror', None) or error}") from None
        self._drain = asyncio.create_task(self._read_stderr(self._process))
        answer, seq = await self.ask(start_message, self.startup)
        try:
            return read_started(answer, seq)
        except ProtocolError as error:
            await self.kill()
            raise ChildError(error.kind, str(error)) from None

    async def ask(self, message: Any, seconds: float) -> tuple[Any, int]:
        """Send a message and wait for one line; the decoded answer and the sequence number that it should have.

        Args:
            message: makes the message, given its sequence number.

        Raises:
            ChildError: no answer came, or no JSON; the process has been ended.
        """
        assert self._process is not None
        self._seq += 1
        try:
            async with asyncio.timeout(seconds):
                line = await self._exchange(encode(message(self._seq)))
        except TimeoutError:
            await self.kill()
            raise ChildError("timeout", f"no answer within {counted(seconds, 'second')}") from None
        except (ValueError, asyncio.LimitOverrunError):
            await self.kill()
            raise ChildError("flood", f"more than {MOST_LINE} bytes without the end of a line") from None
        except (BrokenPipeError, ConnectionResetError):
            line = b""
        if not line.endswith(b"\n"):
            message = await self._ended(line)
            await self.kill()
            raise ChildError("exit", message)
        try:
            return decode(line.decode("utf-8")), self._seq
        except (UnicodeDecodeError, JsonError) as error:
            await self.kill()
            text = line[:MOST_TEXT].decode("utf-8", "replace").strip()
            message = f"a line that is no JSON: {text!r} ({error})"
            raise ChildError("garbage", message) from None

    async def _exchange(self, line: str) -> bytes:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line.encode() + b"\n")
        await self._process.stdin.drain()
        return await self._process.stdout.readline()

    async def _ended(self, rest: bytes) -> str:
        """How a process has ended, or has closed its output."""
        assert self._process is not None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE / 4):
                await self._process.wait()
        code = self._process.returncode
        how = "closed its output" if code is None else f"ended by signal {-code}" if code < 0 else f"exit code {code}"
        partial = f" in the middle of a line: {rest[-60:].decode('utf-8', 'replace')!r}" if rest else ""
        return f"the process has ended ({how}){partial}"

    async def _read_stderr(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while chunk := await process.stderr.read(65536):
            self._stderr += chunk
            del self._stderr[:-KEPT_STDERR]

    async def stop(self) -> None:
        """Let the process end by itself; after a while it is ended."""
        if self._process is None:
            return
        if self.running:
            assert self._process.stdin is not None
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(GRACE):
                    self._process.stdin.write(encode(stop_message(self._seq + 1)).encode() + b"\n")
                    await self._process.stdin.drain()
                    self._process.stdin.close()
                    await self._process.wait()
        await self.kill()

    async def kill(self) -> None:
        """End the process and all that it has started: asked first, then made to."""
        process = self._process
        if process is None:
            return
        for sent in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
            _signal(process, sent)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await process.wait()
                    break
        # What the process has left behind in its group must not outlive it.
        _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))
        if self._drain is not None:
            with contextlib.suppress(TimeoutError, asyncio.CancelledError):
                async with asyncio.timeout(GRACE):
                    await self._drain
            self._drain.cancel()
            self._drain = None
        transport = getattr(process, "_transport", None)
        if transport is not None:
            transport.close()
        self._process = None


def _signal(process: asyncio.subprocess.Process, number: int) -> None:
    """Send a signal to the process group that a process leads, or where there are no groups to itself."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        elif process.returncode is None:
            process.send_signal(number)
