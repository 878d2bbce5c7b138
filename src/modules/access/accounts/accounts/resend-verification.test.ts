import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';

const app = await startApp();

const resend = (token?: string) =>
  app.request('POST', '/auth/resend-verification', token === undefined ? {} : { token });

async function listMails(email: string) {
  await app.drainQueue();
  return (await app.readMails()).filter(({ to }) => to.includes(email));
}

describe('resending the verification link', () => {
  it('emails another link, and both links work', async () => {
    const { token, email } = await app.registerMember();
    const { status, body } = await resend(token);
    expect([status, body]).toEqual([202, '']);
    const tokens = (await listMails(email)).map(({ text }) => /token=([\w-]{43})/.exec(text)![1]!);
    expect(new Set(tokens).size).toBe(2);
    expect((await app.request('POST', '/auth/verify-email', { body: { token: tokens[0] } })).status).toBe(
      204,
    );
    expect((await app.request('POST', '/auth/verify-email', { body: { token: tokens[1] } })).status).toBe(
      204,
    );
  });

  it('accepts every role and rejects an anonymous caller', async () => {
    expect((await resend((await app.registerOrgAdmin({ is_verified: false })).token)).status).toBe(202);
    expect((await resend((await app.registerPlatformAdmin()).token)).status).toBe(202);
    expect((await resend()).body.code).toBe('authentication_required');
  });

  it('is refused once the address is verified', async () => {
    const { token, user_id, email } = await app.registerMember();
    await listMails(email);
    await app.sql.run(sql`update users set email_verified_at = ${app.clock.now()} where id = ${user_id}`);
    const { status, body } = await resend(token);
    expect([status, body.code]).toEqual([409, 'email_already_verified']);
    expect(await listMails(email)).toHaveLength(1);
  });

  it('is refused after five emails within an hour, including the one at registration, even for concurrent requests', async () => {
    const { token, email } = await app.registerMember();
    const replies = await Promise.all(Array.from({ length: 6 }, () => resend(token)));
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      202, 202, 202, 202, 429, 429,
    ]);
    const refusal = await resend(token);
    expect([refusal.body.code, refusal.headers['retry-after']]).toEqual(['too_many_requests', '3600']);
    expect(await listMails(email)).toHaveLength(5);
    app.clock.advance(3_600_000);
    expect((await resend(token)).status).toBe(202);
  });
});
