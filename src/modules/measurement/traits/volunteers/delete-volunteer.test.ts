import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import {
  answerForScience,
  readVolunteerLink,
  requestRetest,
  startVolunteer,
} from '#test/modules/volunteers.ts';
import { createEmail } from '#test/users.ts';
import { forgetVolunteers } from './forget-volunteers.ts';
import { inviteVolunteers } from './invite-volunteers.ts';

const app = await startApp();
const day_ms = 86_400_000;

const countTests = async () =>
  (await app.sql.one(sql<{ rows: number }>`select count(*)::integer as rows from volunteers`)).rows;

describe('deleting answers for science', () => {
  it('deletes the first and the second test from the address of either, and leaves those of others', async () => {
    const other = await startVolunteer(app);
    const first = await answerForScience(app, await startVolunteer(app));
    const email = createEmail();
    const token = await requestRetest(app, first.code, email);
    await app.request('POST', '/volunteers/retests', { body: { token, is_wanted: true } });
    app.clock.advance(28 * day_ms);
    await runTask(app, inviteVolunteers, {});
    await app.drainQueue();
    const second = await startVolunteer(app, await readVolunteerLink(app, email));
    expect(await countTests()).toBe(3);
    expect((await app.request('DELETE', `/volunteers/${second.code}`)).status).toBe(204);
    expect(await countTests()).toBe(1);
    for (const code of [first.code, second.code]) {
      const { status, body } = await app.request('GET', `/volunteers/${code}`);
      expect([status, body.code]).toEqual([404, 'volunteer_not_found']);
    }
    expect((await app.request('GET', `/volunteers/${other.code}`)).status).toBe(200);
    expect((await app.request('DELETE', `/volunteers/${first.code}`)).status).toBe(404);
  });

  it('deletes an address that waits, and its link then does nothing', async () => {
    const { code } = await answerForScience(app, await startVolunteer(app));
    const token = await requestRetest(app, code, createEmail());
    await app.request('POST', '/volunteers/retests', { body: { token, is_wanted: true } });
    expect((await app.request('DELETE', `/volunteers/${code}`)).status).toBe(204);
    const { rows } = await app.sql.one(sql<{ rows: number }>`
      select count(*)::integer as rows from volunteers where email_sealed is not null`);
    expect(rows).toBe(0);
    const again = await app.request('POST', '/volunteers/retests', { body: { token, is_wanted: true } });
    expect([again.status, again.body.code]).toEqual([410, 'volunteer_link_invalid']);
  });

  it('stops an email that still waits to be sent', async () => {
    const [gone, kept] = [
      await answerForScience(app, await startVolunteer(app)),
      await answerForScience(app, await startVolunteer(app)),
    ];
    const emails = [createEmail(), createEmail()] as const;
    for (const [place, { code }] of [gone, kept].entries())
      await app.request('POST', `/volunteers/${code}/retest`, { body: { email: emails[place] } });
    expect((await app.request('DELETE', `/volunteers/${gone.code}`)).status).toBe(204);
    await app.drainQueue();
    const recipients = (await app.readMails()).map(({ to }) => to);
    expect(emails.map((email) => recipients.filter((to) => to.includes(email)).length)).toEqual([0, 1]);
    await app.request('DELETE', `/volunteers/${kept.code}`);
  });

  it('works for people who began before the operator stopped asking', async () => {
    const { code } = await startVolunteer(app);
    const closed = { ...app.platform.config, volunteers: false };
    const before = app.platform.config;
    Object.assign(app.platform, { config: closed });
    const replies = [
      (await app.request('POST', '/volunteers', { body: { agreed_version: '1.0' } })).status,
      (await app.request('GET', `/volunteers/${code}`)).status,
      (await app.request('DELETE', `/volunteers/${code}`)).status,
    ];
    Object.assign(app.platform, { config: before });
    expect(replies).toEqual([404, 200, 204]);
  });

  it('happens by itself a day after an unfinished test, and five years after a complete one', async () => {
    await startVolunteer(app);
    const { code } = await answerForScience(app, await startVolunteer(app));
    app.clock.advance(day_ms + 1);
    await runTask(app, forgetVolunteers, {});
    expect(await countTests()).toBe(1);
    app.clock.advance(5 * 365 * day_ms);
    expect((await app.request('GET', `/volunteers/${code}`)).status).toBe(200);
    await runTask(app, forgetVolunteers, {});
    expect(await countTests()).toBe(0);
  });
});
