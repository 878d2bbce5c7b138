import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { cloneDatabase, startApp, type TestApp } from '#test/harness.ts';
import { parseSandboxOptions, fillSandbox, type SandboxOptions } from './fill-sandbox.ts';

const sandbox = { TESSERA_SANDBOX: 'on', TESSERA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
const database = await cloneDatabase();
const app = await startApp(sandbox, database);
const written: string[] = [];
const fill = (each: TestApp, options: SandboxOptions) =>
  fillSandbox(each, options, { write: (text) => written.push(String(text)) > 0 });
const access = await fill(app, { seed: '7', members: '25' });

const listPeople = (each: TestApp) =>
  each.sql.list(sql<{ email: string }>`
    select email, members.display_name, current_industry, years_experience, vector from users
      join members on members.id = users.member_id join trait_vectors on trait_vectors.member_id = members.id
    where email like 'member-%' order by email`);

test('the same seed gives the same people and results, and another seed others', async () => {
  const [again, other] = [await startApp(sandbox), await startApp(sandbox)];
  await fill(again, { seed: '7', members: '25' });
  await fill(other, { seed: '8', members: '25' });
  const people = await listPeople(app);
  expect(people).toHaveLength(20);
  expect(await listPeople(again)).toEqual(people);
  expect(await listPeople(other)).not.toEqual(people);
});

test('the key opens the API, the accounts log in, and both are printed once', async () => {
  expect(written[0]).toContain(access!.key);
  expect(written[0]).toContain(access!.password);
  const { status, body } = await app.request('GET', '/orgs/me', { token: access!.key });
  expect([status, body.name]).toEqual([200, 'Sandbox Clinic']);
  for (const email of ['admin@sandbox.example', 'member-20@sandbox.example'])
    expect(
      (await app.request('POST', '/auth/login', { body: { email, password: access!.password } })).status,
    ).toBe(200);
  const before = written.length;
  expect(await fill(app, {})).toBeUndefined();
  expect(written.slice(before).join('')).toMatch(/^Sandbox with 25 made-up people of seed 7\./);
  expect(written.slice(before).join('')).not.toContain('tsk_');
});

test('a sandbox stays what it was filled with', async () => {
  await expect(fill(app, { seed: '8' })).rejects.toThrow('was filled with --seed 7');
  await expect(fill(app, { members: '26' })).rejects.toThrow('was filled with --members 25');
  expect(await fill(app, { seed: '7', members: '25' })).toBeUndefined();
});

test('a number out of bounds or a misspelt option is one clear error', async () => {
  const empty = await startApp(sandbox);
  await expect(fill(empty, { seed: 'x' })).rejects.toThrow('--seed must be a whole number');
  await expect(fill(empty, { members: '10001' })).rejects.toThrow(
    '--members must be a whole number from 0 to 10000',
  );
  expect(() => parseSandboxOptions(['--sed', '1'])).toThrow("Unknown option '--sed'");
  expect(parseSandboxOptions(['--seed', '3'])).toEqual({ seed: '3' });
});

test('made-up and real people never share a database', async () => {
  await expect(startApp({}, database)).rejects.toThrow('this is the database of a sandbox');
  const others = await cloneDatabase();
  const real = await startApp({}, others);
  await real.registerMember();
  await expect(startApp(sandbox, others)).rejects.toThrow('accounts that are not of a sandbox');
  expect((await real.request('GET', '/consent-texts')).status).toBe(200);
});

test('the clock of a sandbox that starts again has not gone back', async () => {
  await app.sql.run(sql`update sandbox set ahead_ms = 86400000`);
  const again = await startApp(sandbox, database);
  expect(again.platform.testClock?.readAhead()).toBe(86_400_000);
  expect(again.platform.now().getTime() - again.clock.now().getTime()).toBe(86_400_000);
});
