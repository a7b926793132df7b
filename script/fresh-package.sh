# Sourced by script/fresh: the steps of --package, which run inside its namespaces. A copy of the
# bare machine, inside its folder, gets the tree and follows the README. The bare machine itself
# gets only the package: apt installs its dependencies, the server runs with the command line and
# the user of its unit, as far as that is possible without systemd, and purging leaves nothing
# behind. Then apt upgrades the newest release to this tree and to a tree with one more step of the
# schema, and goes back, with data.

unit=/lib/systemd/system/stockact.service
state=/var/lib/stockact
tries=0

# The control group of the systemd that boot_systemd starts. Nothing if there is no cgroup2.
cgroup_of_folder() {
    local top
    top=$(findmnt --noheadings --first-only --types cgroup2 --output TARGET || true)
    [ -z "$top" ] || echo "$top/stockact-fresh-${folder##*/}"
}

# Also after a failed step, when the processes of the group have ended.
remove_cgroup() {
    local place
    place=$(cgroup_of_folder)
    [ ! -d "$place" ] || find "$place" -depth -type d -exec rmdir {} \; 2>/dev/null || true
}

copy_machine() {
    builder=$folder/srv/builder
    source=$tree
    mkdir "$builder"
    tar -c -C "$folder" --one-file-system --exclude ./srv . | tar -x -p -C "$builder"
    mount_system "$builder"
    clone "$builder"
}

# Runs the README's two commands unchanged, without sudo, and answers yes to apt.
readme_works() {
    local line
    for line in script/package 'apt install ./build-package/stockact.deb'; do
        grep -qE "^(sudo )?$line +#" README.md || die "the README no longer says: $line"
        (quietly bare_in "$builder" "$source" env DEBIAN_FRONTEND=noninteractive $line <<<y)
    done
    keep_build this "$source/build-package"
    commit=$(git -C "$builder$source" rev-parse HEAD)
    title="stockact ${versions[this]} (commit ${commit:0:12})"
    [ "$(bare_in "$builder" / stockact version)" = "$title" ]
}

# keep_build NAME FOLDER: takes the package from the builder, and notes its version.
keep_build() {
    local version
    cp "$builder$2"/stockact_*.deb "$folder/root/$1.deb"
    version=$(dpkg-deb --field "$folder/root/$1.deb" Version)
    versions[$1]=${version%-1}
}
declare -A versions

apt() {
    (quietly bare env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@")
}

# install_build NAME [OPTION...]: apt installs the package of that build.
install_build() {
    local name=$1
    shift
    apt install -y --no-install-recommends "$@" "/root/$name.deb"
}

install_package() {
    apt update
    install_build this
}

# prints EXPECTED COMMAND...: checks the output of the command inside.
prints() {
    local expected=$1 got
    shift
    got=$(bare "$@") || true
    [ "$got" = "$expected" ] || die "expected \"$expected\", got \"$got\": $*"
}

package_is_complete() {
    prints "$title" stockact version
    prints "${title/ /-mcp }" stockact-mcp --version
    prints "stockact:$state:/usr/sbin/nologin" sh -c 'getent passwd stockact | cut -d: -f1,6,7'
    prints "stockact stockact 700" stat -c '%U %G %a' "$state"
    prints "root stockact 640" stat -c '%U %G %a' /etc/stockact/stockact.conf
    prints "$unit" readlink /etc/systemd/system/multi-user.target.wants/stockact.service
    prints "" dpkg --verify stockact
    prints "" find /usr/bin/stockact /usr/bin/stockact-mcp /etc/stockact -perm /022
}

# What `stockact doctor` advises about settings that others can read, done as it says: afterwards
# the server, whose user is not the file's owner, still reads them.
advice_works() {
    local file=/etc/stockact/stockact.conf advice
    local server=(setpriv --reuid stockact --regid stockact --init-groups)
    cp "$folder$file" "$folder/root/settings"
    echo 'smtp_url = smtp://ann:maple@127.0.0.1' >>"$folder$file"
    bare chown root:root $file
    bare chmod 644 $file
    advice=$( (bare "${server[@]}" stockact doctor --json || true) |
        sed -n "s|.*run \`\([^\`]*$file\)\`.*|\1|p" | head -n 1)
    [ -n "$advice" ] || die "doctor does not say how to close $file"
    bare sh -c "${advice//sudo /}" # root has no sudo here
    prints "root stockact 640" stat -c '%U %G %a' $file
    bare "${server[@]}" test -r $file || die "the server cannot read $file after: $advice"
    cp "$folder/root/settings" "$folder$file"
}

# The bill of materials has the checksums of the programs that apt installed.
bill_is_complete() {
    local bill=$folder/usr/share/doc/stockact/stockact.spdx.json program
    script/check-sbom "$bill"
    for program in stockact stockact-mcp; do
        grep -qF "$(sha256sum <"$folder/usr/bin/$program" | cut -d ' ' -f 1)" "$bill" ||
            die "the bill of materials has another $program"
    done
}

of_unit() {
    sed -n "s/^$1=//p" "$folder$unit"
}

# as_service COMMAND...: executes the command as the unit's user, in its folder.
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

# Operators' commands while the server runs, and a request with the key that they create. They find
# the settings by themselves, and refuse to write as root.
commands_work() {
    ! (bare stockact setup) 2>/dev/null || return 1
    (as_service stockact setup) >/dev/null
    (as_service stockact check) >/dev/null
    (as_service stockact accounts create --email ann@example.org --plan pack) >/dev/null
    key=$(as_service stockact keys mint --json --email ann@example.org --name first |
        sed -n 's/.*"key":"\([^"]*\)".*/\1/p')
    key_works
}

key_works() {
    local got
    got=$(curl --silent --fail --dump-header - --header "Authorization: Bearer $key" \
        "http://127.0.0.1:$port/api/v1/trades")
    grep -qi '^x-ratelimit-limit: 60' <<<"$got"
}

# Calls a tool as a host of a language model does.
tool_answers() {
    local got params
    params='"name":"list_trades","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"'
    params+=',"io.modelcontextprotocol/clientCapabilities":{}}'
    got=$(bare env "SVC_API_URL=http://127.0.0.1:$port" stockact-mcp <<END
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{$params}}
END
    )
    grep -q '"structuredContent":{"data":\[' <<<"$got"
}

# Starts the unit with the systemd that apt installed, as the first process of namespaces whose root
# is the folder (with pivot_root, since a chroot may not create user namespaces). The unit listens
# on the unix socket here, unlike in the other steps.
boot_systemd() {
    sed -i 's|^#listen =.*|listen = unix:/run/stockact/http.sock|' \
        "$folder/etc/stockact/stockact.conf"
    mkdir "$cgroup"
    (
        echo "$BASHPID" >"$cgroup/cgroup.procs"
        exec unshare --mount --propagation slave --pid --fork --kill-child \
            --cgroup --uts --ipc --net "$root/script/fresh" --boot "$folder"
    ) >"$log" 2>&1 &
    systemd=$!
    until nested systemctl is-active --quiet stockact 2>/dev/null; do
        if ! kill -0 "$systemd" 2>/dev/null || [ $((tries += 1)) -gt 150 ]; then
            cat "$log" >&2
            nested journalctl --unit stockact --no-pager >&2 || true
            return 1
        fi
        sleep 0.2
    done
}

# Executes systemd; runs inside the new namespaces.
boot() {
    local place=$1
    mount --bind "$place" "$place"
    mount -t proc proc "$place/proc"
    mount -t tmpfs tmpfs "$place/run"
    mount -t tmpfs tmpfs "$place/tmp"
    mount --rbind --make-rslave /sys "$place/sys"
    mount --rbind --make-rslave /dev "$place/dev"
    mount -t cgroup2 cgroup2 "$place/sys/fs/cgroup"
    cd "$place"
    pivot_root . mnt
    cd /
    umount -l /mnt
    exec /usr/bin/env --ignore-environment container=fresh PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        /lib/systemd/systemd --system --unit=multi-user.target
}

# nested COMMAND...: runs it in the namespaces of that systemd.
nested() {
    local first
    first=$(pgrep --parent "$systemd" | head -n 1)
    timeout 60 nsenter --target "$first" --mount --pid --ipc --uts --net --root \
        env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

unit_is_confined() {
    local main got
    main=$(nested systemctl show --property MainPID --value stockact)
    got=$(nested sed -n 's/^\(NoNewPrivs\|Seccomp\|CapBnd\):\t*//p' "/proc/$main/status")
    [ "$got" = $'0000000000000000\n1\n2' ] || die "not confined: $got"
    got=$(nested stat -c '%U %G %a' /run/stockact/http.sock)
    [ "$got" = "stockact stockact 660" ] || die "the socket is not stockact:stockact 660: $got"
    got=$(nested runuser -u stockact -- stockact check --json \
        --config /etc/stockact/stockact.conf)
    grep -q '"findings":0' <<<"$got"
}

unit_stops() {
    local got
    nested systemctl restart stockact
    nested systemctl stop stockact
    got=$(nested systemctl show --property Result --property ExecMainStatus stockact)
    [ "$got" = $'Result=success\nExecMainStatus=0' ] || die "the unit did not stop cleanly: $got"
    kill -KILL "$(pgrep --parent "$systemd" | head -n 1)"
    wait "$systemd" 2>/dev/null || true
    remove_cgroup
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

# Builds the packages of the newest release before this commit, with the script/package of today,
# and of a commit after it that adds a step of the schema, which older programs cannot use.
older_and_newer() {
    local release
    release=$("$root/script/version" --releases | grep -v "^$commit " | tail -n 1 || true)
    [ -n "$release" ] || die "this clone has no release before $commit"
    package_of older sh -c 'git checkout --quiet "$1" && git checkout --quiet "$2" script/package' \
        older "${release%% *}" "$commit"
    package_of newer bash -c 'set -e
        git checkout --quiet "$1"
        schema=src/store/schema
        last=$(cd $schema && ls [0-9]*.sql | tail -n 1)
        next=$(printf %04d $((10#${last%%-*} + 1)))
        printf "CREATE TABLE newer (no BIGINT);\n" >$schema/$next-newer.sql
        sed -i "/$last/a \    '\''../schema/$next-newer.sql'\''," src/db/meson.build
        git add --all
        git -c user.name=Ann -c user.email=ann@example.org commit --quiet --message newer
    ' newer "$commit"
}

# package_of NAME COMMAND...: builds what the command leaves in the tree of the builder.
package_of() {
    local name=$1
    shift
    (quietly bare_in "$builder" "$source" "$@")
    (quietly bare_in "$builder" "$source" script/package "/srv/$name")
    keep_build "$name" "/srv/$name"
}

older_gets_data() {
    install_build older
    unit_answers
    commands_work
    server_stops
}

# becomes NAME [OPTION...]: apt changes to this build, which serves the data of the one before.
becomes() {
    local name=$1
    install_build "$@"
    prints "${versions[$name]}-1" dpkg-query --show --showformat '${Version}' stockact
    unit_answers
    grep -qF "version=${versions[$name]}" "$log" || die "another version: $(cat "$log")"
    key_works
    (as_service stockact check --json) | grep -q '"findings":0'
    server_stops
}

# refuses NAME: the package of this build goes in, but its program leaves the newer database alone.
refuses() {
    local got
    install_build "$1" --allow-downgrades
    ! got=$(as_service stockact serve 2>&1) || die "it serves a newer database"
    grep -q 'this database is newer than this program' <<<"$got" || die "$got"
}

package_steps() {
    step "a second machine, with a clone of $(git rev-parse --short HEAD)" copy_machine
    step "on it: script/package; apt install ./build-package/stockact.deb" readme_works
    tree=/
    step "apt installs the package and its dependencies" install_package
    step "user, folders, modes" package_is_complete
    step "doctor's advice about open settings, done" advice_works
    step "bill of materials" bill_is_complete
    step "the unit's command line until it responds" unit_answers
    step "check, accounts, keys, a request with a key" commands_work
    step "a call to stockact-mcp" tool_answers
    step "SIGTERM to exit 0" server_stops
    cgroup=$(cgroup_of_folder)
    if [ -n "$cgroup" ] && [ -e "$folder/lib/systemd/systemd" ]; then
        step "its unit under systemd, on a unix socket" boot_systemd
        step "the unit is confined, commands work" unit_is_confined
        step "systemctl restart, stop" unit_stops
    else
        say "no cgroup2 or no systemd here: the unit itself is not started"
    fi
    step "remove keeps the data" remove_keeps_data
    step "purge leaves nothing" purge_leaves_nothing
    step "packages of the release before and of a newer schema" older_and_newer
    step "the release before gets data" older_gets_data
    step "apt upgrades it to this commit" becomes this
    step "apt goes back to the release before" becomes older --allow-downgrades
    step "apt upgrades it to the newer schema" becomes newer
    step "the release before refuses the newer schema" refuses older
    step "and so does this commit" refuses this
    step "apt upgrades again to the newer schema" becomes newer
}
