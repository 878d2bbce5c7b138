import { beforeAll, describe, expect, it } from 'vitest';
import { no_password } from './passwords.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createEmail } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const forgot = (body: object) => app.request('POST', '/auth/forgot-password', { body });
const linksTo = async (email: string) => {
  await app.drainQueue();
  const mails = (await app.readMails()).filter(({ to }) => to.includes(email));
  return mails.flatMap(({ text }) => /reset-password\?token=([\w-]{43})/.exec(text)?.slice(1) ?? []);
};

describe('forgetting the password', () => {
  it('has a link mailed, and its token stands nowhere', async () => {
    proves('auth-forgot-password-endpoint-public');
    const { email } = await app.registerMember();
    const { status, body } = await forgot({ email: email.toUpperCase() });
    expect([status, body]).toEqual([
      200,
      { message: expect.stringContaining('If the address has an account') },
    ]);
    const jobs = await app.sql.list(
      sql<{ data: string }>`select data::text from pgboss.job where name = 'auth.sendPasswordReset'`,
    );
    expect(JSON.stringify(jobs)).not.toContain(email.split('@')[0]);
    const [token, ...more] = await linksTo(email);
    expect(more).toEqual([]);
    const { rows } = await app.sql.one(
      sql<{ rows: string }>`select string_agg(row_to_json(t)::text, ' ') as rows from mailed_tokens t`,
    );
    expect(rows).not.toContain(token);
  });

  it('answers alike, in the same time, whether or not the address has an account', async () => {
    proves('auth-forgot-password-always-success');
    const { email } = await app.registerMember();
    const took = async (address: string) => {
      const started = performance.now();
      const { status, body } = await forgot({ email: address });
      return { time: performance.now() - started, said: [status, body] };
    };
    const [known, unknown] = [[], []] as [
      Awaited<ReturnType<typeof took>>[],
      Awaited<ReturnType<typeof took>>[],
    ];
    for (let round = 0; round < 31; round++) {
      known.push(await took(email));
      unknown.push(await took(createEmail()));
    }
    const median = (list: typeof known) =>
      list.map(({ time }) => time).sort((one, other) => one - other)[15]!;
    expect(new Set([...known, ...unknown].map(({ said }) => JSON.stringify(said))).size).toBe(1);
    expect(median(unknown) / median(known)).toBeGreaterThan(0.4);
    expect(median(unknown) / median(known)).toBeLessThan(2.5);
  });

  it('mails at most five links an hour, and none to a stranger', async () => {
    const { email } = await app.registerMember();
    const stranger = createEmail();
    for (let asked = 0; asked < 8; asked++)
      await Promise.all([forgot({ email }), forgot({ email: stranger })]);
    expect(await linksTo(email)).toHaveLength(5);
    expect(await linksTo(stranger)).toHaveLength(0);
    app.clock.advance(3_600_000);
    await forgot({ email });
    expect(await linksTo(email)).toHaveLength(6);
  });

  it('mails none to an account that is suspended, or has no password', async () => {
    const [suspended, without] = [await app.registerMember(), await app.registerMember()];
    await app.sql.run(
      sql`update users set suspended_at = ${app.clock.now()} where id = ${suspended.user_id}`,
    );
    await app.sql.run(sql`update users set password_hash = ${no_password} where id = ${without.user_id}`);
    for (const { email } of [suspended, without]) {
      expect((await forgot({ email })).status).toBe(200);
      expect(await linksTo(email)).toEqual([]);
    }
  });

  it('is refused without an address, or with what is none', async () => {
    for (const body of [{}, { email: 'nobody' }, { email: 7 }, { email: 'a\u0000@example.org' }])
      expect((await forgot(body)).body.errors[0].pointer).toBe('/email');
    expect((await forgot({ email: createEmail(), user: 1 })).body.errors[0].pointer).toBe('/user');
  });
});
