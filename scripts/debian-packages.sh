#!/bin/sh
# Debian packages for one purpose: `setup` is what ARIA runs on, `test` is what its tests need besides.
# Installs those that are missing where that is allowed without asking (root, or sudo without a password);
# otherwise prints the line to run and ends with 1. On other systems it names them and goes on.
set -eu

setup='python3-venv python3-dev g++ libportaudio2 libasound2-plugins libegl1 libgl1 libxkbcommon-x11-0 libxcb-cursor0
    libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-image0 libxcb-render-util0 libxcb-xinerama0 libdbus-1-3
    libfontconfig1 fonts-dejavu-core bubblewrap'
test='dbus-daemon pulseaudio pulseaudio-utils xvfb xdotool openbox x11-utils strace'

case ${1:-} in
    setup) wanted=$setup ;;
    test) wanted=$test ;;
    *) echo "usage: $0 setup|test" >&2; exit 2 ;;
esac

# The unquoted words below are meant to be split.
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    [ -e .venv/.packages ] || echo "This is no Debian: install what corresponds to these packages:" $wanted
    exit 0
fi

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
    [ "$state" = 'install ok installed' ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=sudo
else
    echo "Some Debian packages are missing. Install them, then start again:" >&2
    echo "  sudo $install" >&2
    exit 1
fi
echo "Installing Debian packages:$missing"
$as_root apt-get update -q
$as_root env DEBIAN_FRONTEND=noninteractive $install
