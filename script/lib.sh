# Sourced by the other scripts: messages, running as root, builds, the tests' Node. Changes to the
# root of the tree.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die() {
    say "$@"
    exit 1
}

# as_root COMMAND...: runs it as root, with sudo if necessary.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -- "$@"
    else
        die "this needs root or sudo: $*"
    fi
}

# Prints the path of the tests' pinned Node (tests/e2e/package.json), or nothing before script/setup
# --tests has installed it.
test_node() {
    local bin
    for bin in "$root"/tests/e2e/node_modules/node-linux-*/bin/node; do
        if [ -x "$bin" ]; then
            printf '%s\n' "$bin"
            return
        fi
    done
}

# progress TEXT: says how far something long is: on a terminal in one line that is rewritten,
# elsewhere in a line every ten seconds.
progress_next=0
progress() {
    if [ -t 2 ]; then
        printf '\r\033[K%s: %s' "${0##*/}" "$*" >&2
    elif [ "$SECONDS" -ge "$progress_next" ]; then
        progress_next=$((SECONDS + 10))
        say "$@"
    fi
}

# progress_end TEXT: replaces the line.
progress_end() {
    [ ! -t 2 ] || printf '\r\033[K' >&2
    say "$@"
}

# quietly COMMAND...: runs it, and prints its output only if it fails.
quietly() {
    local log
    log=$("$@" 2>&1) || {
        printf '%s\n' "$log" >&2
        return 1
    }
}

# configure_in DIR [MESON OPTION...]: configures DIR if it is new.
configure_in() {
    local dir=$1
    shift
    [ ! -f "$dir/build.ninja" ] || return 0
    say "configuring $dir/"
    quietly meson setup "$dir" "$@"
}

# build_in DIR [MESON OPTION...]: configures DIR if it is new, and builds.
build_in() {
    configure_in "$@" && quietly ninja -C "$1" --quiet
}
