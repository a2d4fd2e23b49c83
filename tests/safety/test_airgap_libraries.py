"""The checks 8 to 14 of the air gap (security.md 3.9): what libraries, names, texts and settings might do.

All but the last run without the filter: what it would catch is not even tried. Each as root and as an ordinary user,
and each with its control.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import re
import resource
import tomllib

from packaging.requirements import Requirement

from aria_desktop.safety.airgap_cloud import ENGINES
from tests.conftest import REPOSITORY
from tests.safety import test_airgap
from tests.safety.airgap_stage import ANSWER, LEAKS, SOUND, Canary, Person
from tests.safety.conftest import Tried
from tests.safety.test_airgap import CHECKS, SET, spoken_turn


def modules_of_dependencies() -> list[str]:
    """What can be imported of every package that the program requires on this system."""
    required = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    here = [each for each in map(Requirement, required) if each.marker is None or each.marker.evaluate()]
    names = {each.name.lower().replace("_", "-") for each in here}
    modules: dict[str, set[str]] = {name: set() for name in names}
    for module, owners in importlib.metadata.packages_distributions().items():
        for owner in owners:
            if (name := owner.lower().replace("_", "-")) in names and not module.startswith("_"):
                modules[name].add(module)
    assert all(modules.values()), modules
    found = sorted(module for each in modules.values() for module in each if importlib.util.find_spec(module))
    return [*found, "PySide6.QtWidgets", "ctranslate2"]


def test_08_importing_every_dependency_connects_to_nothing(someone: Person, listener: Canary, tried: Tried) -> None:
    load = "import importlib, sys\nfor name in sys.argv[2:]: importlib.import_module(name)\nprint('all of them')\n"
    modules = modules_of_dependencies()
    done = someone.python(load, "0", *modules, traced=True)
    assert done.stdout.endswith("all of them\n"), done.stderr
    escapes = someone.outward()
    someone.python(load + LEAKS["python"], str(listener.port), *modules, traced=True)
    assert someone.outward()
    assert listener.heard() == 1
    tried(SET, cases=1, controls=1, escapes=len(escapes), uid=someone.uid)


ASKS_A_HUB = """
import os, sys
os.environ["HF_HUB_OFFLINE"] = "0"
from faster_whisper import WhisperModel
WhisperModel("tiny.en", download_root=sys.argv[1])
"""


def test_09_a_first_load_without_a_model_says_so_and_asks_nobody(someone: Person, tried: Tried) -> None:
    models = {"ARIA_MODELS": str(someone.home / "models"), "HF_HUB_OFFLINE": "0"}
    before = cpu_of_children()
    quick = someone.aria("ask", "hello", env=models)
    assert cpu_of_children() - before < 2.0
    assert quick.returncode == 3
    assert "Fetch it: aria models fetch" in quick.stdout
    traced = someone.aria("ask", "hello", sealed=False, traced=True, env=models)
    assert traced.stdout.splitlines()[-1] == quick.stdout.splitlines()[-1]
    escapes = someone.outward()
    someone.python(ASKS_A_HUB, str(someone.home / "hub"), traced=True, cut=True)
    assert someone.outward()
    tried(SET, cases=1, controls=1, escapes=len(escapes), uid=someone.uid)


def cpu_of_children() -> float:
    """Seconds of processor time, which a busy machine does not make longer."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


OPENS = "import av, sys\ntry: av.open(sys.argv[1], timeout=(0.5, 0.5))\nexcept Exception as error: print(error)"
ADDRESSES = (
    "http://127.0.0.1:{port}/a.wav",
    "tcp://127.0.0.1:{port}",
    "udp://127.0.0.1:{port}?connect=1",
    "rtsp://127.0.0.1:{port}/a.wav",
    "subfile,,start,0,end,9,,:http://127.0.0.1:{port}/a.wav",
    "concat:http://127.0.0.1:{port}/a.wav|http://127.0.0.1:{port}/b.wav",
    "cache:http://127.0.0.1:{port}/a.wav",
    "//127.0.0.1:{port}/share/a.wav",
)


def test_10_names_that_look_like_addresses_are_no_addresses(someone: Person, listener: Canary, tried: Tried) -> None:
    addresses = [address.format(port=listener.port) for address in ADDRESSES]
    refused = someone.aria("transcribe", *addresses, sealed=False)
    assert refused.returncode != 0
    assert refused.stderr.count("127.0.0.1") >= len(addresses)
    model = f"http://127.0.0.1:{listener.port}/model"
    scripted = dict.fromkeys(("speech", "voice"), "scripted:SCRIPT")
    for named in ({"speech": f"faster-whisper:{model}"}, {"voice": f"piper:{model}"}):
        someone.engines([ANSWER], **scripted | named)
        assert model in someone.aria("ask", "--audio", str(SOUND), "--speak", sealed=False).stdout
    someone.write("config/settings.toml", f'[engines]\nlanguage = "llama-cpp:{model}"\n')
    assert model in someone.aria("ask", "hello", sealed=False).stdout
    escapes = listener.heard()
    someone.python(OPENS, addresses[0])
    controls = listener.heard()
    assert controls == 1
    tried(SET, cases=1, controls=controls, escapes=escapes, uid=someone.uid)


SHOWN = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication, QTextBrowser
from aria_desktop.gui.flow_text import FlowText, Run
from aria_desktop.gui.look import Look
from aria_desktop.gui.theme import Kind
app = QApplication(sys.argv[:1])
look = Look(app, Path(sys.argv[1]), "light", 100)
for text in sys.argv[3:]:
    if sys.argv[2] == "ours":
        shown = FlowText(look, Kind.BODY)
        shown.show_runs((Run(text, "text"),))
        assert shown.text() == text
    else:
        shown = QTextBrowser()
        shown.setMarkdown(text)
    shown.resize(400, 300)
    shown.show()
    app.processEvents()
    shown.grab()
"""


def test_11_images_in_a_models_text_are_not_loaded(someone: Person, listener: Canary, tried: Tried) -> None:
    image = someone.write("canary.png", "no image")
    remote = f"http://127.0.0.1:{listener.port}/a.png"
    texts = [
        f"![a]({where})" for where in (remote, image, f"file://{image}", f"//127.0.0.1:{listener.port}/share/a.png")
    ] + [f'<img src="{where}">' for where in (remote, image)]
    texts += [
        f"[a]: {remote}\n\n![a]",
        f'<link rel="stylesheet" href="{remote}">',
        f"<style>@import url({remote})</style>",
    ]
    offscreen = {"QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(someone.home)}
    someone.extra.update(offscreen)
    shown = someone.python(SHOWN, str(REPOSITORY / "resources"), "ours", *texts, traced=True)
    assert shown.returncode == 0, shown.stderr
    escapes = len(someone.outward()) + listener.heard() + opened(someone, image.name)
    someone.python(SHOWN, str(REPOSITORY / "resources"), "Qt's", *texts, traced=True)
    controls = opened(someone, image.name)
    assert controls
    tried(SET, cases=1, controls=1, escapes=escapes, uid=someone.uid)


def opened(who: Person, name: str) -> int:
    lines = who.trace.read_text("utf-8", "replace").splitlines()
    return sum("openat(" in line and f"/{name}" in line for line in lines)


ASKS_A_PROXY = """
import urllib.request
try: urllib.request.urlopen("http://example.invalid/", timeout=0.5)
except OSError as error: print(error)
"""


def test_12_hostile_proxies_and_hub_settings_change_nothing(someone: Person, listener: Canary, tried: Tried) -> None:
    there = f"http://127.0.0.1:{listener.port}"
    names = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy", "HF_ENDPOINT")
    online = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE", "ORT_DISABLE_TELEMETRY", "DO_NOT_TRACK")
    someone.extra |= dict.fromkeys(names, there) | dict.fromkeys(online, "0") | {"no_proxy": "", "NO_PROXY": ""}
    someone.engines([ANSWER])
    spoken_turn(someone, sealed=False, traced=True)
    escapes = len(someone.outward()) + listener.heard()
    someone.python(ASKS_A_PROXY)
    controls = listener.heard()
    assert controls == 1
    tried(SET, cases=1, controls=controls, escapes=escapes, uid=someone.uid)


LOADED = """
import json, sys
from aria_desktop.cli import main
code = main(["ask", "what is tea"])
import aria_desktop.gui.application
for extra in sys.argv[1:]:
    __import__(extra)
print(json.dumps([code, *sorted(sys.modules)]))
"""
CLIENTS = {
    *("openai", "anthropic", "google", "mistralai", "cohere", "boto3", "litellm", "ollama"),
    *("requests", "httpx", "aiohttp", "urllib3", "websockets", "grpc", "huggingface_hub", "http.client", "ssl"),
}


def test_13_no_cloud_client_is_in_the_process(someone: Person, tried: Tried) -> None:
    assert ENGINES == ()
    someone.engines([ANSWER, ANSWER])
    code, *loaded = json.loads(someone.python(LOADED).stdout.splitlines()[-1])
    assert code == 0
    assert "aria_desktop" in loaded
    escapes = CLIENTS & set(loaded)
    _, *control = json.loads(someone.python(LOADED, "huggingface_hub.hf_api").stdout.splitlines()[-1])
    controls = CLIENTS & set(control)
    assert {"huggingface_hub", "http.client", "ssl"} <= controls
    tried(SET, cases=1, controls=1, escapes=len(escapes), uid=someone.uid)


TWO_DOORS = """
import sys
from aria_desktop.core.seal import Door
from aria_desktop.safety import airgap
for name in sys.argv[1:]:
    airgap.close(Door[name])
print(airgap.look()[0].internet)
"""


def test_14_cloud_needs_a_restart_and_a_switch_that_switches_something(someone: Person, tried: Tried) -> None:
    later = someone.python(TWO_DOORS, "LOCAL", "CLOUD").stdout
    assert later in ("True\n", "False\n")
    at_start = someone.python(TWO_DOORS, "CLOUD").stdout
    assert at_start == "True\n"
    switched = someone.aria("ask", "hello", env={"ARIA_CLOUD": "on"})
    assert switched.returncode == 10
    assert "has no cloud engines" in switched.stderr
    tried(SET, cases=1, controls=1, escapes=later == "True\n", uid=someone.uid)


def test_every_check_has_its_test() -> None:
    names = [*vars(test_airgap), *globals()]
    numbers = {int(found[1]) for name in names if (found := re.match(r"test_(\d\d)_", name))}
    # The second and the third are one test with the filter and without it.
    assert numbers | {2, 3} == set(CHECKS) == set(range(1, 15))
    assert "test_a_spoken_turn_opens_no_internet_socket" in names
