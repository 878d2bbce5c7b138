#!/bin/sh
# Builds ops/Dockerfile with podman and shows what docs/operating.md promises of the image: an ordinary user, a read-only root file system, health, a stop within
# its grace, a volume that outlives the container, and the next tag on the same volume. For CI: exit code 1 and one line if anything differs.
#
#   ops/try-image.sh                              needs a registry for node:24-bookworm-slim
#   PODMAN='podman --runtime runc' RUN='--network=host --ulimit=nofile=4096:4096 --ulimit=nproc=4096:4096' ops/try-image.sh
#                                                 in a sandbox without limits of its own and without cgroups v2
set -eu
cd "$(dirname "$0")/.."
podman=${PODMAN:-podman}
run=${RUN:-}
image=${IMAGE:-tessera}
port=${PORT:-8420}
internal=${INTERNAL_PORT:-8421}
name=tessera-try-$$
fail() { echo "try-image: $1" >&2; exit 1; }
clean() { $podman rm --force "$name" >/dev/null 2>&1 || true; $podman volume rm "$name" >/dev/null 2>&1 || true; }
trap clean EXIT

start() { # tag
  $podman run --detach --name "$name" $run --read-only --tmpfs /tmp --cap-drop=all --volume "$name:/var/lib/tessera" \
    --env TESSERA_PORT="$port" --env TESSERA_INTERNAL_PORT="$internal" --env TESSERA_RATE_LIMITS=off "$image:$1" >/dev/null
  tries=0
  until $podman exec "$name" node -e "fetch('http://127.0.0.1:$internal/health/ready').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"; do
    tries=$((tries + 1))
    [ "$tries" -lt 90 ] || { $podman logs "$name" >&2; fail "the container is not ready after 90 tries"; }
    sleep 1
  done
}

stop() {
  before=$(date +%s)
  $podman stop --time 60 "$name" >/dev/null
  took=$(($(date +%s) - before))
  code=$($podman inspect --format '{{.State.ExitCode}}' "$name")
  [ "$code" = 0 ] || fail "it stopped with exit code $code"
  $podman rm "$name" >/dev/null
}

# In the format of Docker, because that of OCI has no health check.
# shellcheck disable=SC2086 -- the options are several words.
$podman build --format docker $run ${BUILD:-} --ignorefile ops/Dockerfile.dockerignore --file ops/Dockerfile \
  --build-arg TESSERA_COMMIT="$(git rev-parse HEAD)" --tag "$image:try" .
size=$($podman image inspect --format '{{.Size}}' "$image:try")

start try
$podman healthcheck run "$name" >/dev/null || fail 'its own health check fails'
uid=$($podman exec "$name" id -u)
[ "$uid" != 0 ] || fail 'it runs as root'
! $podman exec "$name" touch /opt/tessera/written 2>/dev/null || fail 'its root file system can be written'
$podman exec "$name" node -e "
  fetch('http://127.0.0.1:$port/api/v1/auth/register', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.org', password: 'Correct-Horse-7-Battery', name: 'Ada', role: 'member' }) })
    .then((reply) => process.exit(reply.status === 201 ? 0 : 1))" || fail 'a registration was refused'
stop
stopped=$took

# The next tag, on the volume of the one before.
$podman tag "$image:try" "$image:next"
start next
$podman exec "$name" node src/app/main.js cli doctor >/dev/null || fail 'doctor found a fault'
$podman exec "$name" node -e "
  fetch('http://127.0.0.1:$port/api/v1/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.org', password: 'Correct-Horse-7-Battery' }) })
    .then((reply) => process.exit(reply.status === 200 ? 0 : 1))" || fail 'the volume did not keep the account'
stop
echo "image: $((size / 1000000)) MB with its base, uid $uid, stopped in $stopped s, the next tag found the data"
