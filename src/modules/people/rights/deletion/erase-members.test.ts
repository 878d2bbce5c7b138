import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createFragment } from '#platform/database/sql.ts';
import { answerAllItems } from '#test/assessment.ts';
import { createCast, type CastOrganisation } from '#test/cast.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { insertStoredMatch } from '#test/modules/matching.ts';
import { proves } from '#test/requirements.ts';
import { password, type TestMember } from '#test/users.ts';
import { personalData } from '../../../../tables/personal-data.ts';
import { collectPersonalData } from '../copies/collect-personal-data.ts';
import { eraseMembers } from './erase-members.ts';

const month_ms = 2_592_000_000;

const app = await startApp();

const deleteAccount = ({ token }: TestMember, on = app) => on.request('DELETE', '/members/me', { token });
const doesMemberExist = async (member_id: string, on = app) =>
  (await on.sql.find(sql`select from members where id = ${member_id}`)) !== undefined;

test('erases a member when the retention period has passed, and not a second earlier', async () => {
  proves('member-deletion-by-background-job');
  const [leaving, staying] = [await app.registerMember(), await app.registerMember()];
  await deleteAccount(leaving);
  await app.drainQueue();
  app.clock.advance(month_ms - 1_000);
  await runErasure(app);
  expect(await doesMemberExist(leaving.member_id)).toBe(true);
  app.clock.advance(1_000);
  await runErasure(app);
  expect(await doesMemberExist(leaving.member_id)).toBe(false);
  expect(await doesMemberExist(staying.member_id)).toBe(true);
});

test('erases a member with the next run if the retention period is zero', async () => {
  proves('member-deletion-by-background-job');
  const own = await startApp({ TESSERA_RETENTION_SECONDS: '0' });
  const leaving = await own.registerMember();
  await deleteAccount(leaving, own);
  expect(await doesMemberExist(leaving.member_id, own)).toBe(true);
  await own.drainQueue();
  expect(await doesMemberExist(leaving.member_id, own)).toBe(false);
});

test('an erased member can register again as a new member, and the old token and password are refused', async () => {
  const own = await startApp({ TESSERA_RETENTION_SECONDS: '0' });
  const leaving = await own.registerMember();
  await deleteAccount(leaving, own);
  await own.drainQueue();
  const { email, token } = leaving;
  const login = await own.request('POST', '/auth/login', { body: { email, password } });
  expect([login.status, login.body.code]).toEqual([401, 'credentials_wrong']);
  expect((await own.request('GET', '/members/me', { token })).status).toBe(401);
  const again = await own.registerMember({ email });
  expect(again.member_id).not.toBe(leaving.member_id);
});

test('erases the other members if one cannot be erased, and tries that one again', async () => {
  const own = await startApp({ TESSERA_RETENTION_SECONDS: '0' });
  const [stuck, free] = [await own.registerMember(), await own.registerMember()];
  // A trigger of a table that is on one node of a distributed database as well.
  await own.sql.run(sql`
    create function hold_up() returns trigger language plpgsql as $$ begin raise exception 'held up'; end $$`);
  await own.sql.run(
    createFragment(
      `create trigger hold_up before delete on users for each row when (old.member_id = '${stuck.member_id}') execute function hold_up()`,
      [],
    ),
  );
  await deleteAccount(stuck, own);
  await deleteAccount(free, own);
  const context = {
    ...own.platform,
    now: own.clock.now,
    signal: AbortSignal.any([]),
    reportProgress: async () => undefined,
  };
  await expect(eraseMembers.run(context, {})).rejects.toThrow('members could not be erased');
  expect([await doesMemberExist(stuck.member_id, own), await doesMemberExist(free.member_id, own)]).toEqual([
    true,
    false,
  ]);
  const { count } = await own.sql.one(
    sql<{ count: number }>`select count(*) from users where member_id = ${stuck.member_id}`,
  );
  expect(count, 'a failed erasure erases nothing').toBe(1);
  await own.sql.run(sql`drop trigger hold_up on users`);
  await own.drainQueue();
  expect(await doesMemberExist(stuck.member_id, own)).toBe(false);
});

test('concurrent workers erase a member once', async () => {
  const own = await startApp({ TESSERA_RETENTION_SECONDS: '0' });
  const leaving = await own.registerMember();
  await deleteAccount(leaving, own);
  const context = {
    ...own.platform,
    now: own.clock.now,
    signal: AbortSignal.any([]),
    reportProgress: async () => undefined,
  };
  await Promise.all([1, 2, 3].map(() => eraseMembers.run(context, {})));
  expect(await doesMemberExist(leaving.member_id, own)).toBe(false);
  const erased = await own.sql.list(sql`select action from audit_log where action = 'rights.member_erased'`);
  expect(erased).toHaveLength(1);
});

test('an export contains all data except secrets, and after the erasure no table contains any of it', async () => {
  proves('member-deletion-by-background-job');
  const own = await startApp({ TESSERA_RETENTION_SECONDS: '0' });
  const { neighbour, ours } = await createCast(own);
  const leaving = await createActiveMember(own, ours);
  const canaries = await readCanaries(own, leaving);
  const before = await findCanaries(own, canaries);
  expect([...before.keys()].toSorted(), 'every canary is stored before the erasure').toEqual(
    Object.keys(canaries).toSorted(),
  );
  const copy = JSON.stringify(await collectPersonalData(personalData, own.sql, leaving.member_id));
  const { password_hash, refresh_token, mailed_token, ...exported } = canaries;
  for (const [name, value] of Object.entries(exported))
    expect([name, copy.includes(value)]).toEqual([name, true]);
  for (const secret of [password_hash, refresh_token, mailed_token]) expect(copy).not.toContain(secret);
  await deleteAccount(leaving, own);
  await own.drainQueue();
  // Every process must refuse the tokens of the session until they have expired. Nothing says whose session it was.
  expect(Object.fromEntries(await findCanaries(own, canaries))).toEqual({
    session: ['public.session_endings'],
  });
  expect(await doesMemberExist(neighbour.member_id, own)).toBe(true);
  const { count } = await own.sql.one(
    sql<{ count: number }>`select count(*) from matches where member_id = ${neighbour.member_id}`,
  );
  expect(count).toBeGreaterThan(0);
});

/** Runs the task as the hourly schedule does. */
async function runErasure(on: TestApp): Promise<void> {
  await on.sql.transaction((tx) => on.platform.queue.send(tx, eraseMembers, {}));
  await on.drainQueue();
}

/** Creates a member who has used every feature, each time with a value that no other member has. */
async function createActiveMember(own: TestApp, { org_id, job_id }: CastOrganisation): Promise<TestMember> {
  const member = await own.registerMember({ email: 'canary-7f3a@example.org', name: 'Canary Sevenfold' });
  const { token, member_id, email } = member;
  await own.drainQueue();
  const mail = (await own.readMails()).findLast(({ to }) => to.includes(email));
  await own.request('POST', '/auth/verify-email', { body: { token: /token=([\w-]+)/.exec(mail!.text)![1] } });
  await own.request('POST', '/auth/login', {
    body: { email, password },
    headers: { 'user-agent': 'CanaryBrowser/7' },
  });
  for (const consent_type of ['assessment_data', 'matching', 'identity_queries'])
    await own.request('POST', '/members/me/consent', {
      token,
      body: { consent_type, granted: true, version: '1.0' },
    });
  await own.request('PUT', '/orgs/queries/consent/category', {
    token,
    body: { category: 'archetype', approved: true },
  });
  const body = {
    current_industry: 'canary-keeping',
    years_experience: 3,
    education_level: 'masters',
    location_country: 'NZ',
  };
  await own.request('PUT', '/members/me/profile', { token, body });
  await answerAllItems(own, token);
  await own.request('POST', '/members/me/data-export', { token, body: {} });
  await own.drainQueue();
  await insertStoredMatch(own, { member_id, job_id, org_id });
  return member;
}

/** Reads the values that must not remain: names, addresses, ids and hashes. */
async function readCanaries(own: TestApp, { member_id, user_id, email }: TestMember) {
  const readText = async (statement: ReturnType<typeof sql<{ text: string }>>) =>
    (await own.sql.list(statement))[0]!.text;
  return {
    email,
    name: 'Canary Sevenfold',
    industry: 'canary-keeping',
    consent_record: await readText(
      sql`select id::text as text from consent_records where member_id = ${member_id} limit 1`,
    ),
    user_agent: 'CanaryBrowser/7',
    member_id,
    user_id,
    password_hash: await readText(sql`select password_hash as text from users where id = ${user_id}`),
    session: await readText(sql`select id::text as text from sessions where user_id = ${user_id}`),
    refresh_token: await readText(sql`
      select encode(token_hash, 'hex') as text from refresh_tokens
      where session_id in (select id from sessions where user_id = ${user_id})`),
    mailed_token: await readText(
      sql`select encode(token_hash, 'hex') as text from mailed_tokens where user_id = ${user_id}`,
    ),
    assessment: await readText(sql`select id::text as text from assessments where member_id = ${member_id}`),
    match: await readText(sql`select id::text as text from matches where member_id = ${member_id}`),
    data_export: await readText(
      sql`select id::text as text from data_exports where member_id = ${member_id}`,
    ),
  };
}

/** Finds the tables that contain each canary in any column, in the schemas of the service and of the queue. */
async function findCanaries(
  own: TestApp,
  canaries: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = await own.sql.list(sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
  const found = new Map<string, string[]>();
  for (const { name } of tables) {
    const rows = await own.sql.list(sql<{ line: string }>`
      select (xpath('//line/text()', line))[1]::text as line
      from (select unnest(xpath('//row', query_to_xml(${`select to_jsonb(t)::text as line from ${name} t`}, true, false, ''))) as line) as lines`);
    for (const [canary, value] of Object.entries(canaries))
      if (rows.some(({ line }) => line.includes(value)))
        found.set(canary, [...(found.get(canary) ?? []), name]);
  }
  return found;
}
