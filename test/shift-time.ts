import type { Statement } from '#platform/database/database.ts';
import { createFragment } from '#platform/database/sql.ts';

/** The value of a column of times so many days later, or earlier if they are negative. A distributed database refuses a change by what depends on the time zone. */
export function shiftTime(column: string, days: number): Statement {
  return createFragment(
    `(${column} at time zone 'UTC' + make_interval(days => ${days})) at time zone 'UTC'`,
    [],
  );
}
