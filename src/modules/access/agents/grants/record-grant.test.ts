import type { Refusal } from '#lib/refusal.ts';
import { expect, test } from 'vitest';
import { reserveSpend, returnSpend, forgetGrants } from '#modules/access/agents';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { allowAgent, buildConsent } from '#test/modules/grants.ts';
import { runTask } from '#test/modules/matching.ts';
import { proves } from '#test/requirements.ts';
import { findLiveGrant, noteGrantUse } from './find-live-grant.ts';
import { recordGrant } from './record-grant.ts';

const app = await startApp();
const find = (id: string) => findLiveGrant(app.platform, app.sql, id);
const password = { current_password: '', new_password: 'Another-Horse-8-Battery' };

test('only what is ticked is granted, and its user is informed by email once', async () => {
  proves('oauth-capability-consent-explicit');
  const member = await app.registerMember();
  const id = await allowAgent(app, member, { allowed: ['read_profile'] });
  expect(await find(id)).toMatchObject({ tools: ['read_profile'], refused_tools: ['update_profile'] });
  // A further consent for the same client changes the grant.
  expect(await allowAgent(app, member)).toBe(id);
  expect((await find(id))?.tools).toEqual(['read_profile', 'update_profile']);
  await app.drainQueue();
  const mails = (await app.readMails()).filter(({ to }) => to === member.email);
  const about = mails.filter(({ subject }) => subject === 'An agent was connected');
  expect(about).toHaveLength(1);
  expect(about[0]!.text).toContain('It calls itself Agent Desk and sent you back to agent. example.');
  expect(about[0]!.text).toContain('/app/agents');
});

test('nobody allows what was not asked for, what their role may not allow, nothing at all, or spending without a limit', async () => {
  const [member, admin] = [await app.registerMember(), await app.registerOrgAdmin()];
  const bad: readonly [Parameters<typeof allowAgent>[1], Parameters<typeof allowAgent>[2], string][] = [
    [member, { allowed: ['read_profile', 'list_matches'] }, '/tools'],
    [member, { asked: ['list_jobs'], allowed: ['list_jobs'] }, '/tools'],
    [member, { asked: ['list_traits'], allowed: ['list_traits'] }, '/tools'],
    [member, { allowed: [] }, '/tools'],
    [admin, { spend_cap: null }, '/spend_cap'],
  ];
  for (const [user, changes, pointer] of bad)
    await expect(allowAgent(app, user, changes)).rejects.toMatchObject({
      code: 'field_invalid',
      extras: { errors: [{ pointer }] },
    });
  expect(await app.sql.list(sql`select from agent_grants where user_id = ${member.user_id}`)).toEqual([]);
});

test('a grant ends with its time, with a new password, and while its user or organisation is suspended', async () => {
  const member = await app.registerMember();
  const day = await allowAgent(app, member, { lifetime_days: 1 });
  app.clock.advance(86_400_000);
  expect(await find(day)).toBeUndefined();
  const { body } = await app.request('POST', '/auth/login', {
    body: { email: member.email, password: member.password },
  });
  const id = await allowAgent(app, member);
  expect(id).not.toBe(day);
  app.clock.advance(1_000);
  await app.request('POST', '/auth/change-password', {
    token: body.access_token,
    body: { ...password, current_password: member.password },
  });
  expect(await find(id)).toBeUndefined();
  const admin = await app.registerOrgAdmin();
  const theirs = await allowAgent(app, admin);
  const suspend = (at: Date | null) =>
    app.sql.run(sql`update organisations set suspended_at = ${at} where id = ${admin.org_id}`);
  await suspend(app.clock.now());
  expect(await find(theirs)).toBeUndefined();
  await suspend(null);
  expect(await find(theirs)).toBeDefined();
  await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${admin.user_id}`);
  expect(await find(theirs)).toBeUndefined();
});

test('of many spendings at once, exactly those within the limit succeed', async () => {
  const admin = await app.registerOrgAdmin();
  const id = await allowAgent(app, admin, { spend_cap: 1_000_000n });
  const spend = (amount: bigint) =>
    app.sql
      .transaction((tx) => reserveSpend(app.platform, tx, id, amount))
      .then(
        () => 'spent',
        (error: unknown) => (error as Refusal).code,
      );
  const results = await Promise.all(Array.from({ length: 8 }, () => spend(250_000n)));
  expect(results.toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => 'grant_spend_cap_reached'),
    ...Array.from({ length: 4 }, () => 'spent'),
  ]);
  await app.sql.transaction((tx) => returnSpend(tx, id, 250_000n));
  expect([await spend(250_001n), await spend(250_000n)]).toEqual(['grant_spend_cap_reached', 'spent']);
  const poor = await allowAgent(app, await app.registerMember());
  await expect(app.sql.transaction((tx) => reserveSpend(app.platform, tx, poor, 1n))).rejects.toMatchObject({
    code: 'grant_spend_cap_reached',
  });
});

test('the last use is stored to the minute', async () => {
  const id = await allowAgent(app, await app.registerMember());
  const use = async () => noteGrantUse(app.platform, (await find(id))!);
  await use();
  const first = (await find(id))!.last_used_at;
  app.clock.advance(59_000);
  await use();
  expect((await find(id))!.last_used_at).toEqual(first);
  app.clock.advance(1_000);
  await use();
  expect((await find(id))!.last_used_at).toEqual(app.clock.now());
});

test('a user has at most fifty agents, and grants are deleted a month after their end', async () => {
  const member = await app.registerMember();
  const buildClient = (id: number) => ({ id: String(id), name: 'Agent', redirect_host: 'agent.example' });
  for (let id = 0; id < 50; id++)
    await allowAgent(app, member, { client: buildClient(id), lifetime_days: 1 });
  const consent = { ...buildConsent(app, member), client: buildClient(50) };
  await expect(app.sql.transaction((tx) => recordGrant(app.platform, tx, consent))).rejects.toMatchObject({
    code: 'grants_full',
  });
  const count = async () =>
    (await app.sql.list(sql`select from agent_grants where user_id = ${member.user_id}`)).length;
  app.clock.advance(31 * 86_400_000);
  await runTask(app, forgetGrants, {});
  expect(await count()).toBe(50);
  app.clock.advance(1_000);
  await runTask(app, forgetGrants, {});
  expect(await count()).toBe(0);
});
