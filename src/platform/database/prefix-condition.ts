import { last_character } from '#lib/text/code-points.ts';
import { sql, type Statement } from './sql.ts';

/**
 * Builds the condition that a text column begins with a text, without regard to case. An index on `lower(column) collate "C"` finds these
 * rows whatever the locale of the database is. The database changes the case of both, because which letters it knows depends on its locale.
 */
export function buildPrefixCondition(column: Statement, start: string): Statement {
  return sql`(lower(${column}) collate "C" >= lower(${start}) and lower(${column}) collate "C" < lower(${start}) || ${last_character})`;
}
