import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import type { TestUser } from '#test/users.ts';

const app = await startApp();

const verify = (token: unknown) => app.request('POST', '/auth/verify-email', { body: { token } });

async function readMailedToken({ email }: TestUser): Promise<string> {
  await app.drainQueue();
  const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
  return /token=([\w-]{43})/.exec(mail!.text)![1]!;
}

const findVerificationTime = async ({ user_id }: TestUser) =>
  (
    await app.sql.one(
      sql<{ email_verified_at: Date | null }>`select email_verified_at from users where id = ${user_id}`,
    )
  ).email_verified_at;

describe('verifying an address', () => {
  it('accepts the emailed token without a login, and updates the member', async () => {
    const member = await app.registerMember();
    const { status, body } = await verify(await readMailedToken(member));
    expect([status, body]).toEqual([204, '']);
    expect(await findVerificationTime(member)).toEqual(app.clock.now());
    const { email_verified } = await app.sql.one(sql<{ email_verified: boolean }>`
      select email_verified from members where id = ${member.member_id}`);
    expect(email_verified).toBe(true);
  });

  it('works for an organisation administrator', async () => {
    const admin = await app.registerOrgAdmin({ is_verified: false });
    expect((await verify(await readMailedToken(admin))).status).toBe(204);
    expect(await findVerificationTime(admin)).toEqual(app.clock.now());
  });

  it('works once, even for two concurrent requests', async () => {
    const token = await readMailedToken(await app.registerMember());
    const replies = await Promise.all([verify(token), verify(token)]);
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([204, 410]);
    expect((await verify(token)).body.code).toBe('verification_token_invalid');
  });

  it('emails the token in a link, and does not store it', async () => {
    const member = await app.registerMember();
    const token = await readMailedToken(member);
    const { text } = (await app.readMails()).findLast(({ to }) => to.includes(member.email))!;
    expect(text).toContain(`/verify-email?token=${token}`);
    const { stored } = await app.sql.one(sql<{ stored: string }>`
      select string_agg(row_to_json(t)::text, ' ') as stored from mailed_tokens t`);
    expect(stored).not.toContain(token);
  });
});

describe('verifying is refused', () => {
  it('after 24 hours', async () => {
    const member = await app.registerMember();
    const token = await readMailedToken(member);
    app.clock.advance(24 * 3_600_000);
    expect((await verify(token)).status).toBe(410);
    expect(await findVerificationTime(member)).toBeNull();
  });

  it('for an unknown or malformed token', async () => {
    for (const token of ['x', 'A'.repeat(43), '']) expect((await verify(token)).status).toBe(410);
    for (const token of [1, null, 'x'.repeat(201)]) expect((await verify(token)).status).toBe(422);
    expect((await app.request('POST', '/auth/verify-email', { body: {} })).body.errors[0].pointer).toBe(
      '/token',
    );
  });
});
