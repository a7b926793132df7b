# Sourced by script/fresh: the steps of --package, run inside its namespaces. The bare machine gets
# nothing but the package: apt finds what it depends on, the server runs with the command line and
# as the user of its unit, as far as that goes without systemd, and purging leaves nothing behind.

unit=/lib/systemd/system/stockact.service
state=/var/lib/stockact

make_package() {
    script/package "$folder/root/package" >"$log" 2>&1 || {
        cat "$log" >&2
        return 1
    }
}

apt() {
    (quietly bare env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@")
}

install_package() {
    local file
    file=$(ls "$folder"/root/package/stockact_*.deb)
    apt update
    apt install -y --no-install-recommends "${file#"$folder"}"
}

# stands EXPECTED COMMAND...: the command inside prints that and nothing else.
stands() {
    local expected=$1 got
    shift
    got=$(bare "$@") || true
    [ "$got" = "$expected" ] || die "expected \"$expected\", got \"$got\": $*"
}

package_is_whole() {
    local version
    version=$(sed -n "s/^ *version: '\(.*\)',\$/\1/p" "$root/meson.build" | head -n 1)
    stands "stockact $version" stockact version
    stands "stockact:$state:/usr/sbin/nologin" sh -c 'getent passwd stockact | cut -d: -f1,6,7'
    stands "stockact stockact 700" stat -c '%U %G %a' "$state"
    stands "root root 644" stat -c '%U %G %a' /etc/stockact/stockact.conf
    stands "$unit" readlink /etc/systemd/system/multi-user.target.wants/stockact.service
    stands "" dpkg --verify stockact
    stands "" find /usr/bin/stockact /etc/stockact -perm /022
}

of_unit() {
    sed -n "s/^$1=//p" "$folder$unit"
}

# as_service COMMAND...: becomes the command, as what the unit says.
as_service() {
    bare setpriv --reuid "$(of_unit User)" --regid "$(of_unit Group)" --clear-groups \
        --no-new-privs --inh-caps=-all --bounding-set=-all \
        sh -c 'cd "$1" && umask "$2" && shift 2 && exec "$@"' service \
        "$(of_unit WorkingDirectory)" "$(of_unit UMask)" \
        env "STOCKACT_LISTEN=127.0.0.1:$port" "$@"
}

unit_answers() {
    local command
    read -ra command < <(of_unit ExecStart)
    as_service "${command[@]}" >"$log" 2>&1 &
    server=$!
    wait_until_ready
}

# The operator's commands beside the server, and a request with the key that they make.
commands_work() {
    local config=/etc/stockact/stockact.conf key got
    (as_service stockact check --config $config) >/dev/null
    (as_service stockact accounts create --config $config --email ann@example.org --plan pack) \
        >/dev/null
    key=$(as_service stockact keys mint --json --config $config --email ann@example.org \
        --name first | sed -n 's/.*"key":"\([^"]*\)".*/\1/p')
    got=$(curl --silent --fail --dump-header - --header "Authorization: Bearer $key" \
        "http://127.0.0.1:$port/api/v1/trades")
    grep -qi '^x-ratelimit-limit: 60' <<<"$got"
}

remove_keeps_data() {
    apt remove -y stockact
    [ ! -e "$folder/usr/bin/stockact" ] || die "the program is still there"
    [ -s "$folder$state/stockact.db" ] || die "the data is gone"
    [ -e "$folder/etc/stockact/stockact.conf" ] || die "the settings are gone"
}

purge_leaves_nothing() {
    local left
    apt purge -y stockact
    left=$(cd "$folder" && find etc lib usr var/lib -name '*stockact*')
    [ -z "$left" ] || die "left behind:" $left
}

package_steps() {
    step "script/package" make_package
    step "apt installs it and what it needs" install_package
    step "user, folders, modes" package_is_whole
    step "the unit's command line until it answers" unit_answers
    step "check, accounts, keys, a request with a key" commands_work
    step "SIGTERM to exit 0" server_stops
    step "remove keeps the data" remove_keeps_data
    step "purge leaves nothing" purge_leaves_nothing
}
