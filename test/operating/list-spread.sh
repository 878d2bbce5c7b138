#!/bin/sh
# Lists test files that use the database, spread over all modules, for other-postgres.sh: of each module the first and the middle one, those of the database and of
# the queue, and the samples of releases.
set -eu
cd "$(dirname "$0")/../.."
{
  ls src/platform/database/migrate.test.ts src/platform/database/database.test.ts src/platform/queue/*.test.ts test/releases/*.test.ts
  for module in src/modules/*/*; do
    find "$module" -name '*.test.ts' -exec grep -l startApp {} + | sort |
      awk '{ file[NR] = $0 } END { if (NR > 0) print file[1]; if (NR > 2) print file[int((NR + 1) / 2)] }'
  done
} | sort -u
