import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createEmail } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import { no_password } from '../passwords/passwords.ts';

const app = await startApp();

const requestLink = (body: object) => app.request('POST', '/auth/forgot-password', { body });
const listTokens = async (email: string) => {
  await app.drainQueue();
  const mails = (await app.readMails()).filter(({ to }) => to.includes(email));
  return mails.flatMap(({ text }) => /reset-password\?token=([\w-]{43})/.exec(text)?.slice(1) ?? []);
};

describe('requesting a password reset', () => {
  it('emails a link whose token is not stored anywhere', async () => {
    proves('auth-forgot-password-endpoint-public');
    const { email } = await app.registerMember();
    const { status, body } = await requestLink({ email: email.toUpperCase() });
    expect([status, body]).toEqual([
      200,
      { message: expect.stringContaining('If the address has an account') },
    ]);
    const jobs = await app.sql.list(
      sql<{ data: string }>`select data::text from tasks where name = 'accounts.sendPasswordReset'`,
    );
    expect(JSON.stringify(jobs)).not.toContain(email.split('@')[0]);
    const [token, ...more] = await listTokens(email);
    expect(more).toEqual([]);
    const { rows } = await app.sql.one(
      sql<{ rows: string }>`select string_agg(row_to_json(t)::text, ' ') as rows from mailed_tokens t`,
    );
    expect(rows).not.toContain(token);
  });

  it('returns the same reply in the same time, whether or not the address has an account', async () => {
    proves('auth-forgot-password-always-success');
    const { email } = await app.registerMember();
    const measureRequest = async (address: string) => {
      const started = performance.now();
      const { status, body } = await requestLink({ email: address });
      return { time: performance.now() - started, content: [status, body] };
    };
    type Measurement = Awaited<ReturnType<typeof measureRequest>>;
    const known: Measurement[] = [];
    const unknown: Measurement[] = [];
    for (let round = 0; round < 31; round++) {
      known.push(await measureRequest(email));
      unknown.push(await measureRequest(createEmail()));
    }
    // The least of each, because other work of the machine can only add to a time.
    const findLeast = (list: readonly Measurement[]) => Math.min(...list.map(({ time }) => time));
    const ratio = findLeast(unknown) / findLeast(known);
    expect(new Set([...known, ...unknown].map(({ content }) => JSON.stringify(content))).size).toBe(1);
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });

  it('emails at most five links an hour, and none to an address without an account', async () => {
    const { email } = await app.registerMember();
    const stranger = createEmail();
    for (let asked = 0; asked < 8; asked++)
      await Promise.all([requestLink({ email }), requestLink({ email: stranger })]);
    expect(await listTokens(email)).toHaveLength(5);
    expect(await listTokens(stranger)).toHaveLength(0);
    app.clock.advance(3_600_000);
    await requestLink({ email });
    expect(await listTokens(email)).toHaveLength(6);
  });

  it('emails no link to an account that is suspended or logs in by single sign-on', async () => {
    const [suspended, without] = [await app.registerMember(), await app.registerOrgAdmin()];
    await app.sql.run(
      sql`update users set suspended_at = ${app.clock.now()} where id = ${suspended.user_id}`,
    );
    await app.sql.run(sql`update users set password_hash = ${no_password} where id = ${without.user_id}`);
    for (const { email } of [suspended, without]) {
      expect((await requestLink({ email })).status).toBe(200);
      expect(await listTokens(email)).toEqual([]);
    }
  });

  it('rejects a missing or malformed address and an unknown field', async () => {
    for (const body of [{}, { email: 'nobody' }, { email: 7 }, { email: 'a\u0000@example.org' }])
      expect((await requestLink(body)).body.errors[0].pointer).toBe('/email');
    expect((await requestLink({ email: createEmail(), user: 1 })).body.errors[0].pointer).toBe('/user');
  });
});
