"""Chromium without a window, told what to do through the pipe of its DevTools protocol: no port, no network."""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from tests.support import foreign

LIMIT_S = 20.0
FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--use-angle=swiftshader",  # WebGL on the processor, so that pictures are the same everywhere
    "--enable-unsafe-swiftshader",
    "--disable-gpu-sandbox",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-dev-shm-usage",
    "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
)

WIRE = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]  # out of the way of 3 and 4
for end, number in zip(ends, (3, 4)):
    os.dup2(end, number)
os.execvp(sys.argv[3], sys.argv[3:])
"""
"""The browser reads the protocol from descriptor 3 and writes it to 4; two are given that become these."""

KEYS = {" ": "Space", "Enter": "Enter", "Home": "Home", "End": "End", "Tab": "Tab", "Escape": "Escape"}
CODES = {" ": 32, "Enter": 13, "Home": 36, "End": 35, "Tab": 9, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38,
         "ArrowRight": 39, "ArrowDown": 40}  # fmt: skip


def fonts_of(folder: Path) -> Path:
    """Make it a world with our fonts alone, so that texts are as wide everywhere; without any it would not start."""
    fonts, cache = foreign.ROOT / "assets" / "third_party" / "fonts", folder / "fonts"
    path = folder / "fonts.conf"
    path.write_text(f"<fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>", encoding="utf-8")
    return path


class Browser:
    """A browser of its own; `open` gives a page of it. Use it in a ``with`` block."""

    def __init__(self, folder: Path) -> None:
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        command = [foreign.chromium(), *FLAGS, f"--user-data-dir={folder}", "about:blank"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")  # it refuses to start for root otherwise
        wired = [sys.executable, "-c", WIRE, str(theirs_in), str(theirs_out), *command]
        self._process = subprocess.Popen(
            wired,
            pass_fds=(theirs_in, theirs_out),
            env=os.environ | {"FONTCONFIG_FILE": str(fonts_of(folder))},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._buffer = bytearray()
        self._count = 0
        self._texts: dict[str, str] = {}
        self.events: deque[dict[str, Any]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.send("Browser.close")
        self._process.wait(LIMIT_S)
        os.close(self._in)
        os.close(self._out)

    def send(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its result; events that come meanwhile are kept."""
        number = self._post(method, session, params)
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def _post(self, method: str, session: str | None, params: dict[str, Any]) -> int:
        """Send a message without waiting for its answer; return its number."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        return self._count

    def _answer_request(self, event: dict[str, Any]) -> None:
        """Answer a request of a page from the texts of its site."""
        request = event["params"]
        text = self._texts.get(request["request"]["url"].partition("#")[0], "")
        answer = {
            "requestId": request["requestId"],
            "responseCode": 200,
            "responseHeaders": [{"name": "Content-Type", "value": "text/html; charset=utf-8"}],
            "body": base64.b64encode(text.encode()).decode(),
        }
        self._post("Fetch.fulfillRequest", event["sessionId"], answer)

    def receive(self) -> dict[str, Any]:
        """Return the next message; a request of a page is answered."""
        while b"\0" not in self._buffer:
            if not select.select([self._in], [], [], LIMIT_S)[0]:
                raise TimeoutError(f"Chromium has said nothing for {LIMIT_S:g} s.")
            data = os.read(self._in, 1 << 20)
            if not data:
                raise RuntimeError("Chromium has ended.")
            self._buffer += data
        end = self._buffer.index(b"\0")
        message = json.loads(self._buffer[:end])
        del self._buffer[: end + 1]
        if message.get("method") == "Fetch.requestPaused":
            self._answer_request(message)
        return message

    def open(
        self, path: Path, size: tuple[int, int] = (1280, 720), *, is_reduced: bool = False, scheme: str = "dark"
    ) -> Page:
        """Open a file with the network off, and wait until it is there; `scheme` is what its viewer likes."""
        return Page(self, path.as_uri(), size, is_reduced=is_reduced, scheme=scheme)

    def open_site(self, texts: Mapping[str, str], size: tuple[int, int], *, is_reduced: bool = True) -> Page:
        """Open the first of some pages by their addresses. Requests are answered from the texts, with no network."""
        self._texts = dict(texts)
        return Page(self, next(iter(texts)), size, is_reduced=is_reduced, scheme="dark", has_site=True)


class Page:
    """A page, and all that it asked for, said and got wrong."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        size: tuple[int, int],
        *,
        is_reduced: bool,
        scheme: str,
        has_site: bool = False,
    ) -> None:
        self._browser = browser
        self._contexts: dict[str, int] = {}
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self._target = target
        self._session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.requests: list[str] = []
        self.complaints: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
        self.resize(size)
        self.prefer(scheme, is_reduced=is_reduced)
        if has_site:
            self.send("Fetch.enable")
        self.send("Page.navigate", url=address)
        self.wait_until("document.readyState === 'complete'")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method of the protocol for this page."""
        result = self._browser.send(method, self._session, **params)
        self._take_events()
        return result

    def _take_events(self) -> None:
        events = self._browser.events
        while events:
            event = events.popleft()
            said = event.get("params", {})
            match event.get("method"):
                case "Network.requestWillBeSent":
                    self.requests.append(said["request"]["url"])
                case "Runtime.consoleAPICalled":
                    self.complaints.append(f"{said['type']}: {[arg.get('value') for arg in said['args']]}")
                case "Runtime.exceptionThrown":
                    details = said["exceptionDetails"]
                    self.complaints.append(details.get("exception", {}).get("description", details["text"]))
                case "Runtime.executionContextCreated" if said["context"]["auxData"]["isDefault"]:
                    self._contexts[said["context"]["auxData"]["frameId"]] = said["context"]["id"]
                case "Log.entryAdded":
                    self.complaints.append(f"{said['entry']['level']}: {said['entry']['text']}")

    def evaluate_in_frame(self, code: str) -> Any:
        """Return the value of an expression in the first frame of the page, of whatever origin."""
        children = self.send("Page.getFrameTree")["frameTree"].get("childFrames", [])
        context = self._contexts.get(children[0]["frame"]["id"]) if children else None
        return None if context is None else self.evaluate(code, contextId=context)

    def evaluate(self, code: str, **where: Any) -> Any:
        """Return the value of an expression; promises are awaited."""
        done = self.send("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True, **where)
        if "exceptionDetails" in done:
            raise RuntimeError(done["exceptionDetails"].get("exception", {}).get("description", "it threw"))
        return done["result"].get("value")

    def wait_until(self, code: str, *, is_in_frame: bool = False) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + LIMIT_S
        evaluate = self.evaluate_in_frame if is_in_frame else self.evaluate
        while not evaluate(code):
            if time.monotonic() > end:
                raise TimeoutError(f"This never became true: {code}")
            self.next_picture()

    def next_picture(self) -> None:
        """Wait until what changed is drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def reload(self) -> None:
        """Load it anew; what is asked of it next is asked of the new one."""
        self.send("Page.reload")
        event = self._browser.receive()
        while (event.get("method"), event.get("sessionId")) != ("Page.loadEventFired", self._session):
            self._browser.events.append(event)
            event = self._browser.receive()

    def follow(self, link: str) -> None:
        """Follow a link into the page (what stands after its #), until what it sets is drawn."""
        self.evaluate(
            f"new Promise(done => {{ const there = new URL({'#' + link!r}, location.href).hash;"
            " if (there === location.hash) return done(1);"
            " addEventListener('hashchange', () => done(1), {once: true});"
            " location.hash = there; })"
        )
        self.next_picture()
        self.next_picture()

    def resize(self, size: tuple[int, int], ratio: float = 1.0, *, is_mobile: bool = False) -> None:
        """Take another size."""
        width, height = size
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=ratio, mobile=is_mobile,
        )  # fmt: skip

    def prefer(self, scheme: str, *, is_reduced: bool) -> None:
        """Let the viewer like a dark or a light page, and one that stands still or moves."""
        liked = {"color-scheme": scheme, "reduced-motion": "reduce" if is_reduced else "no-preference"}
        features = [{"name": f"prefers-{name}", "value": value} for name, value in liked.items()]
        self.send("Emulation.setEmulatedMedia", features=features)

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press and let go of a key."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        code = CODES.get(key, ord(key.upper()[0]) if len(key) == 1 else 0)
        common = {"key": key, "code": KEYS.get(key, key), "windowsVirtualKeyCode": code, "modifiers": 8 * shift}
        self.send("Input.dispatchKeyEvent", type="keyDown", **common, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)
        self.next_picture()

    def type(self, text: str) -> None:
        """Write text where the focus is."""
        self.send("Input.insertText", text=text)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """Send one event of the mouse."""
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, start: tuple[float, float], end: tuple[float, float], button: str = "left") -> None:
        """Drag the mouse."""
        buttons = {"left": 1, "right": 2}[button]
        self.mouse("mousePressed", *start, button=button, buttons=buttons, clickCount=1)
        self.mouse("mouseMoved", (start[0] + end[0]) / 2, (start[1] + end[1]) / 2, button=button, buttons=buttons)
        self.mouse("mouseMoved", *end, button=button, buttons=buttons)
        self.mouse("mouseReleased", *end, button=button, clickCount=1)
        self.next_picture()

    def touch(self, *moves: list[tuple[float, float]]) -> None:
        """Put fingers down, move them, and lift them."""
        kinds = ["touchStart", *["touchMove"] * (len(moves) - 1)]
        for kind, fingers in zip(kinds, moves, strict=True):
            points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(fingers)]
            self.send("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.next_picture()

    def click(self, selector: str) -> None:
        """Click into the middle of an element."""
        box = self.box(selector)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", buttons=1, clickCount=1)
        self.next_picture()

    def box(self, selector: str) -> dict[str, float]:
        """Return place and size of an element."""
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).getBoundingClientRect().toJSON()")

    def picture(self) -> bytes:
        """Return what is seen, as PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        """Close the page."""
        self._browser.send("Target.closeTarget", targetId=self._target)
