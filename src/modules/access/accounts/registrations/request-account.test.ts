import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createEmail } from '#test/users.ts';

const app = await startApp();
const request = (body: object) => app.request('POST', '/auth/registrations', { body });
const countUsers = async () =>
  (await app.sql.one(sql<{ users: number }>`select count(*)::int as users from users`)).users;

describe('requesting an account', () => {
  it('replies the same for every address, reads no account, and only the email says whether it has one', async () => {
    const { email: known } = await app.registerMember();
    const unknown = createEmail();
    const before = await countUsers();
    const replies = [
      await request({ email: known.toUpperCase(), name: 'Ada' }),
      await request({ email: ` ${unknown}`, name: 'Ada' }),
    ];
    expect(replies.map(({ status, body }) => [status, body])).toEqual([
      [202, { sent_to: known }],
      [202, { sent_to: unknown }],
    ]);
    expect(Object.keys(replies[0]!.headers).toSorted()).toEqual(Object.keys(replies[1]!.headers).toSorted());
    await app.drainQueue();
    const mails = await app.readMails();
    const readMail = (email: string) => mails.findLast(({ to }) => to === email)!;
    expect(readMail(known).subject).toBe('You have an account already');
    expect(readMail(known).text).not.toContain('open-account');
    expect(readMail(unknown).subject).toBe('Open your account');
    expect(JSON.stringify(mails)).not.toContain('Ada');
    expect(await countUsers()).toBe(before);
  });

  it('stores the address only encrypted, and only until it is sent', async () => {
    const email = createEmail();
    await request({ email });
    const list = () =>
      app.sql.list(
        sql<{ data: string }>`select data::text from tasks where name = 'accounts.sendAccountLink'`,
      );
    expect((await list()).length).toBe(1);
    expect(JSON.stringify(await list())).not.toContain(email.split('@')[0]);
    await app.drainQueue();
    expect(await list()).toEqual([]);
  });

  it('names all faults at once, also a name that belongs to another organisation', async () => {
    const refused = await request({ email: 'x', role: 'org_admin', name: 'Tes\u0441o' });
    expect([refused.status, refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      422,
      ['/email', '/name'],
    ]);
    const missing = await request({ role: 'org_admin' });
    expect(missing.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/email',
      '/name',
    ]);
    expect((await request({ email: createEmail(), role: 'platform_admin' })).status).toBe(422);
  });
});
