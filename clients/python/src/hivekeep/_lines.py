"""The lines of a response, which end at newlines only: httpx's own end at the other line ends of Unicode, too."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator


class Splitter:
    """Takes a response in pieces; keeps the piece of a line whose end is still to come."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def take(self, piece: bytes) -> list[str]:
        """The lines that this piece completes."""
        first, *others = piece.split(b"\n")
        self._pieces.append(first)
        if not others:
            return []
        whole = [b"".join(self._pieces), *others[:-1]]
        self._pieces = [others[-1]]
        return [_text(line) for line in whole]

    def rest(self) -> list[str]:
        """The last line, where it does not end with a newline."""
        last = b"".join(self._pieces)
        return [_text(last)] if last else []


def _text(line: bytes) -> str:
    return line.removesuffix(b"\r").decode(errors="replace")


def lines_of(pieces: Iterable[bytes]) -> Iterator[str]:
    splitter = Splitter()
    for piece in pieces:
        yield from splitter.take(piece)
    yield from splitter.rest()


async def lines_of_async(pieces: AsyncIterable[bytes]) -> AsyncIterator[str]:
    """The same for asyncio."""
    splitter = Splitter()
    async for piece in pieces:
        for line in splitter.take(piece):
            yield line
    for line in splitter.rest():
        yield line
