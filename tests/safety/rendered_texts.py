"""Thirty texts of a model that would have a careless window open a file, a share or an address (T22)."""

from __future__ import annotations

from pathlib import Path

_FORMS = (
    '<img src="{file}">',
    '<img src="{url}">',
    "![picture]({file})",
    "![picture]({url})",
    "![picture](<{file}>)",
    "[![picture]({file})]({url})",
    '<a href="{url}"><img src="{file}" alt="x"></a>',
    '<body background="{file}">text</body>',
    '<table background="{file}"><tr><td>cell</td></tr></table>',
    '<table><tr><td style="background-image: url({file})">cell</td></tr></table>',
    "<div style=\"background-image: url('{file}')\">text</div>",
    '<link rel="stylesheet" href="{file}"><p>text</p>',
    "<style>@import url({file});</style><p>text</p>",
    '<ul style="list-style-image: url({file})"><li>item</li></ul>',
    '<object data="{file}"></object>',
    '<embed src="{file}">',
    '<iframe src="{url}"></iframe>',
    '<video poster="{file}" src="{file}" autoplay></video>',
    '<svg><image href="{file}"/></svg>',
    '<img src="//share.example/{name}">',
    '<img src="\\\\share.example\\{name}">',
    '<img src="http://127.0.0.1:9/{name}">',
    '<img srcset="{file} 2x" src="{file}">',
    '<input type="image" src="{file}">',
    "![picture][one]\n\n[one]: {file}",
    '<p>before</p><img src="file:{file}" width=1 height=1>',
    '```html\n<img src="{file}">\n```\n![picture]({file})',
    '<script src="{file}"></script><b>text</b>',
    '<?xml-stylesheet href="{file}"?><p><img src="{file}"></p>',
    "<h1>title</h1>\n\n![a]({file}) and <img src='{file}'>",
)


def canary(number: int) -> str:
    """The name of the file that the text of this number is after."""
    return f"canary-{number:02}.png"


def texts(folder: Path) -> list[str]:
    files = [folder / canary(number) for number in range(1, len(_FORMS) + 1)]
    pairs = zip(_FORMS, files, strict=True)
    return [form.format(file=file, url=file.as_uri(), name=file.name) for form, file in pairs]
