import type { Static } from 'typebox';
import { decodeCursor, encodeCursor, buildFilterScope, buildPage, type Page } from '#lib/cursor.ts';
import type { Context } from '#platform/operation.ts';
import type { Match } from '../store.ts';
import { countMatches, listMatches, type MatchFilter, type MatchPlace } from './store.ts';
import { toWire, type matchWire } from '../wire.ts';

/** A page of Match resources, best tier first; within a tier the order is random and stays. `name` is the list's, which its cursors are bound to. */
export async function readMatchPage(
  { database, secrets }: Pick<Context, 'database' | 'secrets'>,
  name: string,
  filter: MatchFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<Static<typeof matchWire>>> {
  const key = secrets.deriveKey('cursor');
  const scope = buildFilterScope(name, filter);
  const after = cursor === undefined ? undefined : (decodeCursor(key, scope, cursor) as MatchPlace);
  const [rows, total_count] = await Promise.all([
    listMatches(database, filter, after, limit + 1),
    countMatches(database, filter),
  ]);
  const encodeRowCursor = ({ match_quality, id }: Match) => encodeCursor(key, scope, [match_quality, id]);
  const { data, pagination } = buildPage({ rows, limit, total_count, next: encodeRowCursor });
  return { data: data.map(toWire), pagination };
}
