#!/usr/bin/env python3
"""Runs tabletop on a Dask cluster: breeds Balda's boards, solves games by stages, and answers files of any size.

    tabletop_cluster.py boards --scheduler tcp://host:8786
    tabletop_cluster.py solve ./royal-game-of-ur --out /shared/tables --scheduler tcp://host:8786
    tabletop_cluster.py answer dice cases.txt --local 4
    tabletop_cluster.py answer --game ./pig positions.txt --local 4

This machine and every worker need the program, on PATH or at its path. Nothing else is shared, except the directory of
a game that is solved: any other task carries its input with it and returns its result.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import IO, Any

from distributed import Client, Future, LocalCluster, wait
from distributed.comm.core import CommClosedError

# The errors that mean that the cluster is gone. No other `OSError` does: a full disk or a missing program is not that.
LOST = (CommClosedError, CancelledError, TimeoutError)


class Failed(Exception):
    """An error message with its remedy, and the exit code."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


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
    future: Future[bytes]
    began: float


def run_on_worker(command: list[str], timeout: float, text: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """Runs the program on a worker. The timeout ends a program that hangs; `give_up_late` handles a hanging worker."""
    program, host = command[0], socket.gethostname()
    try:
        return subprocess.run(command, input=text, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"{program}: no answer after {timeout:.0f} s on {host}, raise --timeout") from error
    except OSError as error:
        raise RuntimeError(f"{program}: cannot be run on {host}: {error.strerror}, name it with --program") from error


def breed_step(command: list[str], board: Board, kept: bytes | None, timeout: float) -> bytes:
    """Continues a board on a worker: takes its file, and returns the file after some more start words."""
    with tempfile.TemporaryDirectory(prefix="tabletop-") as work:
        path = Path(work, board.file)
        if kept is not None:
            path.write_bytes(kept)
        ended = run_on_worker([*command, "--only", board.name, "--work", work], timeout)
        if ended.returncode != 0:
            message = ended.stderr.decode(errors="replace").strip()
            raise RuntimeError(message or f"{command[0]} ended with {ended.returncode}")
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
    def command(self) -> list[str]:
        effort = self.options.effort
        return [self.options.program, "boards", *([] if effort is None else ["--effort", str(effort)])]

    def generator(self, *arguments: str) -> str:
        """Runs the generator on this machine, with the stored boards."""
        return run([*self.command, "--work", str(self.options.work), *arguments])

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
            with suppress(TimeoutError):
                wait(futures, timeout=self.options.poll, return_when="FIRST_COMPLETED")
            if client.status != "running":
                raise CommClosedError("the scheduler is gone")
            self.collect()
            self.give_up_late(client)

    def submit(self, client: Client) -> None:
        """Submits one step per thread of the cluster. No step waits in a queue, so its age is its running time."""
        workers = client.scheduler_info(n_workers=-1)["workers"]
        if workers and self.suspects.issuperset(workers):
            # Better a suspect than none. A step that is late again counts as a failure, so this ends after --retries.
            self.suspects.clear()
        able = [address for address in workers if address not in self.suspects]
        room = sum(workers[address]["nthreads"] for address in able) - len(self.steps)
        while room > 0 and self.waiting:
            board = self.waiting.popleft()
            key = f"{board.name} {board.done}/{board.turns} {time.time_ns()}"
            workers = able if self.suspects else None
            future = client.submit(*self.task(board), self.options.timeout, key=key, workers=workers, pure=False)
            self.steps[board.name] = Step(board, future, time.monotonic())
            room -= 1

    def task(self, board: Board) -> tuple[Any, ...]:
        """What a worker runs: a function and its arguments, but for the timeout."""
        path = Path(self.options.work, board.file)
        kept = path.read_bytes() if path.exists() else None
        return breed_step, [*self.command, "--turns", str(self.options.turns)], board, kept

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
            self.failures.pop(name, None)
            self.keep(board, content)

    def keep(self, board: Board, content: bytes) -> None:
        """Stores the result of a step, and queues what comes next."""
        write_atomically(Path(self.options.work, board.file), content)
        board.done = min(board.done + self.options.turns, board.turns)
        say(f"kept {board.name} {board.done}/{board.turns}")
        if not board.is_done:
            self.waiting.appendleft(board)

    @staticmethod
    def reason(future: Future[bytes]) -> str:
        if future.status != "error":
            return str(future.status)
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
    run_all(breeding, "boards to breed")
    print(breeding.generator("--merge", "--out", str(options.out)), end="")


def run_all(breeding: Breeding, what: str) -> None:
    """Runs until nothing is left to do. A lost cluster is waited for."""
    options = breeding.options
    breeding.list_boards()
    lost_since: float | None = None
    while breeding.waiting:
        try:
            with connect(options) as client:
                say(f"connected: {len(breeding.waiting)} {what}, dashboard at {client.dashboard_link}")
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


# ---------------------------------------------------------------------------------------------------------------------
# Games that are solved stage by stage


def solve_stage(command: list[str], timeout: float) -> bytes:
    """Solves a stage on a worker. Its file appears in the shared directory."""
    ended = run_on_worker(command, timeout)
    if ended.returncode != 0:
        message = ended.stderr.decode(errors="replace").strip()
        raise RuntimeError(message or f"{command[0]} ended with {ended.returncode}")
    return b""


@dataclass
class Solving(Breeding):
    """The stages of a game that are not solved, and the running ones. A stage takes one step."""

    depends_on: dict[str, set[str]] = field(default_factory=dict)

    @property
    def command(self) -> list[str]:
        memory = self.options.memory
        shared = ["--out", str(self.options.out), *([] if memory is None else ["--memory", memory])]
        return [self.options.program, "solve", *shared]

    def list_boards(self) -> None:
        """Queues the stages that can be solved now."""
        stages = [json.loads(line) for line in run([*self.command, "--list"]).splitlines()]
        unsolved = {str(stage["stage"]) for stage in stages if stage["state"] != "solved"}
        for stage in stages:
            name = str(stage["stage"])
            if name in unsolved:
                self.depends_on[name] = {str(other) for other in stage["depends_on"]} & unsolved
        self.queue_ready()

    def queue_ready(self) -> None:
        for name in [name for name, others in self.depends_on.items() if not others]:
            del self.depends_on[name]
            self.waiting.append(Board(name, f"stage-{name}", 0, 1))

    def task(self, board: Board) -> tuple[Any, ...]:
        return solve_stage, [*self.command, "--only", board.name]

    def keep(self, board: Board, content: bytes) -> None:  # noqa: ARG002 - the stage is a file already
        say(f"solved stage {board.name}")
        for others in self.depends_on.values():
            others.discard(board.name)
        self.queue_ready()


def solve(options: argparse.Namespace) -> None:
    """Solves all stages of a game, then writes its table."""
    solving = Solving(options)
    run_all(solving, "stages to begin with")
    print(run([*solving.command, "--merge"]), end="")


# ---------------------------------------------------------------------------------------------------------------------
# Answers


@dataclass
class Partition:
    """Whole judge inputs of a file, with the number of cases and lines before them in the file."""

    file: str
    cases_before: int
    lines_before: int
    text: bytes


@contextmanager
def opened(file: str) -> Iterator[IO[bytes]]:
    """The file, open for reading. A pipe is copied first, because the program reads it too."""
    try:
        source = open(file, "rb")
    except OSError as error:
        raise Failed(f"{file}: cannot be read: {error.strerror}, name a file that can be") from error
    with source:
        if stat.S_ISREG(os.fstat(source.fileno()).st_mode):
            yield source
            return
        with tempfile.NamedTemporaryFile(prefix="tabletop-") as copy:
            shutil.copyfileobj(source, copy)
            copy.flush()
            yield copy


def partitions(options: argparse.Namespace, file: str) -> Iterator[Partition]:
    """The partitions of a file. The program says where to cut it: only the program knows the formats of the games."""
    with opened(file) as source:
        command = [options.program, options.game, "--split", str(options.cases), os.path.abspath(source.name)]
        try:
            splitting = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise cannot_run(command, error) from error
        assert splitting.stdout is not None and splitting.stderr is not None
        with splitting:
            for line in splitting.stdout:
                part = json.loads(line)
                source.seek(part["byte"])
                text = source.read(part["bytes"])
                if len(text) != part["bytes"]:
                    raise Failed(f"{file}: was changed while it was read, start again")
                yield Partition(file, part["case"] - 1, part["line"] - 1, text)
            message = splitting.stderr.read().decode(errors="replace").strip()
    if splitting.returncode != 0:
        raise Failed(message or f"{options.program} ended with {splitting.returncode}", max(1, splitting.returncode))


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


def positions(options: argparse.Namespace, file: str) -> Iterator[Partition]:
    """The partitions of a file for a game program: a position is a line, and empty lines are not."""
    cases, lines, part_cases, part = 0, 0, 0, [b""]
    with opened(file) as source:
        for line in source:
            part.append(line)
            part_cases += bool(line.strip())
            if part_cases == options.cases:
                yield Partition(file, cases, lines, b"".join(part))
                cases, lines, part_cases, part = cases + part_cases, lines + len(part) - 1, 0, [b""]
    if part_cases:
        yield Partition(file, cases, lines, b"".join(part))


def game_program(tabletop: str, game: str) -> str:
    """A game program on this machine: a file if the name has a slash, otherwise `tabletop-NAME` from beside `tabletop`
    or from PATH."""
    if "/" in game:
        return game
    own = shutil.which(tabletop)
    beside = [str(Path(own).resolve().parent)] if own else []
    directories = os.pathsep.join([*beside, os.environ.get("PATH", os.defpath)])
    return shutil.which(f"tabletop-{game}", path=directories) or f"tabletop-{game}"


def answer_positions(command: list[str], partition: Partition, timeout: float) -> Answer:
    """Answers the positions of a partition on a worker, by the protocol that docs/game-programs.md describes.

    The command is `tabletop`, the game, and the arguments of its program."""
    tabletop, game, *arguments = command
    program = game_program(tabletop, game)
    python = ["python3"] if program.endswith(".py") else []
    lines = enumerate(partition.text.decode(errors="replace").splitlines(), 1)
    asked = [(number, line.strip()) for number, line in lines if line.strip()]
    requests = "".join(json.dumps({"ask": "value", "position": position}) + "\n" for _, position in asked)
    ended = run_on_worker([*python, program, *arguments], timeout, requests.encode())
    replies = iter(ended.stdout.decode(errors="replace").splitlines())
    partition = Partition(partition.file, partition.cases_before, partition.lines_before, b"")
    values: list[str] = []
    message, code = ended.stderr.decode(errors="replace").strip(), 0
    for case, (line, _) in enumerate(asked, 1):
        try:
            reply = json.loads(next(replies))
            if error := reply.get("error"):
                message, code = f"{error['what']}, {error['remedy']}", 2
            else:
                values.append(shown(reply))
                continue
        except StopIteration:
            message, code = f"{program} ended without an answer, mend the program", 1
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            message, code = f"{program} does not speak the protocol: {error!r}, mend the program", 1
        message = f"tabletop: stdin, case {case}, line {line}: {message}"
        break
    return Answer(partition, "".join(f"{value}\n" for value in values).encode(), message, code)


def shown(reply: dict[str, object]) -> str:
    """A value as the kit prints it: a fraction, or all digits of a number without an exponent."""
    if reply.get("fraction") is not None:
        return str(reply["fraction"])
    value = reply["value"]
    if not isinstance(value, int | float):
        raise ValueError("a value that is no number")
    return format(Decimal(repr(float(value))), "f").removesuffix(".0")


def in_file(answer: Answer) -> str:
    """The program's messages, with the case and the line counted from the start of the file."""
    part = answer.partition

    def counted(place: re.Match[str]) -> str:
        line = f", line {int(place[3]) + part.lines_before}" if place[3] else ""
        return f"tabletop: {part.file}, case {int(place[1]) + part.cases_before}{line}:"

    return re.sub(r"^tabletop: stdin, case (\d+)(, line (\d+))?:", counted, answer.message, flags=re.MULTILINE)


def answers(client: Client, options: argparse.Namespace) -> Iterator[Answer]:
    """The answers of all partitions, in order. If a file cannot be split further, those before are answered."""
    if options.game_program is None:
        command, split, answer_part = [options.program, options.game, "--many"], partitions, answer_partition
    else:
        command, split, answer_part = [options.program, options.game_program, "speak"], positions, answer_positions
    if options.tables:
        command += ["--tables", options.tables]
    threads = sum(client.nthreads().values()) or 1
    under_way: deque[Future[Answer]] = deque()
    remaining = (partition for file in options.files for partition in split(options, file))
    failure: Failed | None = None
    while True:
        try:
            partition = next(remaining, None)
        except Failed as failed:
            partition, failure = None, failed
        if partition is None:
            break
        task = (answer_part, command, partition, options.timeout)
        under_way.append(client.submit(*task, pure=False, retries=options.retries))
        # Enough partitions to keep every thread busy, and few enough that large files need little memory.
        if len(under_way) > 3 * threads:
            yield result(under_way.popleft())
    while under_way:
        yield result(under_way.popleft())
    if failure is not None:
        raise failure


def result(future: Future[Answer]) -> Answer:
    try:
        return future.result()
    except RuntimeError as error:
        raise Failed(first_line(error)) from error


def answer(options: argparse.Namespace) -> None:
    """Writes the answers of all files in order, up to the first bad case."""
    refuse_own_input(options)
    with connect(options) as client, open_output(options.output) as output:
        for answered in answers(client, options):
            output.write(answered.answers)
            message = in_file(answered)
            if answered.code != 0:
                raise Failed(message, answered.code)
            if message:
                print(message, file=sys.stderr)


def refuse_own_input(options: argparse.Namespace) -> None:
    """Refuses an output that is also an input, under whatever name."""
    output = options.output
    if output is None or not os.path.isfile(output):
        return
    if any(os.path.exists(file) and os.path.samefile(file, output) for file in options.files):
        raise Failed(f"{output}: is the input and the output, name another output", 2)


# ---------------------------------------------------------------------------------------------------------------------
# Shared by all commands


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


def cannot_run(command: list[str], error: OSError) -> Failed:
    return Failed(f"{command[0]}: cannot be run: {error.strerror}, name it with --program")


def run(command: list[str]) -> str:
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise cannot_run(command, error) from error
    if ended.returncode != 0:
        raise Failed(ended.stderr.strip(), ended.returncode)
    return ended.stdout


@contextmanager
def replaced(path: Path) -> Iterator[IO[bytes]]:
    """A temporary file that becomes `path` at the end. After an error the old file stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp", delete=False)
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
    finally:
        Path(file.name).unlink(missing_ok=True)


def write_atomically(path: Path, content: bytes) -> None:
    """Writes a file atomically."""
    with replaced(path) as file:
        file.write(content)


def open_output(path: str | None) -> AbstractContextManager[IO[bytes]]:
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

    def common(command: argparse.ArgumentParser, program: str | None) -> None:
        where = command.add_mutually_exclusive_group(required=True)
        where.add_argument("--scheduler", metavar="ADDRESS", help="the scheduler, such as tcp://host:8786")
        where.add_argument("--local", metavar="N", type=int, help="a cluster of N workers on this machine")
        if program is not None:
            command.add_argument("--program", default=program, help=f"the program everywhere [default: {program}]")
        add = command.add_argument
        add("--dashboard", default=":0", metavar="ADDRESS", help="of a local cluster [default: any port]")
        add("--retries", type=int, default=5, metavar="N", help="attempts after a failure [default: 5]")
        add("--poll", type=float, default=1.0, metavar="SECONDS", help=argparse.SUPPRESS)

    breed = commands.add_parser("boards", help="breed Balda's boards, then make the tables")
    common(breed, "tabletop-gen")
    add = breed.add_argument
    add("--work", default="gen/boards", type=Path, metavar="DIR", help="where boards are kept [default: gen/boards]")
    add("--out", default="tables", type=Path, metavar="DIR", help="where tables are written [default: tables]")
    add("--only", action="append", metavar="NAME", help="breed only this board; may be repeated")
    add("--effort", type=int, metavar="N", help="make N proposals for each board")
    add("--turns", type=int, default=1, metavar="N", help="start words from checkpoint to checkpoint [default: 1]")
    add("--timeout", type=float, default=1800, metavar="SECONDS", help="for one checkpoint [default: 1800]")
    add("--patience", type=float, default=600, metavar="SECONDS", help="wait for a lost scheduler [default: 600]")
    breed.set_defaults(run=boards)

    stages = commands.add_parser("solve", help="solve a game made with the kit, stage by stage")
    stages.add_argument("game", metavar="PROGRAM", help="the program of the game, at this path on every machine")
    common(stages, None)
    add = stages.add_argument
    add("--out", default="tables", type=Path, metavar="DIR", help="the directory of the table, shared by all machines")
    add("--memory", metavar="SIZE", help="for one stage, such as 8G [default: half of a machine's]")
    add("--timeout", type=float, default=86400, metavar="SECONDS", help="for one stage [default: a day]")
    add("--patience", type=float, default=600, metavar="SECONDS", help="wait for a lost scheduler [default: 600]")
    stages.set_defaults(run=solve)

    ask = commands.add_parser("answer", help="answer files of judge inputs, in order")
    ask.usage = "%(prog)s [OPTION]… GAME FILE…\n       %(prog)s [OPTION]… --game PROGRAM FILE…"
    ask.add_argument("files", nargs="+", metavar="FILE", help="inputs; before them the game, as tabletop calls it")
    game = "a game program on every machine, instead of the game: positions, one on a line"
    ask.add_argument("--game", dest="game_program", metavar="PROGRAM", help=game)
    common(ask, "tabletop")
    ask.add_argument("--tables", metavar="DIR", help="look for tables in DIR and nowhere else")
    cases = "cases in a partition, or one input if it has more [default: 1000]"
    ask.add_argument("--cases", type=int, default=1000, metavar="N", help=cases)
    ask.add_argument("--timeout", type=float, default=1800, metavar="SECONDS", help="for one partition [default: 1800]")
    ask.add_argument("-o", "--output", metavar="FILE", help="write to FILE instead of standard output")
    ask.set_defaults(run=answer)
    options = parser.parse_args()
    if options.run is solve:
        options.program = options.game
    if options.run is answer and options.game_program is None:
        options.game = options.files.pop(0)
        if not options.files:
            ask.error("name a game and at least one file")
    return options


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
