import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { answerForScience, startVolunteer } from '#test/modules/volunteers.ts';
import { createEmail } from '#test/users.ts';

const app = await startApp();
const request = (code: string, email: string) =>
  app.request('POST', `/volunteers/${code}/retest`, { body: { email } });

describe('asking for an invitation to a second test', () => {
  it('emails a link to the address, and says the same to every caller', async () => {
    const { code } = await answerForScience(app, await startVolunteer(app));
    const { email } = await app.registerMember();
    const replies = [await request(code, email), await request(code, createEmail())];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[0]!.body).toEqual(replies[1]!.body);
    await app.drainQueue();
    const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
    expect([mail?.subject, mail?.text.includes('/science-retest?token=')]).toEqual([
      'Your second test in four weeks',
      true,
    ]);
  });

  it('refuses tests that are unknown or unfinished, and what is no address', async () => {
    const { code } = await startVolunteer(app);
    for (const each of [code, 'unknown']) {
      const { status, body } = await request(each, createEmail());
      expect([status, body.code]).toEqual([404, 'volunteer_not_found']);
    }
    expect((await request(code, 'no address')).status).toBe(422);
  });

  it('floods no mailbox: an address gets ten emails a day', async () => {
    const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
    const { code } = await answerForScience(limited, await startVolunteer(limited));
    const email = createEmail();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++)
      statuses.push(
        (await limited.request('POST', `/volunteers/${code}/retest`, { body: { email } })).status,
      );
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  });
});
