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

# The variables that name proxies, for apt, npm and curl.
proxy_names=(http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY)

# as_root COMMAND...: runs it as root, with sudo if necessary. sudo drops the proxies unless it is
# told to keep them.
as_root() {
    local kept= name
    for name in "${proxy_names[@]}"; do
        [ -z "${!name-}" ] || kept+=${kept:+,}$name
    done
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo ${kept:+--preserve-env="$kept"} -- "$@"
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

# memory_mb: prints the memory that is available here, or the limit of the control group (cgroup2 or
# the older kind) if that is less.
memory_mb() {
    local least kind path file limit
    least=$(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo)
    while IFS=: read -r _ kind path; do
        case $kind in
        '') path=/sys/fs/cgroup$path file=memory.max ;;
        memory) path=/sys/fs/cgroup/memory$path file=memory.limit_in_bytes ;;
        *) continue ;;
        esac
        while [[ $path == /sys/fs/cgroup* ]]; do
            limit=$(cat "$path/$file" 2>/dev/null || true)
            if [[ $limit =~ ^[0-9]+$ ]] && [ $((limit >> 20)) -lt "$least" ]; then
                least=$((limit >> 20))
            fi
            path=${path%/*}
        done
    done </proc/self/cgroup
    echo "$least"
}

# build_jobs: prints how many compilers may run: as many as ninja would start, but at most one for
# each 256 MB. Most take 120 MB, the largest 240, and a linker of a sanitizer build more.
build_jobs() {
    local jobs=$(($(nproc) + 2)) room=$(($(memory_mb) / 256))
    [ "$room" -gt 0 ] || room=1
    echo $((jobs < room ? jobs : room))
}

# build_ninja DIR [OPTION...] [TARGET...]
build_ninja() {
    ninja -j "$(build_jobs)" -C "$@"
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
    configure_in "$@" && quietly build_ninja "$1" --quiet
}

# run_stages PLAN [--again]: installs and builds what the tests need, and runs script/stages.
run_stages() {
    local spent
    script/setup --tests || {
        echo "0 passed, 1 failed, 0 skipped"
        exit 1
    }
    times >build/setup-times # a subshell would have none
    spent=$(tail -n 1 build/setup-times |
        awk -F '[ms ]+' '{ print $1 * 60 + $2 + $3 * 60 + $4 }')
    STOCKACT_TEST_SETUP="[$SECONDS, $spent]" exec script/stages "$@" </dev/null
}
