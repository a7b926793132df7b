# Sourced by script/fresh: the steps of --container. Executes the container file without a container
# engine: each stage is a copy of the bare machine, and its instructions run in a chroot. The last
# stage then runs as the engine would run it: read-only, as its user, without privileges, as the
# first process of its namespace, with a volume as the only place to write.

containerfile=deploy/container/Containerfile
stop=

# Prints each instruction on one line.
instructions() {
    sed -e '/^#/d' -e '/^$/d' "$containerfile" |
        sed -e :again -e '/\\$/N' -e 's/ *\\\n */ /' -e 't again'
}

# words JSON: prints the texts of an array, one per line.
words() {
    python3 -c 'import json, sys; print(*json.loads(sys.argv[1]), sep="\n")' "$1"
}

# from BASE [as NAME]: begins a stage.
from() {
    [[ $1 == debian:$suite-slim ]] || die "the container file begins with $1"
    image=$folder/srv/${3-last}
    place=/
    environment=()
    mkdir -p "$image"
    tar -c -C "$folder" --one-file-system --exclude ./srv --exclude './var/cache/apt/*' \
        --exclude './var/lib/apt/lists/*' . | tar -x -p -C "$image"
    mount_system "$image"
}

# copy [--from=STAGE] SOURCE TARGET; `.` is what .dockerignore leaves of the committed tree.
copy() {
    if [[ $1 == --from=* ]]; then
        cp -a "$folder/srv/${1#--from=}$2" "$image$3"
    elif [ "$1" = . ]; then
        git archive HEAD -- $(sed -n 's/^!//p' .dockerignore) | tar -x -C "$image$place"
    else
        cp "$1" "$image$2"
    fi
}

# build_image: executes the instructions. Those that describe the image are kept for later.
build_image() {
    local kind rest
    mkdir -p "$folder/srv"
    while read -r kind rest <&3; do
        case $kind in
        FROM) from $rest ;;
        COPY) copy $rest ;;
        RUN) (quietly bare_in "$image" "$place" sh -c "$rest") ;;
        WORKDIR) place=$rest && mkdir -p "$image$rest" ;;
        ENV) eval "environment+=($rest)" ;;
        USER) user=$rest ;;
        VOLUME) volume=$rest ;;
        HEALTHCHECK) health=${rest#*CMD } ;;
        ENTRYPOINT) entry=$rest ;;
        CMD) arguments=$rest ;;
        STOPSIGNAL) stop=$rest ;;
        ARG | LABEL | EXPOSE) ;; # git archive names the commit
        *) die "$containerfile has an instruction that this script does not know: $kind" ;;
        esac || die "failed: $kind $rest"
    done 3< <(instructions)
    umount -l "$image/proc" "$image/sys" "$image/dev"
}

# The image has the program and what it needs, and nothing that builds or fetches.
image_is_small() {
    local left missing
    left=$(cd "$image/usr/bin" && find . -name 'gcc*' -o -name 'meson*' -o -name 'python3*' \
        -o -name git -o -name curl)
    [ -z "$left" ] || die "the image has:" $left
    missing=$(chroot "$image" ldd /usr/bin/stockact | grep 'not found' || true)
    [ -z "$missing" ] || die "$missing"
    left=$(find "$image$volume" "$image/tmp" "$image/var/lib/apt/lists" -mindepth 1)
    [ -z "$left" ] || die "the image has:" $left
    say "$(du -sxm "$image" | cut -f 1) MiB, of which a bare Debian has" \
        "$(du -sxm --exclude ./srv --exclude srv "$folder" | cut -f 1) MiB"
}

# Mounts the image read-only, with the volume and what every engine mounts.
mount_container() {
    mount --bind "$image" "$image"
    mount -t tmpfs -o "uid=${user%:*},gid=${user#*:},mode=700" tmpfs "$image$volume"
    mount --rbind --make-rslave /sys "$image/sys"
    mount --rbind --make-rslave /dev "$image/dev"
    mount -o remount,bind,ro "$image"
    confined=(setpriv --reuid "${user%:*}" --regid "${user#*:}" --clear-groups --no-new-privs
        --inh-caps=-all --bounding-set=-all
        env --ignore-environment HOME=/ PATH=/usr/sbin:/usr/bin:/sbin:/bin "${environment[@]}"
        "STOCKACT_LISTEN=0.0.0.0:$port")
}

# exec_in_container COMMAND...: as `docker exec` runs it.
exec_in_container() {
    nsenter --target "$(pgrep --parent "$server")" --mount --pid --root --wd="$image$place" \
        "${confined[@]}" "$@"
}

# Starts the entry point as the first process of its namespace, and waits for the health check.
container_starts() {
    local command check
    mapfile -t command < <(words "$entry" && words "$arguments")
    mapfile -t check < <(words "$health")
    mount_container
    unshare --pid --fork --kill-child --mount-proc --root="$image" --wd="$place" \
        "${confined[@]}" "${command[@]}" >"$log" 2>&1 &
    server=$!
    until exec_in_container "${check[@]}" >/dev/null 2>&1; do
        if ! kill -0 "$server" 2>/dev/null || [ $((tries += 1)) -gt 150 ]; then
            cat "$log" >&2
            return 1
        fi
        sleep 0.2
    done
}

container_is_confined() {
    local main got
    main=$(pgrep --parent "$server")
    got=$(sed -n 's/^\(Uid\|NoNewPrivs\|CapEff\|CapBnd\):\t*//p' "/proc/$main/status" | cut -f 1)
    [ "$got" = "${user%:*}"$'\n0000000000000000\n0000000000000000\n1' ] ||
        die "not confined: $got"
    grep -q 'event=confined .*landlock=[1-9]' "$log" || die "$(cat "$log")"
    got=$(exec_in_container sh -c 'touch /usr/x /etc/x /tmp/x' 2>&1 || true)
    [ "$(grep -c 'Read-only file system' <<<"$got")" = 3 ] || die "not read-only: $got"
}

# Operators' commands in the container, and a request.
container_works() {
    (exec_in_container stockact setup) >/dev/null
    (exec_in_container stockact check) >/dev/null
    curl --silent --fail "http://127.0.0.1:$port/api/v1/trades" | grep -q '"data":\['
}

# An electronic report of one row and a scan of two, which the tests draw, are read inside: with
# pdftotext, pdftoppm and tesseract, each in its own sandbox.
container_reads() {
    local inbox=$image$volume/inbox node got
    node=$(test_node)
    mkdir "$inbox"
    "$node" --input-type=module - "$inbox" <<'END'
import { writeFileSync } from 'node:fs';
const [folder] = process.argv.slice(2);
const lib = `${process.cwd()}/tests/e2e/lib`;
const { housePdf } = await import(`${lib}/house_pdf.mjs`);
const { HOUSE_ROW } = await import(`${lib}/invented_rows.mjs`);
const { filledForm, pdfOfPictures } = await import(`${lib}/scan_pdf.mjs`);
writeFileSync(`${folder}/20990001.pdf`, housePdf({ rows: [HOUSE_ROW] }));
writeFileSync(`${folder}/8990001.pdf`, pdfOfPictures([filledForm()]));
END
    got=$(exec_in_container stockact ingest --json "$volume/inbox" | grep -o '"rows":[0-9]*')
    [ "$got" = $'"rows":1\n"rows":2' ] || die "the documents were not read: $got"
}

# Process 1 ends what killed commands leave behind: it has no child but the server.
container_reaps() {
    local main
    main=$(pgrep --parent "$server")
    exec_in_container sh -c 'sleep 0.1 & exit'
    tries=0
    until [ "$(pgrep --count --parent "$main")" -eq 1 ]; do
        [ $((tries += 1)) -le 50 ] || die "left behind: $(ps --ppid "$main" -o stat=,args=)"
        sleep 0.1
    done
}

# SIGTERM reaches the first process of a namespace only if that process handles it.
container_stops() {
    local status=0
    kill -s "${stop#SIG}" "$(pgrep --parent "$server")"
    wait "$server" || status=$?
    [ $status -eq 0 ] || cat "$log" >&2
    return $status
}

container_steps() {
    step "the stages of $containerfile" build_image
    step "the image is small" image_is_small
    step "it runs until its health check succeeds" container_starts
    step "user, privileges, read-only root" container_is_confined
    step "commands inside, a request" container_works
    step "a report and a scan are read" container_reads
    step "process 1 ends orphans" container_reaps
    step "$stop to exit 0" container_stops
}
