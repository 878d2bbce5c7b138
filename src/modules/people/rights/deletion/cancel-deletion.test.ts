import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import type { TestMember } from '#test/users.ts';

const month_ms = 2_592_000_000;

const app = await startApp();

const leave = ({ token }: Pick<TestMember, 'token'>, on = app) =>
  on.request('DELETE', '/members/me', { token });
const cancel = (token: unknown, on = app) => on.request('POST', '/auth/cancel-deletion', { body: { token } });
const logIn = ({ email, password }: TestMember, on = app) =>
  on.request('POST', '/auth/login', { body: { email, password } });

async function readMailsTo(email: string, on = app) {
  await on.drainQueue();
  return (await on.readMails()).filter(({ to }) => to.includes(email));
}

/** The newest token that cancels the deletion of a member's account. */
async function readCancellationToken({ email }: TestMember, on = app): Promise<string> {
  const mails = (await readMailsTo(email, on)).filter(({ text }) => text.includes('cancel-deletion'));
  return /cancel-deletion\?token=([\w-]+)/.exec(mails.at(-1)!.text)![1]!;
}

test('the email that confirms a deletion says when the data is erased, and its token restores the account', async () => {
  const member = await app.registerDeployedMember();
  const { body } = await leave(member);
  const mail = (await readMailsTo(member.email)).at(-1)!;
  expect(mail.subject).toBe('Your account will be deleted');
  expect(body.erase_after).toBe('2026-04-01T09:00:00.000Z');
  expect(mail.text).toContain('erased after 1 April 2026 at 09:00 UTC');
  const restored = await cancel(await readCancellationToken(member));
  expect([restored.status, restored.body]).toEqual([204, '']);
  const login = await logIn(member);
  expect(login.status).toBe(200);
  const { body: me } = await app.request('GET', '/members/me', { token: login.body.access_token });
  expect([me.account_status, me.engagement_level]).toEqual(['active', 4]);
  app.clock.advance(month_ms);
  await app.drainQueue();
  expect((await logIn(member)).status).toBe(200);
});

test('the restored member is deployed again, and the owner is informed', async () => {
  const member = await app.registerDeployedMember();
  await leave(member);
  await cancel(await readCancellationToken(member));
  const events = await app.sql.list(
    sql<{
      type: string;
    }>`select type from events where data->>'member_id' = ${member.member_id} order by created_at`,
  );
  expect(events.at(-1)?.type).toBe('member.deployed');
  expect((await readMailsTo(member.email)).at(-1)?.subject).toBe('Your account will not be deleted');
  const audited = await app.sql.list(
    sql`select action, actor_user_id from audit_log where member_id = ${member.member_id} and action like 'rights.%' order by sequence`,
  );
  expect(audited).toEqual([
    { action: 'rights.deletion_requested', actor_user_id: member.user_id },
    { action: 'rights.deletion_cancelled', actor_user_id: member.user_id },
  ]);
});

test('the sessions from before stay ended', async () => {
  const member = await app.registerMember();
  await leave(member);
  await cancel(await readCancellationToken(member));
  const { status, body } = await app.request('GET', '/auth/me', { token: member.token });
  expect([status, body.code]).toEqual([401, 'token_invalid']);
});

test('a token works once, even for many at the same time, and not for a later deletion', async () => {
  const member = await app.registerMember();
  await leave(member);
  const token = await readCancellationToken(member);
  const replies = await Promise.all(Array.from({ length: 20 }, () => cancel(token)));
  const statuses = replies.map(({ status }) => status).toSorted((one, other) => one - other);
  expect(statuses).toEqual([204, ...Array<number>(19).fill(410)]);
  await leave({ token: (await logIn(member)).body.access_token });
  const again = await cancel(token);
  expect([again.status, again.body.code]).toEqual([410, 'cancellation_token_invalid']);
  expect((await logIn(member)).body.code).toBe('account_pending_deletion');
  expect((await cancel(await readCancellationToken(member))).status).toBe(204);
});

test('a token works until the end of the retention, and not after', async () => {
  const member = await app.registerMember();
  await leave(member);
  const token = await readCancellationToken(member);
  app.clock.advance(month_ms);
  expect((await cancel(token)).body.code).toBe('cancellation_token_invalid');
});

test('an erasure at the same moment either happens or not, and leaves no half of an account', async () => {
  for (let round = 0; round < 5; round++) {
    const member = await app.registerMember();
    await leave(member);
    const token = await readCancellationToken(member);
    await app.sql.run(
      sql`update deletion_requests set erase_after = ${app.clock.now()} where member_id = ${member.member_id}`,
    );
    const [{ status }] = await Promise.all([cancel(token), app.drainQueue()]);
    const kept = await app.sql.find(
      sql`select from members where id = ${member.member_id} and account_status = 'active'`,
    );
    expect([status, kept !== undefined]).toEqual(status === 204 ? [204, true] : [410, false]);
  }
});

test('all consents that were withdrawn with the account stay withdrawn', async () => {
  const member = await app.registerDeployedMember();
  await app.request('POST', '/members/me/consent/withdraw-all', { token: member.token, body: {} });
  await cancel(await readCancellationToken(member));
  const token = (await logIn(member)).body.access_token;
  const { body } = await app.request('GET', '/members/me/consent', { token });
  expect(body.consent_level).toBe('none');
});

test('without a retention period the email says that the account is gone, and has no token', async () => {
  const own = await startApp({ TESSERA_RETENTION_SECONDS: '0' });
  const member = await own.registerMember();
  await leave(member, own);
  const mail = (await readMailsTo(member.email, own)).at(-1)!;
  expect(mail.subject).toBe('Your account is being deleted');
  expect(mail.text).not.toContain('token');
});

test('an account that the operator has just suspended is not marked for deletion, so that no email ends the suspension', async () => {
  const member = await app.registerMember();
  // As another process does it: this one has not read the suspension yet.
  await app.sql.run(sql`update members set account_status = 'suspended' where id = ${member.member_id}`);
  const { status, body } = await leave(member);
  expect([status, body.code]).toEqual([403, 'account_suspended']);
});

test('two deletions at once email one token', async () => {
  const member = await app.registerMember();
  await Promise.all([leave(member), leave(member), leave(member)]);
  const mails = await readMailsTo(member.email);
  expect(mails.filter(({ subject }) => subject === 'Your account will be deleted')).toHaveLength(1);
});

test('anything but a token of this kind is refused', async () => {
  const member = await app.registerMember();
  const verification = /token=([\w-]+)/.exec((await readMailsTo(member.email))[0]!.text)![1];
  await leave(member);
  for (const token of [verification, '', 'x', `${await readCancellationToken(member)}x`]) {
    const { status, body } = await cancel(token);
    expect([status, body.code]).toEqual([410, 'cancellation_token_invalid']);
  }
  for (const token of [undefined, 7, 'x'.repeat(201)])
    expect((await cancel(token)).body.code).toBe('field_invalid');
  const other = await app.registerMember();
  await leave(other);
  await cancel(await readCancellationToken(other));
  expect((await logIn(member)).body.code, 'one member’s token restores no other').toBe(
    'account_pending_deletion',
  );
});
