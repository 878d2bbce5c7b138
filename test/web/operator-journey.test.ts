import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { insertCandidate } from '#test/modules/learning.ts';
import { sql } from '#platform/database/database.ts';
import { startApp } from '../harness.ts';
import { enableMfa } from '../modules/auth.ts';
import { listActs } from '../modules/operator.ts';
import { password } from '../users.ts';
import { createVisitor, unescapeHtml, type Visitor } from './visitor.ts';

let operator: Visitor;
let operator_id: string;
const app = await startApp();
beforeAll(async () => {
  const { email, user_id } = await app.registerPlatformAdmin();
  operator_id = user_id;
  operator = await logIn(email, '/app/operator');
});

afterEach(() => void vi.useRealTimers());

/** The counts of the queue are remembered for five seconds of the monotonic clock. */
function skipCacheOfCounts(): void {
  const now_ms = performance.now();
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(now_ms + 6_000);
}

async function logIn(email: string, home = '/app'): Promise<Visitor> {
  const visitor = createVisitor(app);
  const page = await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  expect(page.address).toBe(home);
  return visitor;
}

it('the operator finds a user of an organisation, suspends the account, and lifts the suspension', async () => {
  const admin = await app.registerOrgAdmin({ email: 'quay.admin@example.org', name: 'Quay Works' });
  const browser = await logIn(admin.email);
  const found = await operator.open('/app/operator/users?q=quay.admin');
  expect(found.html).toContain('quay.admin@example.org');
  const page = await operator.open(`/app/operator/users/${admin.user_id}`);
  expect(page.html).toContain('Quay Works');
  const suspended = await operator.send(page, 'suspend');
  expect(suspended.address).toBe(`/app/operator/users/${admin.user_id}?notice=userSuspended`);
  expect(suspended.html).toContain('The account is suspended.');

  expect((await browser.open('/app')).address).toMatch(/^\/sign-in/);
  const again = createVisitor(app);
  const refused = await again.send(await again.open('/sign-in'), 'send', { email: admin.email, password });
  expect([refused.status, unescapeHtml(refused.html).includes('This account is suspended')]).toEqual([
    403,
    true,
  ]);
  const list = await operator.open('/app/operator/users?suspended=true');
  expect(list.html).toContain('quay.admin@example.org');

  const resumed = await operator.send(suspended, 'resume');
  expect(resumed.address).toContain('notice=userResumed');
  await logIn(admin.email);
  expect(await listActs(app, 'auth.account_suspended', operator_id)).toMatchObject([
    { org_id: admin.org_id },
  ]);
});

it('the operator suspends an organisation, whose users read why they cannot log in, and lifts the suspension', async () => {
  const { org_id, email } = await app.registerOrgAdmin({ name: 'Slipway Works' });
  const browser = await logIn(email);
  const page = await operator.open(`/app/operator/organisations/${org_id}`);
  const suspended = await operator.send(page, 'suspend');
  expect(suspended.address).toBe(`/app/operator/organisations/${org_id}?notice=organisationSuspended`);
  expect((await browser.open('/app')).address).toMatch(/^\/sign-in/);
  const again = createVisitor(app);
  const refused = await again.send(await again.open('/sign-in'), 'send', { email, password });
  expect([refused.status, unescapeHtml(refused.html).includes('Your organisation is suspended.')]).toEqual([
    403,
    true,
  ]);
  const list = await operator.open('/app/operator/organisations?suspended=true');
  expect(list.html.match(/class="tag clay">suspended/g)).toHaveLength(1);
  expect(list.html).toContain('Slipway Works');
  const resumed = await operator.send(suspended, 'resume');
  expect(resumed.address).toContain('notice=organisationResumed');
  await logIn(email);
});

it('an operator who is the only one cannot suspend that account, and reads why beside the button', async () => {
  const page = await operator.open(`/app/operator/users/${operator_id}`);
  const refused = await operator.send(page, 'suspend');
  expect(refused.status).toBe(409);
  expect(unescapeHtml(refused.html)).toMatch(
    /<details class="act" open>[\s\S]*This is the only platform administrator/,
  );
});

it('the operator sets the tier of an organisation, which its users see at once', async () => {
  const { org_id, token } = await app.registerOrgAdmin({ name: 'Pier & Sons' });
  const found = await operator.open('/app/operator/organisations?q=pier');
  expect(unescapeHtml(found.html)).toContain('Pier & Sons');
  const page = await operator.open(`/app/operator/organisations/${org_id}`);
  const set = await operator.send(page, 'tier', { tier: 'E3 Operator' });
  expect(set.address).toBe(`/app/operator/organisations/${org_id}?notice=tierSet`);
  expect((await app.request('GET', '/orgs/me', { token })).body.tier).toBe('E3 Operator');
  const refused = await operator.send(set, 'tier', { tier: 'E9' });
  expect([refused.status, refused.html.includes('id="tier-tier-error"')]).toEqual([422, true]);
});

it('the operator resets MFA of a person who lost the phone, after confirming the password', async () => {
  const member = await app.registerMember();
  await enableMfa(app, member);
  app.clock.advance(16 * 60_000);
  const asked = await operator.open(`/app/operator/users/${member.user_id}/reset-mfa`);
  expect(asked.address).toMatch(/^\/app\/account\/confirm\?continue=/);
  const page = await operator.send(asked, 'send', { password });
  expect(page.address).toBe(`/app/operator/users/${member.user_id}/reset-mfa`);
  const reset = await operator.send(page, 'reset');
  expect(reset.address).toContain('notice=mfaReset');
  await logIn(member.email);
});

it('the operator sees that a task has failed, reads why, and tries it again', async () => {
  await app.sql.run(sql`
    insert into tasks (id, name, status, attempt, error, created_at, updated_at)
    values (gen_random_uuid(), 'sso.forgetLogins', 'failed', 3, 'Error: the disk <b>is</b> full', now(), now())`);
  skipCacheOfCounts();
  const home = await operator.open('/app/operator');
  expect(home.html).toContain('Background tasks that failed for good: 1.');
  expect(home.html).toContain('href="/app/operator/queue">Try them again</a>');
  expect((await operator.open('/app/operator/queue')).html).toContain(
    'href="/app/operator/queue/sso.forgetLogins"',
  );
  const page = await operator.open('/app/operator/queue/sso.forgetLogins');
  expect(page.html).toContain('Error: the disk &lt;b&gt;is&lt;/b&gt; full');
  const retried = await operator.send(page, 'retry');
  expect(retried.address).toBe('/app/operator/queue/sso.forgetLogins?notice=taskRetried');
  expect(retried.html).toContain('No task of this name has failed.');
  await app.drainQueue();
  expect((await operator.open('/app/operator/queue/sso.forgetLogins')).html).toContain(
    'No task of this name has failed.',
  );
});

it('the operator starts nightly work from the first page, and a drill only where there is an archive', async () => {
  const home = await operator.open('/app/operator');
  expect(home.html).not.toContain('Prove that the archive can be restored');
  const started = await operator.send(home, 'start', { work: 'books' });
  expect(started.address).toBe('/app/operator?notice=workStarted');
  expect(started.html).toContain('The work is queued.');
  expect(await listActs(app, 'work.started', operator_id)).toMatchObject([{ detail: { task: 'books' } }]);
  await app.drainQueue();
});

it('the operator cannot go back before the first version of the policy', async () => {
  const page = await operator.open('/app/operator/policies');
  expect(page.html).not.toContain('Go back to version');
});

it('the operator reads what a candidate would change and promotes it, and a rule that is against it holds', async () => {
  await insertCandidate(app.sql);
  const page = await operator.open('/app/operator/policies?preview=2');
  expect(page.html).toContain('1.00 becomes 1.06');
  expect(page.html).toContain('active jobs were compared. Nothing was stored.');
  const asked = await operator.send(page, 'promote');
  expect(asked.html).toContain('The evaluation waits for a worker.');
  expect(await listActs(app, 'policies.promotion_started', operator_id)).toMatchObject([
    { detail: { version: 2 } },
  ]);
  await app.drainQueue();
  const done = await operator.open(asked.address);
  expect(done.html).toContain('The evaluation is done.');
  expect(done.html).toMatch(/Decision<\/dt>\s*<dd>too few outcomes, too few organisations/);
  expect(await listActs(app, 'policies.promoted', operator_id)).toEqual([]);
});

it('the operator rotates and revokes keys, puts a version into use, and computes all matches', async () => {
  const keys = await operator.send(await operator.open('/app/operator/keys'), 'rotate');
  expect(keys.address).toBe('/app/operator/keys?notice=keysRotated');
  const { kid } = app.platform.keys.selectActive('credential');
  const key = await operator.open(`/app/operator/keys/${kid}`);
  const revoked = await operator.send(key, 'revoke');
  expect([revoked.address, revoked.html.includes('Nothing that it signed is accepted.')]).toEqual([
    `/app/operator/keys/${kid}?notice=keyRevoked`,
    true,
  ]);
  const refused = await operator.send(await operator.open('/app/operator/calibration'), 'estimate');
  expect([refused.status, refused.html.includes('Those of 0 can be used.')]).toEqual([409, true]);
  const versions = await operator.send(await operator.open('/app/operator/calibration'), 'activate');
  expect(versions.address).toBe('/app/operator/calibration?notice=calibrationActivated');
  const matching = await operator.send(await operator.open('/app/operator/matching'), 'recompute');
  expect(matching.html).toContain('The computation waits for a worker.');
  await app.drainQueue();
  expect((await operator.open(matching.address)).html).toContain('All matches have been computed.');
});

it('the operator reads a version of a bank with its curves, is asked to compare it, and puts it into use', async () => {
  const banks = await operator.open('/app/operator/banks');
  expect(banks.html).toContain('href="/app/operator/banks/tessera/mvp20-2.anchored"');
  const version = await operator.open('/app/operator/banks/tessera/mvp20-2.anchored?scale=sincerity');
  expect(version.html).toContain('<svg class="curves"');
  expect(version.html).toContain('sincerity_01');
  const preview = await operator.open('/app/operator/banks/tessera/mvp20-2.anchored?preview=yes');
  expect(preview.html).toContain('at least 10 members with complete answers, but there are 0');
  const used = await operator.send(version, 'use');
  expect(used.address).toBe('/app/operator/banks?notice=calibrationActivated');
  const [act] = (await listActs(app, 'items.put_into_use', operator_id)).slice(-1);
  expect(act).toMatchObject({ detail: { version: 'mvp20-2.anchored' } });
  const back = await operator.open('/app/operator/banks/tessera/mvp20-2.correlated');
  expect((await operator.send(back, 'use')).html).toContain('in use');
  expect((await operator.open('/app/operator/banks/tessera/none')).status).toBe(404);
});

it('the pages of the operator are not for others, and what does not exist is not found', async () => {
  const { email } = await app.registerOrgAdmin();
  const visitor = await logIn(email);
  expect((await visitor.open('/app/operator')).status).toBe(403);
  expect((await createVisitor(app).open('/app/operator/users')).address).toMatch(/^\/sign-in/);
  for (const path of ['users/00000000-0000-4000-8000-000000000000', 'keys/made-up'])
    expect((await operator.open(`/app/operator/${path}`)).status).toBe(404);
});
