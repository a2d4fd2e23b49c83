from __future__ import annotations

from aria_desktop.gui.state.drops import DropKind, sort_drop

KINDS = {
    "/x/photos": DropKind.FOLDER,
    "/x/more": DropKind.FOLDER,
    "/x/gone.wav": DropKind.MISSING,
    "/dev/tty": DropKind.SPECIAL,
}


def _kind(path: str) -> DropKind:
    return KINDS.get(path, DropKind.FILE)


def test_files_are_taken_in_order_and_once() -> None:
    drop = sort_drop(["/b.wav", "/a.txt", "/b.wav"], 0, 10, _kind)
    assert drop.files == ("/b.wav", "/a.txt")
    assert (drop.complaint, drop.hint) == ("", "")


def test_each_other_kind_gets_its_answer() -> None:
    drop = sort_drop(["/x/photos", "/a.wav", "/x/gone.wav", "/dev/tty"], 1, 10, _kind)
    assert drop.files == ("/a.wav",)
    assert drop.complaint == (
        "photos is a folder. gone.wav is not there any more. tty is no ordinary file. "
        "Only files of this computer can be dropped."
    )
    assert "WAV" in drop.hint


def test_several_of_a_kind_are_named_by_the_first() -> None:
    drop = sort_drop(["/x/photos", "/x/more"], 0, 10, _kind)
    assert drop.complaint == "photos and 1\N{NO-BREAK SPACE}other are folders."


def test_500_files_fill_the_queue_and_the_rest_is_counted() -> None:
    drop = sort_drop([f"/{number}.wav" for number in range(500)], 0, 50, _kind)
    assert len(drop.files) == 50
    assert drop.complaint == "450\N{NO-BREAK SPACE}files are too many at once."


def test_a_name_that_hides_something_is_spelled_out() -> None:
    KINDS["/x/a\u202eb"] = DropKind.FOLDER
    assert sort_drop(["/x/a\u202eb"], 0, 1, _kind).complaint == "a<U+202E>b is a folder."


def test_nothing_at_all() -> None:
    assert sort_drop([], 0, 50, _kind).complaint == ""
