import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import {
  answerForScience,
  readVolunteerLink,
  requestRetest,
  startVolunteer,
} from '#test/modules/volunteers.ts';
import { runTask } from '#test/modules/matching.ts';
import { createEmail } from '#test/users.ts';
import { inviteVolunteers } from './invite-volunteers.ts';

const app = await startApp();
const start = (body: object) => app.request('POST', '/volunteers', { body });

describe('beginning a test for science', () => {
  it('says what people agree to, and stores the version with nothing about them', async () => {
    const terms = await app.request('GET', '/volunteers');
    expect([terms.status, terms.body.version, terms.body.items]).toEqual([200, '1.0', 50]);
    const { status, body, headers } = await start({ agreed_version: '1.0' });
    expect([status, body.answered, body.result]).toEqual([201, 0, null]);
    expect(headers['location']).toContain(`/volunteers/${body.code}`);
    const stored = await app.sql.one(sql<Record<string, unknown>>`
      select consent_version, email_sealed, encode(code_hash, 'escape') as code from volunteers order by started_at desc limit 1`);
    expect(stored).toMatchObject({ consent_version: '1.0', email_sealed: null });
    expect(JSON.stringify(stored)).not.toContain(body.code);
  });

  it('refuses a body without the agreement to this text, an altered invitation, and other fields', async () => {
    for (const body of [
      {},
      { agreed_version: '0.9' },
      { agreed_version: true },
      { agreed_version: '1.0', name: 'Ada' },
    ])
      expect((await start(body)).status).toBe(422);
    const { status, body } = await start({ agreed_version: '1.0', invitation: 'abc' });
    expect([status, body.code]).toEqual([410, 'volunteer_link_invalid']);
  });

  it('is no path of a service whose operator does not ask volunteers, which is so by default', async () => {
    const closed = await startApp({ TESSERA_VOLUNTEERS: '' });
    const replies = [
      await closed.request('GET', '/volunteers'),
      await closed.request('POST', '/volunteers', { body: { agreed_version: '1.0' } }),
      await closed.request('POST', '/volunteers/abc/answers', { body: { item_id: 'a', option: 1 } }),
      await closed.request('POST', '/volunteers/abc/retest', { body: { email: createEmail() } }),
    ];
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
      replies.map(() => [404, 'route_not_found']),
    );
    expect((await closed.request('GET', '/volunteers/abc')).status).toBe(404);
    expect((await closed.request('DELETE', '/volunteers/abc')).status).toBe(404);
  });

  it('is limited by network, so that a script cannot fill the database', async () => {
    const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 42; attempt++) {
      const { status } = await limited.request('POST', '/volunteers', { body: { agreed_version: '1.0' } });
      statuses.push(status);
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(40);
    expect(statuses.slice(40)).toEqual([429, 429]);
  });

  it('gives a first test one second test, by an invitation that works for four weeks', async () => {
    const { code } = await answerForScience(app, await startVolunteer(app));
    const email = createEmail();
    const token = await requestRetest(app, code, email);
    const confirmed = await app.request('POST', '/volunteers/retests', { body: { token, is_wanted: true } });
    expect(confirmed.status).toBe(204);
    expect((await app.request('GET', `/volunteers/${code}`)).body.is_invited).toBe(true);
    app.clock.advance(28 * 86_400_000);
    await runTask(app, inviteVolunteers, {});
    await app.drainQueue();
    const invitation = await readVolunteerLink(app, email);
    const second = await startVolunteer(app, invitation);
    expect(second.is_second).toBe(true);
    const again = await start({ agreed_version: '1.0', invitation });
    expect([again.status, again.body.code]).toEqual([410, 'volunteer_link_invalid']);
  });
});
