#!/usr/bin/env python3
"""Runs tabletop on a Dask cluster: breeds Balda's boards, and answers files of judge inputs of any size.

    tabletop_cluster.py boards --scheduler tcp://host:8786
    tabletop_cluster.py answer dice cases.txt --local 4

Every worker needs the program, on its PATH or at the path of --program. Nothing else is shared: a task carries its
input with it and returns its result.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from distributed import Client, Future, LocalCluster, wait
from distributed.comm.core import CommClosedError

# The errors that mean that the cluster is gone. No other `OSError` does: a full disk or a missing program is another error.
LOST = (CommClosedError, CancelledError, TimeoutError)


class Failed(Exception):
    """An error message with its remedy, and the exit code."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


class BadCase(Failed):
    """An input is wrong. The answers before it are right."""


# ---------------------------------------------------------------------------------------------------------------------
# Boards


@dataclass
class Board:
    """A board as `tabletop-gen boards --list` prints it."""

    name: str
    file: str
    done: int
    turns: int

    @property
    def is_done(self) -> bool:
        return self.done >= self.turns


@dataclass
class Step:
    """A running task: the next start words of a board."""

    board: Board
    future: Future
    began: float


def run_on_worker(command: list[str], timeout: float, text: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """Runs the program on a worker. The timeout ends a program that hangs; `give_up_late` handles a worker that hangs."""
    program, host = command[0], socket.gethostname()
    try:
        return subprocess.run(command, input=text, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"{program}: no answer after {timeout:.0f} s on {host}, raise --timeout") from error
    except OSError as error:
        raise RuntimeError(f"{program}: cannot be run on {host}: {error.strerror}, name it with --program") from error


def breed_step(program: str, arguments: list[str], board: Board, kept: bytes | None, turns: int, timeout: float) -> bytes:
    """Continues a board on a worker: takes its file, and returns the file after `turns` more start words."""
    with tempfile.TemporaryDirectory(prefix="tabletop-") as work:
        path = Path(work, board.file)
        if kept is not None:
            path.write_bytes(kept)
        command = [program, "boards", *arguments, "--only", board.name, "--turns", str(turns), "--work", work]
        ended = run_on_worker(command, timeout)
        if ended.returncode != 0:
            raise RuntimeError(ended.stderr.decode(errors="replace").strip() or f"{program} ended with {ended.returncode}")
        return path.read_bytes()


@dataclass
class Breeding:
    """The unfinished boards of one generation, and the running steps."""

    options: argparse.Namespace
    waiting: deque[Board] = field(default_factory=deque)
    steps: dict[str, Step] = field(default_factory=dict)
    suspects: set[str] = field(default_factory=set)
    failures: dict[str, int] = field(default_factory=dict)

    @property
    def arguments(self) -> list[str]:
        effort = self.options.effort
        return [] if effort is None else ["--effort", str(effort)]

    def generator(self, *arguments: str) -> str:
        """Runs the generator on this machine, with the stored boards."""
        command = [self.options.program, "boards", *self.arguments, "--work", str(self.options.work), *arguments]
        return run(command)

    def list_boards(self) -> None:
        """Queues the unfinished boards of the first generation that has any, and begins them if they have parents."""
        boards = [json.loads(line) for line in self.generator("--list").splitlines()]
        names = {board["name"] for board in boards}
        if unknown := [name for name in self.options.only or [] if name not in names]:
            raise Failed(f"no board is called '{unknown[0]}', choose one that `boards --list` names", 2)
        wanted = set(self.options.only or names)
        unfinished = [board for board in boards if board["name"] in wanted and board["state"] != "done"]
        generation = min((board["generation"] for board in unfinished), default=1)
        for board in unfinished:
            if board["generation"] != generation:
                continue
            if generation > 1 and board["state"] == "missing":
                # A worker has no files of the parents, so the board is begun here.
                self.generator("--only", board["name"], "--turns", "0")
            self.waiting.append(Board(board["name"], board["file"], board["done"], board["turns"]))

    def run(self, client: Client) -> None:
        """Runs until every queued board is finished. Raises one of `LOST` when the cluster is gone."""
        while self.waiting or self.steps:
            self.submit(client)
            if not self.steps:
                time.sleep(self.options.poll)
                continue
            futures = [step.future for step in self.steps.values()]
            try:
                wait(futures, timeout=self.options.poll, return_when="FIRST_COMPLETED")
            except TimeoutError:
                pass
            if client.status != "running":
                raise CommClosedError("the scheduler is gone")
            self.collect()
            self.give_up_late(client)

    def submit(self, client: Client) -> None:
        """Submits one step per thread of the cluster. No step waits in a queue, so the age of a step is its running time."""
        workers = client.scheduler_info(n_workers=-1)["workers"]
        if workers and self.suspects.issuperset(workers):
            # Better a suspect than none. A step that is late again counts as a failure, so this ends after --retries.
            self.suspects.clear()
        able = [address for address in workers if address not in self.suspects]
        room = sum(workers[address]["nthreads"] for address in able) - len(self.steps)
        while room > 0 and self.waiting:
            board = self.waiting.popleft()
            path = Path(self.options.work, board.file)
            kept = path.read_bytes() if path.exists() else None
            future = client.submit(
                breed_step,
                self.options.program,
                self.arguments,
                board,
                kept,
                self.options.turns,
                self.options.timeout,
                key=f"{board.name} {board.done}/{board.turns} {time.time_ns()}",
                workers=able if self.suspects else None,
                pure=False,
            )
            self.steps[board.name] = Step(board, future, time.monotonic())
            room -= 1

    def collect(self) -> None:
        """Stores the results. A failed step is tried again from the stored file."""
        for name, step in list(self.steps.items()):
            if step.future.status in ("pending", "processing"):
                continue
            del self.steps[name]
            if step.future.status != "finished":
                self.try_again(step, self.reason(step.future))
                continue
            board = step.board
            content = step.future.result()
            # Otherwise the step would be computed again if its worker died before the next turn of the loop.
            step.future.release()
            write_atomically(Path(self.options.work, board.file), content)
            board.done = min(board.done + self.options.turns, board.turns)
            self.failures.pop(name, None)
            say(f"kept {name} {board.done}/{board.turns}")
            if not board.is_done:
                self.waiting.appendleft(board)

    @staticmethod
    def reason(future: Future) -> str:
        if future.status != "error":
            return future.status
        return first_line(future.exception())

    def try_again(self, step: Step, reason: str) -> None:
        name = step.board.name
        self.failures[name] = self.failures.get(name, 0) + 1
        if self.failures[name] > self.options.retries:
            raise Failed(f"{name}: failed {self.failures[name]} times, the last time: {reason}")
        say(f"again {name} from {step.board.done}/{step.board.turns}: {reason}")
        self.waiting.appendleft(step.board)

    def give_up_late(self, client: Client) -> None:
        """Cancels every step that has run for twice the timeout, and gives its worker no further step."""
        limit = 2 * self.options.timeout
        late = [step for step in self.steps.values() if time.monotonic() - step.began > limit]
        if not late:
            return
        processing = client.processing()
        for step in late:
            del self.steps[step.board.name]
            self.suspects.update(worker for worker, keys in processing.items() if step.future.key in keys)
            step.future.cancel(force=True)
            self.try_again(step, f"no answer after {limit:.0f} s")

    def forget_cluster(self) -> None:
        """Puts the running steps back into the queue after the cluster was lost."""
        for step in self.steps.values():
            self.waiting.appendleft(step.board)
        self.steps.clear()
        self.suspects.clear()


def boards(options: argparse.Namespace) -> None:
    """Breeds the unfinished boards, then writes the tables."""
    breeding = Breeding(options)
    breeding.list_boards()
    lost_since: float | None = None
    while breeding.waiting:
        try:
            with connect(options) as client:
                say(f"connected: {len(breeding.waiting)} boards to breed, dashboard at {client.dashboard_link}")
                lost_since = None
                breeding.run(client)
        except LOST as error:
            breeding.forget_cluster()
            lost_since = lost_since or time.monotonic()
            if options.local or time.monotonic() - lost_since > options.patience:
                raise Failed(lost_message(options, error)) from error
            say(f"lost the cluster, going on from what is kept: {first_line(error)}")
            time.sleep(options.poll)
        if not breeding.waiting:
            breeding.list_boards()
    print(breeding.generator("--merge", "--out", str(options.out)), end="")


# ---------------------------------------------------------------------------------------------------------------------
# Answers


# The program's exit code for a bad case.
BAD_CASE = 2

# More lines than any judge input has. A larger number is an error, which the program will report.
MOST_LINES = 2_000_000


class EndOfFile(Exception):
    """There are no more lines."""


def number(line: bytes) -> int:
    """The number at the start of a line, or 0 if it is missing or too large: the program then reports the error."""
    words = line.split()
    found = int(words[0]) if words and words[0].isdigit() and len(words[0]) < 10 else 0
    return found if found <= MOST_LINES else 0


def dice(lines: Lines) -> None:
    lines.skip(2 * number(lines.next()))


def jenga(lines: Lines) -> None:
    lines.skip(number(lines.next()))


def hopchess(lines: Lines) -> None:
    lines.skip(number(lines.next()))
    if lines.next().lstrip().startswith(b"to"):
        lines.skip(1)


def codenames(lines: Lines) -> None:
    lines.skip(3)
    lines.skip(number(lines.next()))


# For each game a function that skips one judge input.
GAMES = {"dice": dice, "jenga": jenga, "hopchess": hopchess, "codenames": codenames}


class Lines:
    """The lines of a file. Only those of the current partition are in memory."""

    def __init__(self, source: Iterable[bytes]) -> None:
        self.source = iter(source)
        self.read = 0
        self.text: list[bytes] = []

    def next(self) -> bytes:
        """The next line that is not blank."""
        for line in self.source:
            self.read += 1
            self.text.append(line)
            if line.strip():
                return line
        raise EndOfFile

    def skip(self, count: int) -> None:
        for _ in range(count):
            self.next()

    def cut(self) -> bytes:
        """The text since the last cut."""
        text, self.text = b"".join(self.text), []
        return text


@dataclass
class Partition:
    """Whole judge inputs of a file, with the number of inputs and lines before them in the file."""

    file: str
    cases_before: int
    lines_before: int
    text: bytes


def partitions(game: str, file: str, source: Iterable[bytes], size: int) -> Iterator[Partition]:
    """Splits a file into partitions of `size` judge inputs. The last partition holds the rest."""
    lines = Lines(source)
    cases = cases_before = lines_before = 0
    try:
        while True:
            GAMES[game](lines)
            cases += 1
            if cases - cases_before >= size:
                yield Partition(file, cases_before, lines_before, lines.cut())
                cases_before, lines_before = cases, lines.read
    except EndOfFile:
        if rest := lines.cut():
            yield Partition(file, cases_before, lines_before, rest)


@dataclass
class Answer:
    """The output of the program for a partition."""

    partition: Partition
    answers: bytes
    message: str
    code: int


def answer_partition(command: list[str], partition: Partition, timeout: float) -> Answer:
    """Answers a partition on a worker."""
    ended = run_on_worker(command, timeout, partition.text)
    partition = Partition(partition.file, partition.cases_before, partition.lines_before, b"")
    return Answer(partition, ended.stdout, ended.stderr.decode(errors="replace").strip(), ended.returncode)


def in_file(answer: Answer) -> str:
    """The program's message, with the case and the line counted from the start of the file."""
    place = re.match(r"tabletop: stdin, case (\d+), line (\d+): (.*)", answer.message, re.DOTALL)
    if place is None:
        return answer.message
    part = answer.partition
    case, line = int(place[1]) + part.cases_before, int(place[2]) + part.lines_before
    return f"tabletop: {part.file}, case {case}, line {line}: {place[3]}"


def answer(options: argparse.Namespace) -> None:
    """Writes the answers of all files in order, up to the first bad case."""
    command = [options.program, options.game, "--many"]
    if options.tables:
        command += ["--tables", options.tables]
    with connect(options) as client, open_output(options.output) as output:
        threads = sum(client.nthreads().values()) or 1
        under_way: deque[Future] = deque()

        def write_next() -> None:
            try:
                result: Answer = under_way.popleft().result()
            except RuntimeError as error:
                raise Failed(first_line(error)) from error
            output.write(result.answers)
            if result.code != 0:
                raise (BadCase if result.code == BAD_CASE else Failed)(in_file(result), result.code)

        for partition in all_partitions(options):
            task = (answer_partition, command, partition, options.timeout)
            under_way.append(client.submit(*task, pure=False, retries=options.retries))
            # Enough partitions to keep every thread busy, and few enough that large files need little memory.
            if len(under_way) > 3 * threads:
                write_next()
        while under_way:
            write_next()


def all_partitions(options: argparse.Namespace) -> Iterator[Partition]:
    for file in options.files:
        try:
            with open(file, "rb") as source:
                yield from partitions(options.game, file, source, options.cases)
        except OSError as error:
            raise Failed(f"{file}: cannot be read: {error.strerror}, name a file that can be") from error


# ---------------------------------------------------------------------------------------------------------------------
# Shared by both commands


def connect(options: argparse.Namespace) -> Client:
    try:
        if options.local:
            cluster = LocalCluster(n_workers=options.local, threads_per_worker=1, dashboard_address=options.dashboard)
            return Client(cluster)
        return Client(options.scheduler, timeout=options.poll * 10)
    except OSError as error:
        raise CommClosedError(first_line(error)) from error


def lost_message(options: argparse.Namespace, error: BaseException) -> str:
    if options.local:
        return f"the local cluster is gone: {first_line(error)}, start this command again"
    return f"{options.scheduler}: no cluster answers: {first_line(error)}, start a scheduler there"


def run(command: list[str]) -> str:
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Failed(f"{command[0]}: cannot be run: {error.strerror}, name it with --program") from error
    if ended.returncode != 0:
        raise Failed(ended.stderr.strip(), ended.returncode)
    return ended.stdout


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """A temporary file that becomes `path` at the end. After an error the old file stays, unless a case is bad."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp", delete=False)

    def publish() -> None:
        file.flush()
        os.fsync(file.fileno())
        os.chmod(file.name, 0o644)
        os.replace(file.name, path)

    try:
        with file:
            try:
                yield file
            except BadCase:
                publish()
                raise
            publish()
    finally:
        Path(file.name).unlink(missing_ok=True)


def write_atomically(path: Path, content: bytes) -> None:
    """Writes a file atomically."""
    with replaced(path) as file:
        file.write(content)


def open_output(path: str | None) -> AbstractContextManager[BinaryIO]:
    if path is None:
        return os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    target = Path(path).resolve()
    # A device or a pipe cannot be replaced.
    return open(target, "wb") if target.exists() and not target.is_file() else replaced(target)


def first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def say(line: str) -> None:
    print(f"tabletop: {line}", file=sys.stderr, flush=True)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run tabletop on a Dask cluster")
    commands = parser.add_subparsers(dest="command", required=True)

    def common(command: argparse.ArgumentParser, program: str) -> None:
        where = command.add_mutually_exclusive_group(required=True)
        where.add_argument("--scheduler", metavar="ADDRESS", help="the scheduler, such as tcp://host:8786")
        where.add_argument("--local", metavar="N", type=int, help="a cluster of N workers on this machine")
        command.add_argument("--program", default=program, help=f"the program on every machine [default: {program}]")
        command.add_argument("--dashboard", default=":0", metavar="ADDRESS", help="of a local cluster [default: any port]")
        command.add_argument("--retries", type=int, default=5, metavar="N", help="attempts after a failure [default: 5]")
        command.add_argument("--poll", type=float, default=1.0, metavar="SECONDS", help=argparse.SUPPRESS)

    breed = commands.add_parser("boards", help="breed Balda's boards, then make the tables")
    common(breed, "tabletop-gen")
    breed.add_argument("--work", default="gen/boards", type=Path, metavar="DIR", help="where boards are kept [default: gen/boards]")
    breed.add_argument("--out", default="tables", type=Path, metavar="DIR", help="where tables are written [default: tables]")
    breed.add_argument("--only", action="append", metavar="NAME", help="breed only this board; may be repeated")
    breed.add_argument("--effort", type=int, metavar="N", help="make N proposals for each board")
    breed.add_argument("--turns", type=int, default=1, metavar="N", help="start words from checkpoint to checkpoint [default: 1]")
    breed.add_argument("--timeout", type=float, default=1800, metavar="SECONDS", help="for one checkpoint [default: 1800]")
    breed.add_argument("--patience", type=float, default=600, metavar="SECONDS", help="wait for a lost scheduler [default: 600]")
    breed.set_defaults(run=boards)

    ask = commands.add_parser("answer", help="answer files of judge inputs, in order")
    ask.add_argument("game", choices=GAMES)
    ask.add_argument("files", nargs="+", metavar="FILE")
    common(ask, "tabletop")
    ask.add_argument("--tables", metavar="DIR", help="look for tables in DIR and nowhere else")
    ask.add_argument("--cases", type=int, default=1000, metavar="N", help="judge inputs in a partition [default: 1000]")
    ask.add_argument("--timeout", type=float, default=1800, metavar="SECONDS", help="for one partition [default: 1800]")
    ask.add_argument("-o", "--output", metavar="FILE", help="write to FILE instead of standard output")
    ask.set_defaults(run=answer)
    return parser.parse_args()


def main() -> int:
    options = parse()
    # Dask logs much about a lost connection. This program prints one line instead.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        options.run(options)
    except Failed as failure:
        message = str(failure)
        print(message if message.startswith("tabletop") else f"tabletop: {message}", file=sys.stderr)
        return failure.code
    except LOST as error:
        say(lost_message(options, error))
        return 1
    except OSError as error:
        say(f"{first_line(error)}, make room or name another place")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
