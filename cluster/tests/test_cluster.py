"""Boards and answers on a real cluster, with workers and a scheduler that are killed, stopped and restarted."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias, cast

from distributed import Client

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(os.environ["TABLETOP_PROGRAMS"])
EXAMPLES = Path(os.environ["TABLETOP_EXAMPLES"])
SCRIPT = ROOT / "cluster/tabletop_cluster.py"

sys.path.insert(0, str(SCRIPT.parent))
import tabletop_cluster as cluster  # noqa: E402

Ended: TypeAlias = subprocess.CompletedProcess[str]

EFFORT = 1_500_000
TURNS = 15
NAMES = [f"{language}-9-{EFFORT}-{number}" for language in ("en", "ru", "tr") for number in (1, 2)]
# The timeout of a step in seconds. A step that takes twice as long is taken from its worker.
TIMEOUT = 12

# Runs the generator, and logs the start time and the result of each step.
LOGGING_GENERATOR = """#!/bin/sh
began=$(date +%s%N)
output=$("{generator}" "$@") || exit
case "$*" in *--only*) printf '%s %s\\n' "$began" "$output" >> "{log}";; esac
printf '%s\\n' "$output"
"""

SAMPLES = {
    "dice": "1\n1 2 3 1 1\n1 2 3 4 5\n\n2\nto move: B\n6 6 6 1 2\n1 1 2 2 3\n1 2 3 4 5\n2 3 4 5 6\n",
    "jenga": "3\nRGB\n\nRRR\nGBG\n1\nRRR\n",
    "hopchess": "1 3\nJDJ\n1 2\n2 2\nJ.\n.D\nTO MOVE: D\n5 5\n",
    "codenames": "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n" * 2,
}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(condition: Callable[[], bool], what: str, seconds: float = 100) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"did not happen within {seconds} s: {what}")
        time.sleep(0.1)


class Scheduler:
    """A scheduler that can be killed and started again at the same address."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        command = ["-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"]
        self.process = subprocess.Popen([sys.executable, *command], stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class Worker:
    """A worker that is restarted whenever it ends, as a batch system would do."""

    def __init__(self, name: str, scheduler: Scheduler, directory: str) -> None:
        self.command = [sys.executable, "-m", "dask", "worker", scheduler.address, "--name", name, "--no-nanny"]
        self.command += ["--nthreads", "1", "--no-dashboard", "--local-directory", directory]
        self.is_wanted = True
        # Held while a process is started, so that `end` sees the last one.
        self.lock = threading.Lock()
        self.codes: list[int] = []
        self.process = self.start()
        self.thread = threading.Thread(target=self.keep_running)
        self.thread.start()

    def start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self.command, stderr=subprocess.DEVNULL)

    def keep_running(self) -> None:
        while True:
            self.codes.append(self.process.wait())
            with self.lock:
                if not self.is_wanted:
                    return
                self.process = self.start()

    def end(self) -> None:
        with self.lock:
            self.is_wanted = False
            self.process.kill()
        self.thread.join()


class Breeding:
    """The client process, and its messages with the time of each."""

    def __init__(self, arguments: list[str]) -> None:
        command = [sys.executable, str(SCRIPT), "boards", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.said: list[tuple[int, str]] = []
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()

    def listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append((time.time_ns(), line.rstrip()))

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()
        self.thread.join()

    def count(self, beginning: str) -> int:
        return sum(line.startswith(f"tabletop: {beginning}") for _, line in list(self.said))

    def text(self) -> str:
        return "\n".join(line for _, line in self.said)


def only(names: list[str]) -> list[str]:
    return [argument for name in names for argument in ("--only", name)]


class ClusterTest(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        self.scheduler = Scheduler()
        self.addCleanup(self.scheduler.kill)
        self.workers = [Worker(f"w{number}", self.scheduler, directory.name) for number in range(3)]
        for worker in self.workers:
            self.addCleanup(worker.end)

    def bred_by_one_process(self) -> dict[str, bytes]:
        generator = [str(PROGRAMS / "tabletop-gen"), "boards", "--effort", str(EFFORT)]
        work, out = ["--work", str(self.directory / "single")], self.directory / "expected"
        for name in NAMES:
            subprocess.run([*generator, *work, "--only", name], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([*generator, *work, "--merge", "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
        return {path.name: path.read_bytes() for path in out.iterdir()}

    def test_boards_survive_a_killed_worker_a_hanging_one_and_a_restarted_scheduler(self) -> None:
        log, generator, out = self.directory / "log", self.directory / "generator", self.directory / "out"
        generator.write_text(LOGGING_GENERATOR.format(generator=PROGRAMS / "tabletop-gen", log=log))
        generator.chmod(0o755)
        arguments = ["--scheduler", self.scheduler.address, "--program", str(generator), "--effort", str(EFFORT)]
        arguments += ["--work", str(self.directory / "work"), "--out", str(out), "--turns", str(TURNS)]
        arguments += ["--timeout", str(TIMEOUT), "--retries", "20", *only(NAMES)]
        breeding = Breeding(arguments)
        self.addCleanup(breeding.end)

        until(lambda: breeding.count("kept") >= 2, "two checkpoints")
        killed, hanging, _ = self.workers
        killed.process.kill()
        until(lambda: breeding.count("kept") >= 6, "checkpoints without the killed worker")
        os.kill(hanging.process.pid, signal.SIGSTOP)
        until(lambda: breeding.count("again") >= 1, "a step taken from the hanging worker")
        self.scheduler.kill()
        until(lambda: breeding.count("lost the cluster") >= 1, "the lost scheduler to be noticed")
        self.scheduler.start()
        expected = self.bred_by_one_process()
        self.assertEqual(breeding.process.wait(timeout=100), 0, breeding.text())
        breeding.thread.join()

        self.assertEqual(killed.codes[0], -signal.SIGKILL)
        assert breeding.process.stdout is not None
        summary = breeding.process.stdout.read()
        self.assertIn(f"{len(NAMES)} of ", summary)
        self.assertEqual({path.name: path.read_bytes() for path in out.iterdir()}, expected)
        self.assert_no_stored_step_was_computed_again(log.read_text(), breeding)

        # Finished boards are not started again.
        again = Breeding(arguments)
        self.addCleanup(again.end)
        self.assertEqual(again.process.wait(timeout=60), 0)
        self.assertEqual(again.count("kept") + again.count("connected"), 0)

    def assert_no_stored_step_was_computed_again(self, log: str, breeding: Breeding) -> None:
        kept: dict[tuple[str, int], int] = {}
        for moment, line in breeding.said:
            if found := re.fullmatch(r"tabletop: kept (\S+) (\d+)/60", line):
                step = (found[1], int(found[2]))
                self.assertNotIn(step, kept, "stored twice")
                kept[step] = moment
        steps = range(TURNS, 61, TURNS)
        self.assertEqual(sorted(kept), sorted((name, done) for name in NAMES for done in steps))
        computed = re.findall(r"^(\d+) .*: (\S+): (?:half \((\d+) of 60 start words\)|done)$", log, re.MULTILINE)
        self.assertGreaterEqual(len(computed), len(kept))
        for began, name, done in computed:
            step = (name, int(done or 60))
            self.assertLess(int(began), kept[step], f"{step} computed although it was stored")

    def test_files_are_answered_in_order_for_any_partition_size(self) -> None:
        for game, sample in SAMPLES.items():
            files = [self.directory / f"{game}-{number}" for number in (1, 2)]
            for file in files:
                file.write_text(sample * 5)
            command = [str(PROGRAMS / "tabletop"), game, "--many", "--tables", str(ROOT / "tables")]
            direct = subprocess.run(command, input=sample * 10, capture_output=True, text=True, check=True)
            for cases in ("1", "3"):
                answered = self.answer(game, files, cases)
                self.assertEqual((answered.returncode, answered.stdout), (0, direct.stdout), answered.stderr)

    def test_the_first_bad_case_is_named_by_file_case_and_line(self) -> None:
        good, bad = self.directory / "good", self.directory / "bad"
        good.write_text("1\n1 2 3 1 1\n1 2 3 4 5\n" * 4)
        # Three inputs of two cases each, then a bad second case in the next input.
        inputs = "2\nto move: A\n1 2 3 1 1\n1 2 3 4 5\n6 6 6 6 6\n1 2 3 4 5\n\n" * 3
        bad.write_text(inputs + "2\n1 2 3 1 1\n1 2 3 4 5\n1 2 3 1 1\n1 2 3 4 7\n" + "1\n6 6 6 6 6\nnonsense\n" * 9)
        for cases in ("1", "2", "5", "1000"):
            answered = self.answer("dice", [good, bad], cases)
            self.assertEqual(answered.returncode, 2)
            self.assertEqual(len(answered.stdout.splitlines()), 4 + 7, "the answers before the bad case")
            self.assertRegex(answered.stderr.splitlines()[-1], rf"^tabletop: {bad}, case 8, line 26: '7' is not")
        missing = self.answer("dice", [self.directory / "missing"], "2")
        self.assertEqual((missing.returncode, missing.stdout), (1, ""))
        self.assertIn("missing: cannot be read", missing.stderr)

    def test_an_output_file_is_replaced_only_by_all_answers(self) -> None:
        cases, output = self.directory / "cases", self.directory / "answers"
        cases.write_text(SAMPLES["dice"])
        output.write_text("old")
        hanging = self.directory / "hanging"
        splits = f'case "$*" in *--split*) exec "{PROGRAMS / "tabletop"}" "$@";; esac'
        hanging.write_text(f"#!/bin/sh\n{splits}\nexec sleep 100\n")
        hanging.chmod(0o755)
        more = ["-o", str(output), "--retries", "0"]
        late = self.answer("dice", [cases], "1", [*more, "--program", str(hanging), "--timeout", "1"])
        self.assertEqual((late.returncode, output.read_text()), (1, "old"))
        self.assertIn("hanging: no answer after 1 s", late.stderr)
        missing = self.answer("dice", [cases], "1", [*more, "--program", "no-such-program"])
        self.assertEqual((missing.returncode, output.read_text()), (1, "old"))
        self.assertRegex(missing.stderr, "no-such-program: cannot be run: .*, name it with --program")
        # A bad case in the middle: the answers before it would look like all answers.
        bad = self.directory / "bad"
        bad.write_text(SAMPLES["dice"] + "1\nnonsense\n1 2 3 4 5\n" + SAMPLES["dice"])
        refused = self.answer("dice", [bad], "1", more)
        self.assertEqual((refused.returncode, refused.stdout, output.read_text()), (2, "", "old"))
        self.assertIn(f"{bad}, case 4, line 12: ", refused.stderr)
        answered = self.answer("dice", [cases], "1", more)
        self.assertEqual((answered.returncode, answered.stdout), (0, ""), answered.stderr)
        self.assertEqual(len(output.read_text().splitlines()), 3)
        # The input, also under another name.
        link = self.directory / "link"
        os.link(cases, link)
        for own in (cases, link):
            refused = self.answer("dice", [bad, cases], "1", ["-o", str(own)])
            self.assertEqual((refused.returncode, cases.read_text()), (2, SAMPLES["dice"]))
            self.assertIn(f"{own}: is the input and the output", refused.stderr)
        self.assertEqual([path.name for path in self.directory.glob(".answers*")], [])

    def test_positions_of_a_game_program_are_answered_in_order(self) -> None:
        # The example of the document.
        document = (ROOT / "docs/game-programs.md").read_text()
        nim, file = self.directory / "nim.py", self.directory / "positions"
        nim.write_text(document.split("```python\n")[1].split("```")[0])
        file.write_text("".join(f"{left}\n\n" for left in range(1, 10)))
        command = [sys.executable, str(SCRIPT), "answer", "--game", str(nim), str(file)]
        command += ["--scheduler", self.scheduler.address, "--cases"]
        expected = "".join(f"{1 if left % 4 else -1}\n" for left in range(1, 10))
        for cases in ("1", "4", "100"):
            answered = subprocess.run([*command, cases], capture_output=True, text=True, check=False, timeout=100)
            self.assertEqual((answered.returncode, answered.stdout), (0, expected), answered.stderr)
        file.write_text("5\n\nmany\n7\n")
        for cases in ("1", "100"):
            refused = subprocess.run([*command, cases], capture_output=True, text=True, check=False, timeout=100)
            self.assertEqual((refused.returncode, refused.stdout), (2, "1\n"))
            message = f"tabletop: {file}, case 2, line 3: 'many' is no heap, write a number of matches"
            self.assertEqual(refused.stderr.strip(), message)
        nim.write_text("print('hello')\n")
        broken = subprocess.run([*command, "1"], capture_output=True, text=True, check=False, timeout=100)
        self.assertEqual((broken.returncode, broken.stdout), (1, ""))
        self.assertIn("nim.py does not speak the protocol", broken.stderr)

    def test_a_game_of_the_kit_is_found_beside_tabletop(self) -> None:
        # Not on PATH.
        programs, file = self.directory / "programs", self.directory / "positions"
        programs.mkdir()
        shutil.copy(PROGRAMS / "tabletop", programs)
        game = shutil.copy(EXAMPLES / "shut-the-box", programs / "tabletop-shut-the-box")
        subprocess.run([game, "solve"], cwd=self.directory, capture_output=True, check=True, timeout=100)
        tables = ["--tables", str(self.directory / "tables")]
        positions = ["123456789", "12459", "2", "12"]
        file.write_text("".join(f"{position}\n" for position in positions))
        ask = ([game, "ask", position, *tables] for position in positions)
        expected = "".join(subprocess.check_output(command, text=True, timeout=100) for command in ask)
        command = [sys.executable, str(SCRIPT), "answer", "--game", "shut-the-box", str(file), "--cases", "3", *tables]
        command += ["--scheduler", self.scheduler.address, "--program", str(programs / "tabletop")]
        answered = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
        self.assertEqual((answered.returncode, answered.stdout), (0, expected), answered.stderr)

    def test_a_pipe_is_answered_like_a_file(self) -> None:
        pipe = self.directory / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_text, args=[SAMPLES["dice"] * 50])
        writer.start()
        answered = self.answer("dice", [pipe], "7")
        writer.join()
        self.assertEqual((answered.returncode, len(answered.stdout.splitlines())), (0, 150), answered.stderr)

    def answer(self, game: str, files: list[Path], cases: str, more: Sequence[str] = ()) -> Ended:
        command = [sys.executable, str(SCRIPT), "answer", game, *map(str, files), "--cases", cases]
        command += ["--scheduler", self.scheduler.address, "--program", str(PROGRAMS / "tabletop")]
        command += ["--tables", str(ROOT / "tables"), *more]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)


class FakeClient:
    """A cluster of one worker that records the submitted steps."""

    def __init__(self) -> None:
        self.submitted: list[tuple[object, ...]] = []

    def scheduler_info(self, n_workers: int) -> dict[str, object]:
        assert n_workers == -1, "all workers"
        return {"workers": {"tcp://127.0.0.1:1": {"nthreads": 1}}}

    def submit(self, *task: object, **_: object) -> None:
        self.submitted.append(task)


class UnitTest(unittest.TestCase):
    def test_a_suspect_gets_a_step_if_there_is_no_other_worker(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            options = argparse.Namespace(work=directory, program="x", effort=None, turns=1, timeout=1)
            breeding = cluster.Breeding(options, suspects={"tcp://127.0.0.1:1"})
            breeding.waiting.append(cluster.Board("a", "a.board", 0, 60))
            client = FakeClient()
            breeding.submit(cast(Client, client))
            self.assertEqual((len(client.submitted), len(breeding.steps)), (1, 1))

    def test_a_full_disk_is_not_a_lost_cluster(self) -> None:
        self.assertFalse(issubclass(FileNotFoundError, cluster.LOST))
        self.assertFalse(isinstance(OSError(28, "No space left on device"), cluster.LOST))
        local = argparse.Namespace(local=2, scheduler=None)
        self.assertNotIn("None", cluster.lost_message(local, TimeoutError("no worker")))


class LocalClusterTest(unittest.TestCase):
    def test_a_second_generation_is_bred_after_its_parents(self) -> None:
        effort = ["--effort", "6000"]
        kinds = {"": 2, "ending-": 8, "short-ending-": 4}
        parents = [f"ru-9-{kind}6000-{number}" for kind, count in kinds.items() for number in range(1, count + 1)]
        child = "ru-9-generation2-6000-1"
        with tempfile.TemporaryDirectory() as directory:
            single, work, out = (Path(directory, name) for name in ("single", "work", "out"))
            generator = [str(PROGRAMS / "tabletop-gen"), "boards", *effort]
            generator += ["--work", str(single)]
            for name in [*parents, child]:
                subprocess.run([*generator, "--only", name], check=True, stdout=subprocess.DEVNULL)
            command = [sys.executable, str(SCRIPT), "boards", "--local", "2", *effort, *only([child, *parents])]
            command += ["--turns", "60", "--program", str(PROGRAMS / "tabletop-gen")]
            command += ["--work", str(work), "--out", str(out)]
            bred = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
            self.assertEqual(bred.returncode, 0, bred.stderr)
            kept = re.findall(r"^tabletop: kept (\S+) 60/60$", bred.stderr, re.MULTILINE)
            self.assertEqual((sorted(kept[:-1]), kept[-1]), (sorted(parents), child))
            contents = ({path.name: path.read_bytes() for path in boards.iterdir()} for boards in (single, work))
            self.assertEqual(*contents)

    def test_stages_are_solved_to_the_bytes_of_one_process_with_a_killed_worker(self) -> None:
        game = EXAMPLES / "royal-game-of-ur"
        with tempfile.TemporaryDirectory() as directory:
            single, shared, broken = (Path(directory, name) for name in ("single", "shared", "broken"))
            subprocess.run([game, "solve", "--out", single], check=True, stdout=subprocess.DEVNULL)
            # The first run of a stage kills its worker, and the second one solves it.
            broken.write_text(
                f"#!/bin/sh\ncase \"$*\" in *'--only 66'*) mkdir '{directory}/once' && kill -9 $PPID;; esac\n"
                f"exec '{game}' \"$@\"\n"
            )
            broken.chmod(0o755)
            command = [sys.executable, str(SCRIPT), "solve", str(broken), "--out", str(shared), "--local", "2"]
            solved = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
            self.assertEqual(solved.returncode, 0, solved.stderr)
            self.assertTrue(Path(directory, "once").exists(), "no worker was killed")
            self.assertEqual(len(re.findall(r"^tabletop: solved stage", solved.stderr, re.MULTILINE)), 6)
            tables = ({path.name: path.read_bytes() for path in tables.iterdir()} for tables in (single, shared))
            self.assertEqual(*tables)

    def test_a_local_cluster_answers_and_a_missing_program_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory, "cases")
            file.write_text(SAMPLES["dice"])
            command = [sys.executable, str(SCRIPT), "answer", "dice", str(file), "--local", "1"]
            command += ["--program", str(PROGRAMS / "tabletop"), "--tables", str(ROOT / "tables")]
            answered = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
            self.assertEqual((answered.returncode, len(answered.stdout.splitlines())), (0, 3), answered.stderr)
            command = [sys.executable, str(SCRIPT), "boards", "--local", "1", "--program", "no-such-program"]
            refused = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("no-such-program: cannot be run", refused.stderr)


if __name__ == "__main__":
    unittest.main()
