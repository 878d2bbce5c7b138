import { randomUUID } from 'node:crypto';
import { emptySql, sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Finding, FindingDecision, FindingKind, FindingState, NewFinding } from './findings.ts';

export type Examination = Pick<Finding, 'parameter_version' | 'respondents'> & { readonly now: Date };

/** Inserts what an examination found, and brings open findings up to date. What somebody has decided about stays as it was decided. */
export async function upsertFindings(
  tx: Transaction,
  findings: readonly NewFinding[],
  { parameter_version, respondents, now }: Examination,
): Promise<void> {
  await tx.run(sql`
    insert into item_findings
      (id, kind, item_ids, subject, compared_with, size, answered, respondents, parameter_version, found_at)
    select id, kind, string_to_array(item_ids, ' '), subject, compared_with, size, answered, ${respondents}::integer,
      ${parameter_version}::text, ${now}::timestamptz
    from unnest(
      ${findings.map(() => randomUUID())}::uuid[], ${findings.map(({ kind }) => kind)}::text[],
      ${findings.map(({ item_ids }) => item_ids.join(' '))}::text[], ${findings.map(({ subject }) => subject)}::text[],
      ${findings.map(({ compared_with }) => compared_with)}::text[], ${findings.map(({ size }) => size)}::double precision[],
      ${findings.map(({ answered }) => answered)}::integer[]
    ) as found (id, kind, item_ids, subject, compared_with, size, answered)
    on conflict (kind, item_ids, subject, compared_with) do update
      set size = excluded.size, answered = excluded.answered, respondents = excluded.respondents,
        parameter_version = excluded.parameter_version, found_at = excluded.found_at
      where item_findings.decision is null`);
}

/** Deletes open findings of these kinds that an older examination found and the newest one did not. */
export async function deleteOutdatedFindings(
  tx: Transaction,
  kinds: readonly FindingKind[],
  { now }: Examination,
): Promise<void> {
  await tx.run(sql`
    delete from item_findings where decision is null and kind = any(${kinds}::text[]) and found_at < ${now}`);
}

/** Finds a finding, and makes concurrent decisions about it wait. */
export function lockFinding(tx: Transaction, id: string): Promise<Finding | undefined> {
  return tx.find(sql<Finding>`
    select id, kind, to_json(item_ids) as item_ids, subject, compared_with, size, answered, respondents, parameter_version, found_at,
      decision, retired_item, decided_at
    from item_findings where id = ${id} for update`);
}

export type FindingPlace = readonly [found_at: string, id: string];

/** Lists findings, the newest first; `after` is the last one on the page before. */
export function listFindings(
  db: Reader,
  state: FindingState | undefined,
  after: FindingPlace | undefined,
  limit: number,
): Promise<Finding[]> {
  const from = after ? sql`and (found_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<Finding>`
    select id, kind, to_json(item_ids) as item_ids, subject, compared_with, size, answered, respondents, parameter_version, found_at,
      decision, retired_item, decided_at
    from item_findings
    where ${selectState(state)} ${from} order by found_at desc, id desc limit ${limit}`);
}

export function countFindings(db: Reader, state: FindingState | undefined): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from item_findings where ${selectState(state)}`);
}

function selectState(state: FindingState | undefined) {
  if (state === undefined) return sql`true`;
  if (state === 'open') return sql`decision is null`;
  return state === 'dismissed' ? sql`decision = 'dismiss'` : sql`decision <> 'dismiss'`;
}

/** Counts the open findings of each kind. */
export function countOpenFindings(
  db: Reader,
): Promise<{ readonly kind: FindingKind; readonly count: number }[]> {
  return db.list(sql<{ kind: FindingKind; count: number }>`
    select kind, count(*)::integer as count from item_findings where decision is null group by kind order by kind`);
}

/** Lists the findings whose decisions are in force. */
export function listAcceptedFindings(
  db: Reader,
): Promise<Pick<Finding, 'kind' | 'item_ids' | 'size' | 'decision' | 'retired_item'>[]> {
  return db.list(sql<Pick<Finding, 'kind' | 'item_ids' | 'size' | 'decision' | 'retired_item'>>`
    select kind, to_json(item_ids) as item_ids, size, decision, retired_item from item_findings
    where decision <> 'dismiss'`);
}

/** Stores a decision, or with null that nobody has decided. */
export async function updateDecision(
  tx: Transaction,
  id: string,
  decided: {
    readonly decision: FindingDecision | null;
    readonly retired_item: string | null;
    readonly decided_at: Date | null;
  },
): Promise<void> {
  const { decision, retired_item, decided_at } = decided;
  await tx.run(sql`
    update item_findings set decision = ${decision}, retired_item = ${retired_item}, decided_at = ${decided_at} where id = ${id}`);
}
