#!/bin/sh
# Makes stand-ins for the images that ops/Dockerfile and ops/compose.yaml name, where no registry of images can be reached: Debian by debootstrap, without manuals as its own slim image,
# Node as the lock file pins it, and the PostgreSQL 15 of Debian in place of 18, started with the three variables of the official image. As root, after `npm ci`:
#
#   PODMAN='podman --runtime runc' RUN='--network=host' test/operating/make-base-images.sh
set -eu
cd "$(dirname "$0")/../.."
podman=${PODMAN:-podman}
run=${RUN:-}
modules=$PWD/node_modules
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
place=$(mktemp -d /tmp/tessera-bases-XXXXXX)
trap 'rm -rf "$place"' EXIT

debootstrap --variant=minbase bookworm "$place/root" http://deb.debian.org/debian >"$place/log"
for folder in doc man info locale lintian; do rm -rf "$place/root/usr/share/$folder"; done
rm -rf "$place"/root/var/cache/apt/* "$place"/root/var/lib/apt/lists/* "$place"/root/var/log/*
tar -C "$place/root" -c . | $podman import - docker.io/library/debian:bookworm-slim

mkdir "$place/node" "$place/postgres"
cp "$modules/node-linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')/bin/node" "$place/node/node"
cp -R "$npm" "$place/node/npm"
# What the packages are fetched with on this machine: the authorities that it trusts.
cp /etc/ssl/certs/ca-certificates.crt "$place/node/"
cat >"$place/node/Dockerfile" <<'END'
FROM docker.io/library/debian:bookworm-slim
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 --user-group node
END
# shellcheck disable=SC2086 -- the options are several words.
$podman build $run --tag docker.io/library/node:24-bookworm-slim "$place/node"

cat >"$place/postgres/entrypoint.sh" <<'END'
#!/bin/sh
set -eu
export PATH="/usr/lib/postgresql/15/bin:$PATH" PGDATA=/var/lib/postgresql/15/docker
if [ "$(id -u)" = 0 ]; then
  chown postgres:postgres /var/lib/postgresql
  exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0"
fi
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  echo "$POSTGRES_PASSWORD" | initdb --username="$POSTGRES_USER" --pwfile=/dev/stdin --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "create database $POSTGRES_DB" | postgres --single -j postgres
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql
END
chmod 755 "$place/postgres/entrypoint.sh"
cat >"$place/postgres/Dockerfile" <<'END'
FROM docker.io/library/debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-15 && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/15
COPY entrypoint.sh /usr/local/bin/entrypoint.sh
STOPSIGNAL SIGINT
ENTRYPOINT ["entrypoint.sh"]
END
# shellcheck disable=SC2086
$podman build $run --tag docker.io/library/postgres:18-bookworm "$place/postgres"
