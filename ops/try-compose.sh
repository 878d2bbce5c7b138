#!/bin/sh
# Runs ops/compose.yaml with podman-compose and the image that ops/try-image.sh has built, and shows what docs/operating.md promises of it: the service finds its database, answers on
# the published port, stops within its grace, and keeps what it was given when its containers are replaced. For CI: exit code 1 and one line if anything differs.
#
#   ops/try-compose.sh                            needs a registry for postgres:18-bookworm, or test/operating/make-base-images.sh
#   CONTAINERS_CONF=FILE ops/try-compose.sh       with a runtime and limits of its own, in a sandbox
set -eu
cd "$(dirname "$0")/.."
image=${IMAGE:-tessera}
project=tessera-try-$$
service=${project}_tessera_1
place=$(mktemp -d /tmp/tessera-compose-XXXXXX)
fail() { echo "try-compose: $1" >&2; exit 1; }
# podman-compose 1.0 takes an empty default for text.
sed 's/:-}/}/' ops/compose.yaml >"$place/compose.yaml"
compose() { podman-compose --project-name "$project" --file "$place/compose.yaml" "$@" >>"$place/log" 2>&1; }
clean() {
  compose down || true
  podman volume rm --force "${project}_database" "${project}_data" >/dev/null 2>&1 || true
  podman network rm --force "${project}_default" >/dev/null 2>&1 || true
  podman rmi "${project}_tessera" >/dev/null 2>&1 || true
  rm -rf "$place"
}
trap clean EXIT
TESSERA_MASTER_KEY=$(head -c 32 /dev/urandom | base64)
POSTGRES_PASSWORD=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
export TESSERA_MASTER_KEY POSTGRES_PASSWORD TESSERA_PUBLIC_URL=https://tessera.example

start() {
  compose up --detach || { cat "$place/log" >&2; fail 'it does not start'; }
  tries=0
  until podman exec "$service" node -e "fetch('http://127.0.0.1:8421/health/ready').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 90 ] || { cat "$place/log" >&2; podman logs "$service" >&2; fail 'the service is not ready after 90 tries'; }
    sleep 1
  done
}

send() { # path body
  curl --silent --output /dev/null --write-out '%{http_code}' --header 'content-type: application/json' --header 'x-forwarded-proto: https' --data "$2" "http://127.0.0.1:8420/api/v1$1"
}

podman tag "$image:try" "${project}_tessera"
start
for each in "$service" "${project}_database_1"; do
  podman healthcheck run "$each" >/dev/null || fail "the health check of $each fails"
done
[ "$(podman exec "$service" id -u)" != 0 ] || fail 'it runs as root'
! podman exec "$service" touch /opt/tessera/written 2>/dev/null || fail 'its root file system can be written'
answer=$(send /auth/register '{"email":"ada@example.org","password":"Correct-Horse-7-Battery","name":"Ada","role":"member"}')
[ "$answer" = 201 ] || fail "a registration got status $answer"
compose run --rm tessera cli doctor
# It ends with 0 in any case, and writes what the command ended with.
[ "$(tail -n 1 "$place/log")" = 'exit code: 0' ] || { cat "$place/log" >&2; fail 'doctor found a fault'; }
before=$(date +%s)
compose stop --timeout 60
stopped=$(($(date +%s) - before))
for each in "$service" "${project}_database_1"; do
  code=$(podman inspect --format '{{.State.ExitCode}}' "$each")
  [ "$code" = 0 ] || fail "$each stopped with exit code $code"
done
compose down
start
answer=$(send /auth/login '{"email":"ada@example.org","password":"Correct-Horse-7-Battery"}')
[ "$answer" = 200 ] || fail "the account is lost: a login got status $answer"
echo "compose: ready with $(podman exec "${project}_database_1" sh -c 'postgres --version || /usr/lib/postgresql/*/bin/postgres --version' 2>/dev/null), stopped in $stopped s, and the volumes kept the account"
