import pg from 'pg';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { listStatements } from '../list-statements.ts';
import { callTool, revisions, startAgentApp, type Revision } from './agents.ts';

const app = await startAgentApp();
const member = await app.registerMember();
const token = await app.connectAgent(member, { tools: ['read_profile'] });

const read = (used: string) => app.request('GET', '/members/me', { token: used });
const call = (revision: Revision) => callTool(app, 'read_profile', {}, { token, revision });

test('a call of a tool sends the statements of the same request with a session, and looks up its grant', async () => {
  // The first call of a minute also stores that the grant was used.
  await read(token);
  const bySession = await listStatements(() => read(member.token));
  expect(bySession).toHaveLength(1);
  for (const send of [() => read(token), ...revisions.map((revision) => () => call(revision))]) {
    const [lookUp, ...others] = await listStatements(send);
    expect(others).toEqual(bySession);
    expect(lookUp).toMatch(/from agent_grants join open_accounts .*agent_grants\.id = \$1/s);
  }
});

test('the look-up of a grant finds one row of each table by its primary key', async () => {
  const [lookUp] = await listStatements(() => call('2026-07-28'));
  const { grant_id } = app.findAgent(token);
  // With a few rows, every index is as good as another.
  await app.sql.run(sql`
    insert into agent_grants (id, user_id, client_id, client_name, redirect_host, tools, refused_tools, created_at, consented_at, expires_at)
    select gen_random_uuid(), user_id, 'client-' || n, client_name, redirect_host, tools, refused_tools, created_at, consented_at, expires_at
    from agent_grants, generate_series(1, 2000) as n where id = ${grant_id}`);
  await app.sql.run(sql`
    insert into organisations (id, name, created_at, suspended_at)
    select gen_random_uuid(), 'Organisation ' || n, now(), now() from generate_series(1, 2000) as n`);
  await app.sql.run(sql`analyze agent_grants, organisations`);
  const client = new pg.Client(app.sql.settings);
  await client.connect();
  try {
    await client.query('set enable_seqscan = off');
    await client.query(`prepare look_up (uuid, timestamptz) as ${lookUp!}`);
    const { rows } = await client.query(`explain execute look_up ('${grant_id}', now())`);
    const plan = rows.map((row) => Object.values(row as object)[0]).join('\n');
    const scans = [...plan.matchAll(/(?:Scan|Index Only Scan) using (\w+)/g)].map(([, index]) => index);
    expect(new Set(scans)).toEqual(new Set(['agent_grants_pkey', 'organisations_pkey', 'users_pkey']));
    expect(plan).not.toMatch(/Seq Scan|Bitmap/);
  } finally {
    await client.end();
  }
});
