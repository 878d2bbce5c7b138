import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { answerForScience, requestRetest, startVolunteer } from '#test/modules/volunteers.ts';
import { createEmail } from '#test/users.ts';
import { inviteVolunteers } from './invite-volunteers.ts';

const app = await startApp();
const day_ms = 86_400_000;
const setRetest = (body: object) => app.request('POST', '/volunteers/retests', { body });
const listStored = () =>
  app.sql.list(sql<{ email_sealed: string }>`
    select email_sealed from volunteers where email_sealed is not null`);
const listMails = async (email: string) => (await app.readMails()).filter(({ to }) => to.includes(email));

async function askForRetest() {
  const email = createEmail();
  const { code } = await answerForScience(app, await startVolunteer(app));
  return { code, email, token: await requestRetest(app, code, email) };
}

async function passFourWeeks() {
  app.clock.advance(28 * day_ms);
  await runTask(app, inviteVolunteers, {});
  await app.drainQueue();
}

describe('the invitation to a second test', () => {
  it('stores an address only after its link, encrypted, and until the one invitation is sent', async () => {
    const { email, token } = await askForRetest();
    expect(await listStored()).toEqual([]);
    expect((await setRetest({ token, is_wanted: true })).status).toBe(204);
    const [stored] = await listStored();
    expect(stored!.email_sealed).not.toContain(email.split('@')[0]);
    await passFourWeeks();
    expect(await listStored()).toEqual([]);
    await passFourWeeks();
    expect((await listMails(email)).map(({ subject }) => subject).toSorted()).toEqual([
      'Your second test',
      'Your second test in four weeks',
    ]);
  });

  it('ends by the same link at any time, and sends nothing then', async () => {
    const { email, token } = await askForRetest();
    await setRetest({ token, is_wanted: true });
    app.clock.advance(7 * day_ms);
    expect((await setRetest({ token, is_wanted: false })).status).toBe(204);
    await passFourWeeks();
    expect(await listMails(email)).toHaveLength(1);
  });

  it('never comes to an address that was not confirmed within a day', async () => {
    const { email, token } = await askForRetest();
    app.clock.advance(day_ms + 1);
    const late = await setRetest({ token, is_wanted: true });
    expect([late.status, late.body.code]).toEqual([410, 'volunteer_link_invalid']);
    await passFourWeeks();
    expect(await listMails(email)).toHaveLength(1);
  });

  it('refuses altered links and other texts', async () => {
    const { token } = await askForRetest();
    for (const wrong of ['abc', `${token.slice(0, -2)}AA`])
      expect((await setRetest({ token: wrong, is_wanted: true })).status).toBe(410);
    expect((await setRetest({ token })).status).toBe(422);
  });
});
