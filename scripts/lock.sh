#!/bin/sh
# Writes requirements.lock anew: the newest versions that pyproject.toml allows, with the hashes of their files.
# Where packages come from is not written down; that is for pip's configuration on each machine to say.
set -eu
venv=$1
new=$(mktemp)
trap 'rm -f "$new"' EXIT
"$venv/bin/pip-compile" --quiet --generate-hashes --allow-unsafe --strip-extras --extra dev --extra bench --upgrade \
    --no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --output-file "$new" pyproject.toml
{
    echo '# The exact set of packages that is tested. Made by `make lock`, from pyproject.toml; not edited by hand.'
    cat "$new"
} > requirements.lock
