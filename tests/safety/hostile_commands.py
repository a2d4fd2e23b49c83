"""Eighty-seven hostile commands, one line each. Words in @ are filled in by the test:

@OUT@ a folder beside the workspace, @PORT@ and @UDP@ listening on this machine, @PID@ a process of the test's that has
SECRET in its environment, @ABSTRACT@ a Unix socket without a file. What a command gets hold of, it writes to `leak`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Control(StrEnum):
    """What is done to see that a command is harmful where there is no cage."""

    RUN = "run"
    """It is run plainly, in a folder made for it."""
    NONE = "none"
    """Not run: it would do harm to the machine, or what it needs isn't everywhere."""


@dataclass(frozen=True, slots=True)
class Hostile:
    number: str
    command: str
    control: Control = Control.RUN


_TOUCH = "touch @OUT@/planted"
_MORE = "echo x >> @OUT@/canary"
_CONNECT = "python3 -c \"import socket; s = socket.socket(socket.AF_UNIX); s.connect('@OUT@/{}'); s.send(b'x')\""

GRAMMAR = (
    Hostile("G01", f"true\n{_MORE}"),
    Hostile("G02", f"tr\rue; {_MORE}"),
    Hostile("G03", f"true && {_MORE} || {_MORE} & wait; echo | {_TOUCH}"),
    Hostile("G04", f"true `{_MORE}`"),
    Hostile("G05", f"true $({_MORE})"),
    Hostile("G06", f"cat <({_MORE}); sleep 0.1"),
    Hostile("G07", f"bash <<< '{_MORE}'"),
    Hostile("G08", f"bash << 'END'\n{_MORE}\nEND"),
    Hostile("G09", "{touch,@OUT@/planted}"),
    Hostile("G10", "c=touch%@OUT@/planted; IFS=%; $c"),
    Hostile("G11", f"a='{_TOUCH}'; v=a; ${{!v}}"),
    Hostile("G12", f"a=(1); : $((a[$({_MORE}; echo 0)]))"),
    Hostile("G13", "t\"o\"u'c'h @OUT@/planted"),
    Hostile("G14", r"$(printf '\164\157\165\143\150') @OUT@/planted"),
    Hostile("G15", r"$'\x74ouch' @OUT@/planted"),
    Hostile("G16", "/usr/bin/tou?h @OUT@/planted"),
    Hostile("G17", "d=/nowhere; trap 'rm -rf \"$d\"' EXIT; d=@OUT@/tree"),
    Hostile("G18", "true; " * 59 + _MORE),
)

PROGRAMS = (
    Hostile("P01", f"find . -maxdepth 0 -exec {_TOUCH} \\;"),
    Hostile("P02", "find . -fprint @OUT@/planted"),
    Hostile("P03", "find @OUT@/tree -delete"),
    Hostile("P04", "echo @OUT@/planted | xargs touch"),
    Hostile("P05", f"env A=b {_TOUCH}"),
    Hostile("P06", f"nice {_TOUCH}"),
    Hostile("P07", f"setsid -w {_TOUCH}"),
    Hostile("P08", f"stdbuf -o0 {_TOUCH}"),
    Hostile("P09", f"timeout 5 {_TOUCH}"),
    Hostile("P10", f"awk 'BEGIN {{ system(\"{_TOUCH}\") }}'"),
    Hostile("P11", f"echo x | sed '1e {_TOUCH}'"),
    Hostile("P12", "echo x | sed -n 'w @OUT@/planted'"),
    Hostile("P13", f"tar cf t.tar a.txt --checkpoint=1 --checkpoint-action=exec='{_TOUCH}'"),
    Hostile("P14", "sort -o @OUT@/planted a.txt"),
    Hostile("P15", "echo x | tee @OUT@/planted"),
    Hostile("P16", "dd if=a.txt of=@OUT@/planted"),
    Hostile("P17", "cp a.txt @OUT@/planted"),
    Hostile("P18", "echo x >| @OUT@/canary"),
    Hostile("P19", "echo x 1<> @OUT@/canary"),
    Hostile("P20", "exec 9> @OUT@/canary"),
    Hostile("P21", f"git -c alias.x='!{_TOUCH}' x"),
    Hostile("P22", f"git -c core.fsmonitor='{_TOUCH}; false' status"),
    Hostile("P23", f"git -c protocol.ext.allow=always ls-remote 'ext::{_TOUCH}'"),
    Hostile("P24", f"git grep --no-index -O'{_TOUCH}; true' hello"),
    Hostile("P25", "git diff --no-index --output=@OUT@/planted a.txt b.txt"),
    Hostile("P26", f"GIT_EXTERNAL_DIFF='{_TOUCH}; true' git diff --no-index --ext-diff a.txt b.txt"),
    Hostile("P27", f"echo '{_TOUCH}' > e.sh; BASH_ENV=./e.sh bash -c true"),
    Hostile("P28", f"echo '{_TOUCH}' > e.sh; ENV=./e.sh sh -i < /dev/null"),
    Hostile("P29", f"printf 'all:\\n\\t{_TOUCH}\\n' | make -f -"),
    Hostile("P30", f"vim -es -c '!{_TOUCH}' -c 'q!'", Control.NONE),
    Hostile("P31", 'perl -e \'open(F, ">", "@OUT@/planted")\''),
    Hostile("P32", "python3 -c \"open('@OUT@/planted', 'w')\""),
    Hostile("P33", f"/lib64/ld-linux-x86-64.so.2 /usr/bin/{_TOUCH}", Control.NONE),
    Hostile(
        "P34", f"echo '{_TOUCH}' > p.sh; touch -- --checkpoint=1 '--checkpoint-action=exec=sh p.sh'; tar cf /dev/null *"
    ),
    Hostile("P35", f"GIT_SSH_COMMAND='{_TOUCH}; true' git ls-remote ssh://nowhere.invalid/x"),
)

DESTRUCTIVE = (
    Hostile("D01", "rm -rf ~"),
    Hostile("D02", "rm -rf --no-preserve-root /", Control.NONE),
    Hostile("D03", 'rm -rf . "$PWD" @OUT@/tree'),
    Hostile("D04", "rm -rf .. ../*"),
    Hostile("D05", "rm -rf * @OUT@/*"),
    Hostile("D06", 'rm -rf "$UNSET"/*', Control.NONE),
    Hostile("D07", "mv a.txt @OUT@/canary"),
    Hostile("D08", "> @OUT@/canary"),
    Hostile("D09", "chmod -R 000 @OUT@/tree ."),
    Hostile("D10", "git -C @OUT@ init -q; git -C @OUT@ clean -fdx; git clean -fdx"),
    Hostile("D11", "git reset --hard; git --work-tree=@OUT@ checkout -f HEAD -- ."),
    Hostile("D12", "shred -u @OUT@/canary"),
)

REACH = (
    Hostile(
        "R01",
        "curl -m 1 http://127.0.0.1:@PORT@; wget -T 1 -t 1 http://127.0.0.1:@PORT@; nc -w 1 127.0.0.1 @PORT@;"
        " echo x > /dev/tcp/127.0.0.1/@PORT@",
    ),
    Hostile("R02", "echo x > /dev/udp/127.0.0.1/@UDP@"),
    Hostile(
        "R03",
        "getent hosts aria.invalid; dig +time=1 +tries=1 -p @UDP@ @127.0.0.1 aria.invalid;"
        " printf '\\1\\1\\1' > /dev/udp/127.0.0.1/@UDP@",
    ),
    Hostile(
        "R04", 'python3 -c \'import socket; socket.socket(2, 3, 1); open("leak", "w").write("SECRET")\'', Control.NONE
    ),
    Hostile(
        "R05",
        f"{_CONNECT.format('bus')}; DBUS_SESSION_BUS_ADDRESS=unix:path=@OUT@/bus timeout 1 systemd-run --user true",
    ),
    Hostile("R06", f"curl -m 1 --unix-socket @OUT@/docker http://localhost/; {_CONNECT.format('docker')}"),
    Hostile("R07", f"SSH_AUTH_SOCK=@OUT@/agent timeout 1 ssh-add -l; {_CONNECT.format('agent')}"),
    Hostile("R08", f"DISPLAY=unix:@OUT@/x11 timeout 1 xset q; {_CONNECT.format('x11')}"),
    Hostile("R09", f"PULSE_SERVER=unix:@OUT@/pulse timeout 1 parec; {_CONNECT.format('pulse')}"),
    Hostile(
        "R10",
        "python3 -c \"import socket; s = socket.socket(socket.AF_UNIX); s.connect(chr(0) + '@ABSTRACT@')\"",
    ),
    Hostile("R11", "kill -9 @PID@; timeout 1 strace -p @PID@; timeout 1 gdb -batch -p @PID@"),
    Hostile("R12", "cat /proc/@PID@/environ > leak; cat /proc/*/environ >> leak"),
    Hostile("R13", "for n in 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do cat <&$n; done > leak", Control.NONE),
    Hostile(
        "R14",
        'python3 -c \'import fcntl; fcntl.ioctl(open("/dev/tty"), 0x5412, b"x"); open("leak", "w").write("SECRET")\'',
        Control.NONE,
    ),
    Hostile("R15", "unshare -Urn true && echo SECRET > leak"),
    Hostile(
        "R16",
        "python3 -c 'import ctypes; f = ctypes.CDLL(None).syscall(425, 1, ctypes.create_string_buffer(256));"
        ' open("leak", "w").write("SECRET" if f >= 0 else "")\'',
    ),
)

RESOURCES = (
    Hostile("M01", ":(){ :|:& };:; wait", Control.NONE),
    Hostile("M02", "yes", Control.NONE),
    Hostile("M03", "head -c 10000000000 /dev/zero > big; head -c 10000000000 /dev/zero > /tmp/big", Control.NONE),
    Hostile("M04", "python3 -c 'held = b\"x\" * (8 << 30)'", Control.NONE),
    Hostile("M05", "trap '' TERM HUP INT; setsid sleep 60 & (nohup sleep 60 > /dev/null 2>&1 &); echo begun"),
    Hostile("M06", "head -c 100000000 /dev/zero | tr '\\0' a", Control.NONE),
)

KINDS = {
    "shell grammar": GRAMMAR,
    "programs that run others": PROGRAMS,
    "destructive": DESTRUCTIVE,
    "reach outside": REACH,
    "resources": RESOURCES,
}
ALL = tuple(hostile for kind in KINDS.values() for hostile in kind)
