#!/usr/bin/env python3
"""Tests of `loopsim play`: the program serves on a port that is free, and is asked as browsers, other sites and others ask.

    server.py --program build/loopsim [--playground build/tools/page/play.html] [TEST...]

What is served is a small page of this test (--page), and, with --playground, the one that was built. Exit status: 0 or 1.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = ""
PLAYGROUND: Path | None = None
PATIENCE = 10  # seconds, of the server
MOST, MOST_REFUSED = 64, 64
TIMEOUT = 60
PAGE = """<html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:"></head>
<div id="play"></div></html>
"""
SERVED = PAGE.replace("<head>", '<head><meta name="loopsim-file" content="app.js">').replace("'none';", "'none'; connect-src 'self';")
SAFE = ["X-Frame-Options: DENY", "Content-Security-Policy: {policy}", "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Resource-Policy: same-origin", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff"]


def headers(policy: str) -> list[str]:
    return ["Cache-Control: no-store", *(line.format(policy=policy) for line in SAFE)]


OF_PAGE = [*headers("frame-ancestors 'none'"), "Content-Type: text/html; charset=utf-8"]
OF_TEXT = [*headers("default-src 'none'; frame-ancestors 'none'"), "Content-Type: text/plain; charset=utf-8"]


class Play:
    """`loopsim play` with the words, until the block ends; it has to end well."""

    def __init__(self, *words: str, **options: object) -> None:
        self.process = subprocess.Popen([PROGRAM, "play", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        **options)
        self.address = self.process.stdout.readline().decode()
        if not self.address.startswith("http://127.0.0.1:"):
            raise AssertionError(f"{words}: {self.address!r} {self.process.stderr.read().decode()}")
        self.port = int(self.address.split(":")[2].split("/")[0])
        self.host = f"Host: 127.0.0.1:{self.port}"

    def __enter__(self) -> Play:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        status, said = self.end(signal.SIGTERM)
        if kind is None and (status, said) != (0, (b"", b"")):
            raise AssertionError(f"it ended with {status} and said {said}")

    def end(self, by: signal.Signals) -> tuple[int, tuple[bytes, bytes]]:
        if self.process.poll() is None:
            self.process.send_signal(by)
        said = self.process.communicate(timeout=TIMEOUT)
        return self.process.returncode, said

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT)

    def ask(self, *lines: str, content: bytes = b"") -> str:
        """What a connection answers to one request, until it ends."""
        with self.connect() as connection:
            connection.sendall("".join(f"{line}\r\n" for line in (*lines, "")).encode() + content)
            return everything(connection)

    def get(self, target: str, *lines: str, method: str = "GET") -> str:
        return self.ask(f"{method} {target} HTTP/1.1", self.host, "Connection: close", *lines)


def everything(connection: socket.socket) -> str:
    pieces = []
    while piece := connection.recv(65536):
        pieces.append(piece)
    return b"".join(pieces).decode()


def one_answer(connection: socket.socket) -> str:
    """Of a connection that stays: the header, and as much as it says."""
    text = b""
    while b"\r\n\r\n" not in text:
        piece = connection.recv(1)
        if not piece:
            return text.decode()
        text += piece
    length = next((int(line[15:]) for line in text.decode().split("\r\n") if line.startswith("Content-Length:")), 0)
    while length and (piece := connection.recv(length)):
        text += piece
        length -= len(piece)
    return text.decode()


def answer(status: str, lines: list[str], text: str, *more: str, stays: bool = False, shown: bool = True, version: str = "1.1") -> str:
    """A whole answer."""
    length = [f"Content-Length: {len(text.encode())}"] if not status.startswith("304") else []
    connection = [] if stays == (version == "1.1") else ["Connection: keep-alive" if stays else "Connection: close"]
    return "\r\n".join([f"HTTP/{version} {status}", *connection, *lines, *more, *length, "", text if shown else ""])


def refusal(status: str, text: str, *more: str, **how: object) -> str:
    return answer(status, OF_TEXT, text + "\n", *more, **how)


class Server(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="loopsim-play-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.page = self.folder / "page.html"
        self.page.write_text(PAGE)
        self.file = self.folder / "app.js"
        self.file.write_text("console.log(1);\n")

    def play(self, *words: str, **options: object) -> Play:
        return Play(str(self.file), "--no-open", "--page", str(self.page), *words, **options)

    def fails(self, *words: str, status: int = 2, **options: object) -> str:
        done = subprocess.run([PROGRAM, "play", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT,
                              check=False, **options)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        return done.stderr

    # ---- answers ----------------------------------------------------------------------------------------------------------------

    def test_page_and_file(self) -> None:
        with self.play() as server:
            self.assertEqual(server.address, f"http://127.0.0.1:{server.port}/   (Ctrl+C ends)\n")
            self.assertEqual(server.get("/"), answer("200 OK", OF_PAGE, SERVED))
            file = server.get("/file", "Sec-Fetch-Site: same-origin", f"Origin: http://127.0.0.1:{server.port}")
            tag = next(line for line in file.split("\r\n") if line.startswith("ETag: "))
            self.assertEqual(file, answer("200 OK", OF_TEXT, "console.log(1);\n", tag))
            unchanged = answer("304 Not Modified", OF_TEXT[:-1], "", tag)
            self.assertEqual(server.get("/file", tag.replace("ETag", "If-None-Match")), unchanged)
            self.assertEqual(server.get("/", method="HEAD"), answer("200 OK", OF_PAGE, SERVED, shown=False))
            self.assertEqual(server.get("/file", method="HEAD"), answer("200 OK", OF_TEXT, "console.log(1);\n", tag, shown=False))
            self.assertEqual(server.get("/other", method="HEAD"), refusal("404 Not Found", "there is no such page", shown=False))
            self.assertEqual(server.get("/other"), refusal("404 Not Found", "there is no such page"))

    def test_connection_that_stays(self) -> None:
        with self.play() as server, server.connect() as connection:
            for _ in range(3):
                connection.sendall(f"GET / HTTP/1.1\r\n{server.host}\r\n\r\n".encode())
                self.assertEqual(one_answer(connection), answer("200 OK", OF_PAGE, SERVED, stays=True))
            two = ("HEAD / HTTP/1.1", server.host, "", "GET /no HTTP/1.1", server.host, "Connection: close", "", "")
            connection.sendall("\r\n".join(two).encode())
            self.assertEqual(everything(connection), answer("200 OK", OF_PAGE, SERVED, stays=True, shown=False) +
                             refusal("404 Not Found", "there is no such page"))
        with self.play() as server:
            self.assertEqual(server.ask("GET / HTTP/1.0", server.host), answer("200 OK", OF_PAGE, SERVED, version="1.0"))
            with server.connect() as connection:
                connection.sendall(f"GET / HTTP/1.0\r\n{server.host}\r\nConnection: keep-alive\r\n\r\n".encode())
                self.assertEqual(one_answer(connection), answer("200 OK", OF_PAGE, SERVED, version="1.0", stays=True))

    def test_other_names_and_origins(self) -> None:
        with self.play() as server:
            wrong = refusal("421 Misdirected Request", f"this is http://127.0.0.1:{server.port}/, and is asked by no other name")
            for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", f"[::1]:{server.port}", ""):
                for target in ("/", "/file"):
                    self.assertEqual(server.ask(f"GET {target} HTTP/1.1", f"Host: {host}", "Connection: close"), wrong)
            one = refusal("400 Bad Request", "a request has one Host")
            self.assertEqual(server.ask("GET / HTTP/1.1", "Connection: close"), one)
            self.assertEqual(server.ask("GET / HTTP/1.1", server.host, "Host: evil.example", "Connection: close"), one)
            other = refusal("403 Forbidden", "pages of other origins are not answered")
            for line in ("Origin: http://evil.example", "Origin: null", f"Origin: https://127.0.0.1:{server.port}",
                         "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"):
                self.assertEqual(server.get("/file", line), other)
            # What a browser asks before another origin's request.
            before = ("Origin: http://evil.example", "Access-Control-Request-Method: GET")
            self.assertEqual(server.get("/file", *before, method="OPTIONS"), other)

    def test_other_methods(self) -> None:
        not_allowed = refusal("405 Method Not Allowed", "GET and HEAD are all that there is", "Allow: GET, HEAD")
        with self.play() as server:
            for method in ("POST", "PUT", "DELETE", "OPTIONS", "BREW"):
                self.assertEqual(server.get("/", method=method), not_allowed)
            # With content, which is not read; a client that sends all of it first sees the answer.
            for size in (1, 1000, 4 << 20):
                lines = ("POST / HTTP/1.1", server.host, f"Content-Length: {size}")
                self.assertEqual(server.ask(*lines, content=b"x" * size), not_allowed)
            chunked = ("POST / HTTP/1.1", server.host, "Transfer-Encoding: chunked")
            self.assertEqual(server.ask(*chunked, content=b"5\r\nhello\r\n0\r\n\r\n"), not_allowed)
            self.assertEqual(server.ask("POST / HTTP/1.1", server.host, "Content-Length: 5", "Expect: 100-continue"), not_allowed)
            # What stands behind content is no request.
            hidden = f"GET /file HTTP/1.1\r\n{server.host}\r\n\r\n".encode()
            self.assertEqual(server.ask("GET / HTTP/1.1", server.host, f"Content-Length: {len(hidden)}", content=hidden),
                             refusal("400 Bad Request", "a question has no content here"))
            self.assertEqual(server.get("/", "Content-Length: 0"), answer("200 OK", OF_PAGE, SERVED))

    def test_wrong_requests(self) -> None:
        malformed = refusal("400 Bad Request", "this is no request of HTTP")
        long = refusal("414 URI Too Long", "the address is too long")
        header = refusal("431 Request Header Fields Too Large", "the header is too long")
        version = refusal("505 HTTP Version Not Supported", "HTTP/1.1 and HTTP/1.0 are all that there is")
        with self.play() as server:
            for lines in (("hello",), ("GET  / HTTP/1.1", server.host), ("GET /",), ("", "GET / HTTP/1.1"),
                          ("GET / HTTP/1.1", "Host 127.0.0.1"), ("GET / HTTP/1.1", server.host, "Content-Length: 1, 2"),
                          ("GET / HTTP/1.1", server.host, "Content-Length: x"), ("GET /\x01 HTTP/1.1", server.host)):
                self.assertEqual(server.ask(*lines), malformed, lines)
            with server.connect() as connection:  # ends within a request
                connection.sendall(b"GET / HT")
                connection.shutdown(socket.SHUT_WR)
                self.assertEqual(everything(connection), malformed)
            for text in ("HTTP/2.0", "HTTP/0.9", "HTTP/1.2", "HTTP/3.1", "FTP/1.1"):
                self.assertEqual(server.ask(f"GET / {text}", server.host), version)
            self.assertEqual(server.get(f"/{'x' * 8000}"), long)
            self.assertEqual(server.get(f"/{'x' * 7999}"), refusal("404 Not Found", "there is no such page"))
            self.assertEqual(server.get(f"/{'x' * (1 << 20)}"), long)
            self.assertEqual(server.get("/", f"X: {'x' * 16384}"), header)
            self.assertEqual(server.get("/", *(["X: y"] * 4000)), header)
            self.assertEqual(server.get("/", f"X: {'x' * (1 << 20)}"), header)
            self.assertEqual(server.get("/", f"X: {'x' * 15000}"), answer("200 OK", OF_PAGE, SERVED))

    # ---- the file ---------------------------------------------------------------------------------------------------------------

    def test_file_that_changes(self) -> None:
        with self.play() as server:
            def said() -> str:
                return server.get("/file").split("\r\n\r\n")[1]

            def refused(status: str, why: str) -> None:
                self.assertEqual(server.get("/file"), refusal(status, f"could not read {self.file}: {why}"))

            tags = set()
            for text in ("1;\n", "2;\n", ""):
                self.file.write_text(text)
                self.assertEqual(said(), text)
                tags.add(server.get("/file").split("ETag: ")[1].split("\r\n")[0])
            self.assertEqual(len(tags), 3)
            other = self.folder / ".app.js.swp"
            other.write_text("3;\n")
            other.rename(self.file)
            self.assertEqual(said(), "3;\n")
            self.file.unlink()
            refused("404 Not Found", "No such file or directory")
            self.file.mkdir()
            refused("500 Internal Server Error", "Is a directory")
            self.file.rmdir()
            os.mkfifo(self.file)
            refused("500 Internal Server Error", "it is no regular file")
            self.file.unlink()
            with self.file.open("wb") as file:
                file.truncate((16 << 20) + 1)
            refused("500 Internal Server Error", "it is longer than 16 MiB")
            self.file.unlink()
            self.file.symlink_to(self.file)
            refused("500 Internal Server Error", "Too many levels of symbolic links")
            self.file.unlink()
            self.file.write_text("4;\n")
            self.assertEqual(said(), "4;\n")

    def test_file_that_cannot_be_followed(self) -> None:
        def says(path: Path, why: str) -> None:
            self.assertEqual(self.fails(str(path), "--no-open", "--page", str(self.page)), f"loopsim: could not read {path}: {why}\n")

        says(self.folder / "missing.js", "No such file or directory")
        says(self.folder, "Is a directory")
        os.mkfifo(self.folder / "pipe.js")
        says(self.folder / "pipe.js", "it is no regular file")
        with (self.folder / "long.js").open("wb") as file:
            file.truncate((16 << 20) + 1)
        says(self.folder / "long.js", "it is longer than 16 MiB")

    # ---- clients that are slow, or many -----------------------------------------------------------------------------------------

    def test_slow_clients(self) -> None:
        big = "x" * (16 << 20)
        self.file.write_text(big)
        with self.play() as server, contextlib.ExitStack() as stack:
            begun, silent, dripping, reader = (stack.enter_context(server.connect()) for _ in range(4))
            start = time.monotonic()
            begun.sendall(b"GET / HTTP/1.1\r\n")
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
            reader.sendall(f"GET /file HTTP/1.1\r\n{server.host}\r\nConnection: close\r\n\r\n".encode())
            # One that sends a little all the time does not get more time; one that takes a little all the time does.
            taken = 0
            dripping.sendall(b"GET / HTTP/1.1\r\n")
            while time.monotonic() < start + PATIENCE + 2:
                with contextlib.suppress(OSError):
                    dripping.sendall(b"X: y\r\n")
                taken += len(reader.recv(200000))
                time.sleep(0.2)
            late = refusal("408 Request Timeout", "the request did not come in time")
            self.assertEqual(everything(begun), late)
            self.assertEqual(one_answer(dripping), late)
            self.assertEqual(everything(silent), "")
            self.assertEqual(len(everything(reader)) + taken, len(answer("200 OK", OF_TEXT, big, 'ETag: "' + 32 * "0" + '"')))

    def test_many_connections(self) -> None:
        ok = answer("200 OK", OF_PAGE, SERVED, stays=True)
        with self.play() as server, contextlib.ExitStack() as stack:
            request = f"GET / HTTP/1.1\r\n{server.host}\r\n\r\n".encode()
            held = [stack.enter_context(server.connect()) for _ in range(MOST)]
            for connection in held:
                connection.sendall(request)
                self.assertEqual(one_answer(connection), ok)
            for _ in range(3):
                self.assertEqual(server.get("/"), refusal("503 Service Unavailable", "there are too many connections"))
            held.pop().close()
            deadline = time.monotonic() + TIMEOUT
            while (text := server.get("/")) != answer("200 OK", OF_PAGE, SERVED):
                self.assertEqual(text, refusal("503 Service Unavailable", "there are too many connections"))
                self.assertLess(time.monotonic(), deadline)
            # More than are answered at a time wait for their turn.
            crowd = [stack.enter_context(server.connect()) for _ in range(MOST + 2 * MOST_REFUSED)]
            for connection in crowd:
                connection.sendall(request)
            for connection in (*held, *crowd[: len(crowd) // 2]):
                connection.close()
            for connection in crowd[len(crowd) // 2 :]:
                self.assertIn(one_answer(connection).split("\r\n")[0], ("HTTP/1.1 200 OK", "HTTP/1.1 503 Service Unavailable"))

    def test_no_more_files(self) -> None:
        """Where no connection can be taken it waits, and does not spin."""
        few = 16
        with (self.play(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (few, few))) as server,
              contextlib.ExitStack() as stack):
            held = [stack.enter_context(server.connect()) for _ in range(few)]
            time.sleep(2)
            ticks = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
            self.assertLess(sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"), 0.5)
            for connection in held:
                connection.close()
            self.assertEqual(server.get("/"), answer("200 OK", OF_PAGE, SERVED))

    # ---- beginning and end ------------------------------------------------------------------------------------------------------

    def test_loopback_alone(self) -> None:
        with self.play() as server:
            for address in ("127.0.0.2", "::1"):
                with self.assertRaises(OSError):
                    socket.create_connection((address, server.port), timeout=TIMEOUT)
            for table in ("tcp", "tcp6"):
                rows = [line.split() for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]]
                local = {row[1] for row in rows if row[3] == "0A" and row[1].endswith(f":{server.port:04X}")}
                self.assertEqual(local, {f"0100007F:{server.port:04X}"} if table == "tcp" else set())

    def test_ports(self) -> None:
        with self.play() as server:
            port = server.port
            self.assertEqual(self.fails("--no-open", "--page", str(self.page), "--port", str(port)),
                             f"loopsim: could not serve on 127.0.0.1:{port}: Address already in use\n")
            server.get("/")
        with self.play("--port", str(port)) as server:  # at once, again
            self.assertEqual(server.port, port)
        for port in ("65536", "-1", "x", "80 "):
            self.assertEqual(self.fails("--no-open", "--page", str(self.page), f"--port={port}"),
                             f'loopsim: option --port takes a whole number from 0 to 65535, not "{port}"\nTry "loopsim play --help".\n')

    def test_end(self) -> None:
        for by in (signal.SIGINT, signal.SIGTERM):
            server = self.play()
            with server.connect() as waiting, server.connect() as begun:
                waiting.sendall(f"GET / HTTP/1.1\r\n{server.host}\r\n\r\n".encode())
                self.assertEqual(one_answer(waiting), answer("200 OK", OF_PAGE, SERVED, stays=True))
                begun.sendall(b"GET / HT")
                self.assertEqual(server.end(by), (0, (b"", b"")))
        self.assertEqual(self.play().end(signal.SIGINT), (0, (b"", b"")))  # at once

    def test_output_that_fails(self) -> None:
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "play", "--no-open", "--page", str(self.page)], stdin=subprocess.DEVNULL, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual((done.returncode, done.stderr), (4, "loopsim: could not write standard output: No space left on device\n"))

    def test_browser(self) -> None:
        told = self.folder / "told"
        opener = self.folder / "bin" / "xdg-open"
        opener.parent.mkdir()
        opener.write_text(f"#!/bin/sh\necho noise; echo noise >&2\necho \"$@\" > {told}.new && mv {told}.new {told}\n")
        opener.chmod(0o755)
        surroundings = {**os.environ, "PATH": f"{opener.parent}:{os.environ['PATH']}"}
        with Play(str(self.file), "--page", str(self.page), env=surroundings) as server:
            deadline = time.monotonic() + TIMEOUT
            while not told.exists() and time.monotonic() < deadline:
                time.sleep(0.02)
            self.assertEqual(told.read_text(), f"http://127.0.0.1:{server.port}/\n")
        told.unlink()
        with Play(str(self.file), "--page", str(self.page), "--no-open", env=surroundings) as server:
            server.get("/")
        self.assertFalse(told.exists())

    # ---- the site -----------------------------------------------------------------------------------------------------------------

    def write_site(self, folder: Path, **options: object) -> None:
        done = subprocess.run([PROGRAM, "play", "--page", str(self.page), "--output", str(folder)], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=TIMEOUT, check=False, **options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_site(self) -> None:
        site = self.folder / "site"
        self.write_site(site)
        self.assertEqual([(path.name, path.read_text()) for path in site.iterdir()], [("index.html", PAGE)])
        # Again, over what it has written, beside what others have.
        (site / "other.txt").write_text("kept")
        self.page.write_text(PAGE + "<!-- newer -->")
        self.write_site(site)
        self.assertEqual({path.name: path.read_text() for path in site.iterdir()},
                         {"index.html": PAGE + "<!-- newer -->", "other.txt": "kept"})
        os.mkdir(self.folder / "empty")
        self.write_site(self.folder / "empty")

    def test_site_that_cannot_be_written(self) -> None:
        def says(folder: Path, message: str, **options: object) -> None:
            self.assertEqual(self.fails("--page", str(self.page), "--output", str(folder), status=4, **options), f"loopsim: {message}\n")

        site = self.folder / "site"
        site.mkdir()
        index = site / "index.html"
        index.write_text("<p>My own page.</p>")
        says(site, f"{index} is there, and is no playground of loopsim: it stays as it is. Remove it, or name another folder")
        self.assertEqual(index.read_text(), "<p>My own page.</p>")
        says(self.file, f"could not write {self.file}: Not a directory")
        says(self.folder / "a" / "b", f"could not write {self.folder / 'a' / 'b'}: No such file or directory")

        # No space: what was there stays, and nothing else.
        index.write_text(PAGE)
        self.page.write_text(PAGE + "x" * 100000)

        def no_space() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))

        says(site, f"could not write {index}: File too large", preexec_fn=no_space)
        self.assertEqual([(path.name, path.read_text()) for path in site.iterdir()], [("index.html", PAGE)])
        index.unlink()
        index.mkdir()
        self.assertIn(f"could not read {index}: Is a directory", self.fails("--page", str(self.page), "--output", str(site), status=4))

    def test_usage(self) -> None:
        def says(message: str, *words: str) -> None:
            self.assertEqual(self.fails(*words), f'loopsim: {message}\nTry "loopsim play --help".\n')

        says("the site that --output writes has no file of its own", str(self.file), "--output", str(self.folder))
        says("option --port says where to serve, and --output serves nothing", "--port", "1", "--output", str(self.folder))
        says("play follows a file on the disk, and standard input is none", "-")
        self.assertEqual(self.fails("--page", str(self.file)), f"loopsim: {self.file} is no playground of loopsim\n")

    # ---- the playground that was built ---------------------------------------------------------------------------------------------

    def test_playground(self) -> None:
        if PLAYGROUND is None:
            self.skipTest("no playground was built")
        built = PLAYGROUND.read_text()
        with Play(str(self.file), "--no-open", "--page", str(PLAYGROUND)) as server:
            served = server.get("/").split("\r\n\r\n", 1)[1]
        self.assertIn('<meta name="loopsim-file" content="app.js">', served)
        policy = served.split('http-equiv="Content-Security-Policy" content="')[1].split('"')[0]
        self.assertIn("connect-src 'self'", policy)
        # Nothing else is different.
        self.assertEqual(served.replace('<meta name="loopsim-file" content="app.js">', "").replace(" connect-src 'self';", ""), built)
        site = self.folder / "site"
        self.page = PLAYGROUND
        self.write_site(site)
        self.assertEqual((site / "index.html").read_bytes(), PLAYGROUND.read_bytes())


def main() -> int:
    global PROGRAM, PLAYGROUND
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True, type=Path)
    options.add_argument("--playground", type=Path)
    options.add_argument("tests", nargs="*", help="names of tests, such as test_page_and_file")
    arguments = options.parse_args()
    PROGRAM = str(arguments.program.resolve())
    if arguments.playground and arguments.playground.exists() and arguments.playground.stat().st_size:
        PLAYGROUND = arguments.playground.resolve()
    names = [f"Server.{name}" for name in arguments.tests] or None
    return 0 if unittest.main(argv=[sys.argv[0]], defaultTest=names, exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
