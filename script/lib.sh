# Sourced by the scripts beside it: the root of the tree, plain messages, the superuser, builds, the
# Node of the tests. Leaves the caller in the root of the tree.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die() {
    say "$@"
    exit 1
}

# as_root COMMAND...: runs it as the superuser, through sudo where we are not.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -- "$@"
    else
        die "needs root or sudo to run: $*"
    fi
}

# The Node that the tests are pinned to (tests/e2e/package.json); empty before script/setup --tests.
test_node() {
    local bin
    for bin in "$root"/tests/e2e/node_modules/node-linux-*/bin/node; do
        if [ -x "$bin" ]; then
            printf '%s\n' "$bin"
            return
        fi
    done
}

# quietly COMMAND...: runs it, and shows what it printed only if it fails.
quietly() {
    local log
    log=$("$@" 2>&1) || {
        printf '%s\n' "$log" >&2
        return 1
    }
}

# build_in DIR [MESON OPTION...]: configures the folder if it is new, and compiles what changed.
build_in() {
    local dir=$1
    shift
    if [ ! -f "$dir/build.ninja" ]; then
        say "configuring and building $dir/"
        quietly meson setup "$dir" "$@" || return 1
    fi
    quietly ninja -C "$dir" --quiet
}
