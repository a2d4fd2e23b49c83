"""Thirty texts of a model that ask the window to open something: a picture, a page, a font, another computer.

`{file}` becomes the path of a file that nobody else opens, `{url}` the same as an address.
"""

from __future__ import annotations

TEXTS = (
    "![a]({file})",
    "![a]({url})",
    "![a](<{file}>)",
    "![a][1]\n\n[1]: {file}",
    "[![a]({file})]({url})",
    "<img src='{file}'>",
    "<img src='{url}'>",
    "<IMG SRC={file}>",
    "<img src='{file}' width=1 height=1>",
    "<p><img\nsrc='{file}'></p>",
    "&lt;img src='{file}'&gt; <img src='{file}'/>",
    "<body background='{file}'>x</body>",
    "<table background='{file}'><tr><td>x</td></tr></table>",
    "<td background='{file}'>x</td>",
    "<div style=\"background-image:url('{file}')\">x</div>",
    '<span style="background: url({url})">x</span>',
    "<style>body {{ background-image: url('{file}') }}</style>x",
    "<style>@import url('{file}');</style>x",
    "<link rel='stylesheet' href='{file}'>x",
    "<ul style=\"list-style-image: url('{file}')\"><li>x</li></ul>",
    "<a href='{file}'><img src='{file}'></a>",
    "<object data='{file}'></object><embed src='{file}'>",
    "<iframe src='{url}'></iframe>",
    "<svg xmlns='http://www.w3.org/2000/svg'><image href='{file}'/></svg>",
    "<video poster='{file}' src='{file}'></video>",
    "<script src='{file}'></script>",
    "<meta http-equiv='refresh' content='0; url={url}'>",
    "<font face=\"url('{file}')\">x</font>",
    "\\\\127.0.0.1\\share\\a.png <img src='//127.0.0.1/a.png'> ![a]({file})",
    "```html\n<img src='{file}'>\n```\n![a]({file} \"title\")",
)
