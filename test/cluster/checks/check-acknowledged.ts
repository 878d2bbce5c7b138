import type pg from 'pg';
import { findItem } from '#modules/measurement/traits';
import type { Load } from '../load/whole-load.ts';
import { listMissing, readColumn, type Findings } from './rows.ts';

/** Looks for every write that a client got an acknowledgement for. @returns those that are not there. */
export async function checkAcknowledged(client: pg.Client, { log, mailbox }: Load): Promise<Findings> {
  const list = (kind: string) => log.list(kind).map(({ id }) => id);
  // A deletion whose reply was lost may have been carried out.
  const leaving = new Set(list('begun erasures').flatMap((id) => id.split(' ')));
  const isStaying = (id: string) => !leaving.has(id.split(' ')[0]!);
  const people = await readColumn(client, 'select id from users');
  const closed = await readColumn(client, "select id from jobs where status = 'closed'");
  const mailed = await mailbox.countAddresses();
  return {
    'registrations lost': listMissing(list('registrations').filter(isStaying), people),
    'mails lost': mailed < people.length ? [`${people.length - mailed} of ${people.length}`] : [],
    'answers lost': listMissing(
      list('answers').filter(isStaying).map(toStoredAnswer),
      await listAnswers(client),
    ),
    'results lost': listMissing(
      list('assessments').filter(isStaying),
      await readColumn(client, 'select member_id from trait_vectors'),
    ),
    'jobs lost': listMissing(list('jobs'), await readColumn(client, 'select id from jobs')),
    'closings lost': listMissing(list('closings'), closed),
    'reads lost': listMissing(list('reads'), await listRecordedKeys(client)),
    'payouts lost': listMissing(
      list('payouts'),
      await readColumn(client, "select id from payouts where status = 'paid'"),
    ),
    'erased people found': await findRemains(client, list('erasures')),
  };
}

/** The API names an item otherwise than the table. */
function toStoredAnswer(answer: string): string {
  const [member_id, item_id] = answer.split(' ');
  return `${member_id} ${findItem(item_id!)!.id}`;
}

/** Answers are rows until a result is based on them, and then a part of their assessment. */
async function listAnswers(client: pg.Client): Promise<readonly string[]> {
  return [
    ...(await readColumn(client, "select member_id || ' ' || item_id from assessment_answers")),
    ...(await readColumn(
      client,
      "select member_id || ' ' || unnest(item_ids) from assessments where item_ids is not null",
    )),
  ];
}

/** Lists the keys of the payments that have exactly one read. */
async function listRecordedKeys(client: pg.Client): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for (const id of await readColumn(client, 'select payment_id from reads where payment_id is not null'))
    counts.set(id, (counts.get(id) ?? 0) + 1);
  const recorded = new Set(await readColumn(client, "select id from payments where state = 'recorded'"));
  const { rows } = await client.query<{ key: string; payment_id: string }>(
    'select key, payment_id from payment_keys',
  );
  return rows
    .filter(({ payment_id }) => recorded.has(payment_id) && counts.get(payment_id) === 1)
    .map(({ key }) => key);
}

/** Looks for ids and addresses of erased people in every column of every table. */
async function findRemains(client: pg.Client, erasures: readonly string[]): Promise<readonly string[]> {
  const erased = new Set(erasures.flatMap((id) => id.split(' ')));
  const remains = new Set<string>();
  const tables = await readColumn(
    client,
    "select tablename from pg_tables where schemaname = 'public' and tablename not like 'pg_dist%'",
  );
  for (const table of tables)
    for (const line of await readColumn(client, `select row_to_json(t) from "${table}" as t`))
      for (const [word] of line.matchAll(
        /(?:person-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:@cluster\.example)?/g,
      ))
        if (erased.has(word)) remains.add(`${table} has ${word}`);
  return [...remains];
}
