"""What the tools say to a user who speaks Spanish: in Spanish, without asking the model."""

from __future__ import annotations

import pytest

from aria_desktop.core.chat import ToolResult
from aria_desktop.safety.cage import CageLimits
from aria_desktop.safety.cage_output import Printed
from aria_desktop.safety.cage_run import Ran
from aria_desktop.safety.cage_watch import Ending
from aria_desktop.tools.changes import append_file, create_file, edit_file
from aria_desktop.tools.files import list_files, read_file
from aria_desktop.tools.languages.wording import SPANISH
from aria_desktop.tools.memory import recall, remember
from aria_desktop.tools.placing import copy_file, delete_file, make_folder, move_file
from aria_desktop.tools.search import search_files
from aria_desktop.tools.terminal import said
from aria_desktop.tools.text import summarize_text
from aria_desktop.tools.tool import AskFirst, Tool
from tests.unit.tools.conftest import Bench

CHANGES = [
    (
        create_file,
        {"path": "c.txt", "content": "pan\nleche\nqueso"},
        "He creado c.txt con 3 líneas.",
        "No se creó c.txt",
    ),
    (create_file, {"path": "c.txt", "content": ""}, "He creado c.txt, vacío.", "No se creó c.txt"),
    (
        create_file,
        {"path": "a.txt", "content": "pan"},
        'He reemplazado el texto de a.txt por "pan".',
        "No se reemplazó a.txt",
    ),
    (
        append_file,
        {"path": "a.txt", "content": "sal"},
        'He añadido "sal" al final de a.txt.',
        "No se añadió nada a a.txt",
    ),
    (
        edit_file,
        {"path": "a.txt", "find": "uno", "replace": "tres"},
        'He cambiado a.txt: ahora dice "tres".',
        "No se cambió a.txt",
    ),
    (
        edit_file,
        {"path": "a.txt", "find": "uno", "replace": ""},
        "He cambiado a.txt: se ha quitado 1 línea.",
        "No se cambió a.txt",
    ),
    (
        move_file,
        {"source": "a.txt", "destination": "b.txt"},
        "He cambiado el nombre de a.txt a b.txt.",
        "No se cambió el nombre de a.txt",
    ),
    (
        move_file,
        {"source": "a.txt", "destination": "docs/"},
        "He movido a.txt a la carpeta docs.",
        "No se movió a.txt",
    ),
    (copy_file, {"source": "a.txt", "destination": "b.txt"}, "He copiado a.txt a b.txt.", "No se copió a.txt"),
    (
        copy_file,
        {"source": "docs/informe.txt", "destination": "a.txt"},
        "He copiado docs/informe.txt a a.txt, y he movido a la papelera el archivo que estaba allí.",
        "No se copió docs/informe.txt",
    ),
    (delete_file, {"path": "a.txt"}, "He movido a.txt a la papelera.", "No se eliminó a.txt"),
    (
        delete_file,
        {"path": "docs"},
        "He movido la carpeta docs, con 1 elemento dentro, a la papelera.",
        "No se eliminó docs",
    ),
    (make_folder, {"path": "fotos"}, "He creado la carpeta fotos.", "No se creó la carpeta fotos"),
]


@pytest.fixture
def bench(bench: Bench) -> Bench:
    bench.spoken = "es"
    (bench.root / "docs").mkdir()
    (bench.root / "docs" / "informe.txt").write_text("Madrid\n")
    (bench.root / "a.txt").write_text("uno\ndos\n")
    return bench


def answer(bench: Bench, tool: Tool, **arguments: object) -> str:
    found = bench.call(tool, **arguments)
    assert isinstance(found, ToolResult)
    return found.answer


@pytest.mark.parametrize(("tool", "arguments", "done", "refused"), CHANGES)
def test_changes(bench: Bench, tool: Tool, arguments: dict[str, str], done: str, refused: str) -> None:
    proposal = bench.proposal(tool, **arguments)
    assert proposal.refused == refused
    assert bench.carried_out(proposal).answer == done


def test_looking(bench: Bench) -> None:
    holds = "El espacio de trabajo contiene 1 archivo y 1 carpeta: a.txt y docs."
    assert answer(bench, list_files) == holds
    assert answer(bench, list_files, folder="docs") == "La carpeta docs contiene 1 archivo: informe.txt."
    assert answer(bench, search_files, query="Madrid") == (
        '1 archivo menciona Madrid: docs/informe.txt, en la línea 1: "Madrid"'
    )
    assert answer(bench, search_files, query="informe") == ("1 archivo tiene informe en el nombre: docs/informe.txt.")
    assert answer(bench, search_files, query="Lima") == "Ningún archivo menciona Lima."


def test_a_guessed_name_is_said(bench: Bench) -> None:
    assert answer(bench, read_file, path="informe") == "He leído docs/informe.txt. Madrid"


def test_what_is_empty(bench: Bench) -> None:
    (bench.root / "vacio.txt").write_text("")
    (bench.root / "fotos").mkdir()
    assert answer(bench, read_file, path="vacio.txt") == "El archivo vacio.txt está vacío."
    assert answer(bench, list_files, folder="fotos") == "La carpeta fotos está vacía."
    assert answer(bench, summarize_text, path="vacio.txt") == "No hay nada que resumir."


def test_questions_about_names(bench: Bench) -> None:
    (bench.root / "docs" / "a.txt").write_text("")
    (bench.root / "fotos").mkdir()
    (bench.root / "fotos" / "informe.txt").write_text("")
    with pytest.raises(AskFirst, match=r"¿A qué archivo te refieres: docs/informe\.txt o fotos/informe\.txt\?"):
        bench.call(read_file, path="informe")
    with pytest.raises(AskFirst, match=r"a\.txt ya existe\. ¿Qué archivo nuevo quieres"):
        bench.call(create_file, path="a.txt", content="")


def test_memory(bench: Bench) -> None:
    assert answer(bench, recall, query="") == "No me has pedido que recuerde nada."
    assert answer(bench, remember, fact="Mi perro se llama Lolo.") == "Lo recordaré: Mi perro se llama Lolo."
    assert answer(bench, remember, fact="Mi perro se llama Lolo.") == "Eso ya lo recuerdo: Mi perro se llama Lolo."
    assert answer(bench, recall, query="perro") == "Me dijiste esto: Mi perro se llama Lolo."
    assert answer(bench, remember, fact="mi clave es 4711").startswith("No recuerdo contraseñas")


def ran(*lines: str, status: int | None = 0, ending: Ending = Ending.ITSELF, more: int = 0) -> Ran:
    return Ran(ending, status, Printed(lines, len(lines) + more, 99), 0.1)


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (ran(), "He ejecutado el comando. No mostró nada."),
        (ran("hola"), "He ejecutado el comando. Mostró:\nhola"),
        (ran("no", status=2), "He ejecutado el comando; terminó con el código de salida 2. Mostró:\nno"),
        (ran("z", more=1_039), "He ejecutado el comando. Mostró 1.040 líneas; la última: z"),
        (
            ran(status=None, ending=Ending.TIME),
            "El comando se detuvo a los 30 segundos, antes de terminar. No mostró nada.",
        ),
    ],
)
def test_commands(run: Ran, told: str) -> None:
    assert said(run, CageLimits(seconds=30), SPANISH) == told
