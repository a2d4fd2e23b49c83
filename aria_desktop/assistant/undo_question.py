"""What is asked before changes are taken back: every file that is concerned, with what comes and goes. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from aria_desktop.core.approval import ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.safety.texts import decoded
from aria_desktop.safety.undo import UndoPlan
from aria_desktop.safety.undo_words import EffectKind, effects, shown, undo_title

TOOL = "undo"
_RISK = Risk(RiskLevel.MEDIUM, "What is there now goes to ARIA's trash, so this can be undone as well.")


def question(
    plan: UndoPlan,
    workspace: JournaledWorkspace,
    *,
    ids: tuple[str, str, str] = ("", "", ""),
    words: str = "",
    remarks: Sequence[str] = (),
) -> ApprovalRequest:
    """`plan` takes back at least one change.

    Args:
        ids: of the question, the turn and the call.
        remarks: what an undo can't take back, a sentence each.
    """
    path, before, after = _one_text(plan, workspace)
    return ApprovalRequest(
        *ids,
        tool=TOOL,
        question=_question(plan),
        allow_label="Allow undo",
        facts=(
            *_where(path, workspace),
            *_effects(plan, workspace, with_diff=before is None),
            *_left(plan),
            *_remarked(remarks),
        ),
        path=path,
        before=before,
        after=after,
        risk=_RISK,
        words=words,
    )


def _question(plan: UndoPlan) -> str:
    titles = [undo_title(back.action) for back in plan.back]
    if len(titles) == 1:
        return f"{visible_line(titles[0]).capitalize()}?"
    return f"{titles[0].split()[0].capitalize()} {len(titles)} changes?"


def _one_text(plan: UndoPlan, workspace: JournaledWorkspace) -> tuple[str, str | None, str | None]:
    """The whole text before and after, where one text file is all that is concerned."""
    found = effects(plan)
    if len(found) != 1 or found[0].kind is not EffectKind.CHANGED:
        return "", None, None
    only = found[0]
    before, after = workspace.text_now(only.path), workspace.text_kept(plan.sources.get(only.after, ""))
    if before is None or after is None:
        return "", None, None
    try:
        texts = decoded(before, only.path).text, decoded(after, only.path).text
    except ToolFailed:
        return "", None, None
    return str(workspace.root / only.path), *texts


def _where(path: str, workspace: JournaledWorkspace) -> list[tuple[str, str]]:
    """The folder, where not one file alone is concerned."""
    return [] if path else [("In", str(workspace.root))]


def _effects(plan: UndoPlan, workspace: JournaledWorkspace, *, with_diff: bool) -> list[tuple[str, str]]:
    told = shown(plan, workspace.text_now, workspace.text_kept)
    return [("Then", f"{one.text}\n{one.diff}" if with_diff and one.diff else one.text) for one in told]


def _left(plan: UndoPlan) -> list[tuple[str, str]]:
    """What is not taken back, and why."""
    refused = [("Not undone", f"{visible_line(one.action.title)}: {one.reason}") for one in plan.refused]
    stays = [("Stays", f"the folder {visible_line(path)}, as it holds other things by now") for path in plan.stays]
    return [*refused, *stays]


def _remarked(remarks: Sequence[str]) -> list[tuple[str, str]]:
    return [("Can't be undone", remark) for remark in remarks]
