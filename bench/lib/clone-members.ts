import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** The tables with rows about a member who has an account and a complete assessment, in the order of their references. */
const tables = [
  'members',
  'users',
  'sessions',
  'refresh_tokens',
  'mailed_tokens',
  'consent_records',
  'assessments',
  'trait_vectors',
  'audit_log',
  'events',
] as const;

/** What selects the rows of a member, apart from `member_id`. The values are the ids of the member, the user and the session. */
const conditions = {
  members: 'id = $1',
  users: 'id = $2',
  sessions: 'id = $3',
  refresh_tokens: 'session_id = $3',
  mailed_tokens: 'user_id = $2',
  audit_log: 'actor_user_id = $2',
  events: `data->>'member_id' = $1::text`,
} as const;

/**
 * Copies every member of the database with all rows, each under new ids and in a transaction of its own, as if as many people had
 * registered: indexes get random keys, and triggers run.
 */
export async function cloneMembers(client: pg.Client, count: number): Promise<void> {
  // The copies must not slow down the search for the originals.
  for (const table of tables) await client.query(`create temp table original_${table} as table ${table}`);
  const statements: Awaited<ReturnType<typeof buildStatement>>[] = [];
  for (const table of tables) statements.push(await buildStatement(client, table));
  const { rows } = await client.query<{ member_id: string; user_id: string; session_id: string }>(`
    select member_id, users.id as user_id, sessions.id as session_id
    from users join sessions on sessions.user_id = users.id join members on members.id = member_id
    where assessment_phase = 'complete'`);
  for (let number = 0; number < count; number += 1) {
    const { member_id, user_id, session_id } = rows[number % rows.length]!;
    await client.query('begin');
    const values = [member_id, user_id, session_id, randomUUID(), randomUUID(), randomUUID()];
    for (const statement of statements) await client.query({ ...statement, values });
    await client.query('commit');
  }
}

/** Builds the statement that copies a member's rows of a table. Its values are the ids of the member, user and session, and the new ones. */
async function buildStatement(client: pg.Client, table: string): Promise<{ name: string; text: string }> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select column_name as name, udt_name as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_identity = 'NO' and is_generated = 'NEVER'`,
    [table],
  );
  const names = rows.map(({ name }) => `"${name}"`).join(', ');
  const values = rows.map(({ name, type }) => buildValue(table, name, type)).join(', ');
  const condition = conditions[table as keyof typeof conditions] ?? 'member_id = $1';
  return {
    name: `clone-${table}`,
    text: `with ids as (select $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::uuid, $6::uuid)
      insert into ${table} (${names}) select ${values} from original_${table} where ${condition}`,
  };
}

function buildValue(table: string, name: string, type: string): string {
  const ids = { members: '$4::uuid', users: '$5::uuid', sessions: '$6::uuid' };
  if (name === 'id') return ids[table as keyof typeof ids] ?? 'gen_random_uuid()';
  if (name === 'email' && table === 'users') return `'clone-' || $5::text || '@example.org'`;
  if (type === 'bytea') return 'sha256(gen_random_uuid()::text::bytea)';
  const references: Readonly<Record<string, string>> = {
    member_id: '$4::uuid',
    user_id: '$5::uuid',
    actor_user_id: '$5::uuid',
    session_id: '$6::uuid',
  };
  return references[name] ?? `"${name}"`;
}
