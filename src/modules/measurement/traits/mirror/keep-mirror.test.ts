import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { answerMirror, requestLink } from '#test/modules/first-mirror.ts';
import { createEmail } from '#test/users.ts';

const app = await startApp();
const keep = (body: object) => app.request('POST', '/first-mirror/keep', { body });

describe('keeping a first mirror', () => {
  it('creates an account with a verified address and the consent, and the assessment goes on after those answers', async () => {
    const email = createEmail();
    const mirror = await answerMirror(app);
    const token = await requestLink(app, mirror.mirror, email);
    const { status, body } = await keep({ token, version: '1.0' });
    expect([status, body.user.email, body.user.role]).toEqual([201, email, 'member']);
    const own = { token: body.access_token };
    expect((await app.request('GET', '/auth/me', own)).body.email_verified).toBe(true);
    const { consents } = (await app.request('GET', '/members/me/consent', own)).body;
    expect(
      consents.find((each: { consent_type: string }) => each.consent_type === 'assessment_data'),
    ).toMatchObject({
      granted: true,
      version: '1.0',
    });
    const assessment = await app.request('POST', '/members/me/assessment', { ...own, body: {} });
    expect(assessment.body.progress.answered).toBe(mirror.answered);
    const next = await app.request('POST', '/members/me/assessment/answers', {
      ...own,
      body: { item_id: assessment.body.next_item.item_id, option: 2 },
    });
    expect([next.status, next.body.progress.answered]).toEqual([200, mirror.answered + 1]);
    const audited = await app.sql.list(
      sql<{
        action: string;
      }>`select action from audit_log where actor_user_id = ${body.user.id} order by created_at`,
    );
    expect(audited.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['auth.registered', 'auth.email_verified', 'consent.granted']),
    );
  });

  it('works once; afterwards the address has an account, which can get a password', async () => {
    const email = createEmail();
    const token = await requestLink(app, (await answerMirror(app, 3)).mirror, email);
    expect((await keep({ token, version: '1.0' })).status).toBe(201);
    const again = await keep({ token, version: '1.0' });
    expect([again.status, again.body.code]).toEqual([409, 'email_taken']);
    await app.request('POST', '/auth/forgot-password', { body: { email } });
    await app.drainQueue();
    const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
    expect(mail?.subject).toBe('Choose a new password');
  });

  it('never takes over an account, even one whose address nobody has verified', async () => {
    const { email } = await app.registerMember();
    const token = await requestLink(app, (await answerMirror(app, 1)).mirror, email);
    const { status, body } = await keep({ token, version: '1.0' });
    expect([status, body.code]).toEqual([409, 'email_taken']);
  });

  it('refuses a link after a day, an altered one, a mirror instead of a link, and a version that is not published', async () => {
    const { mirror } = await answerMirror(app, 1);
    const token = await requestLink(app, mirror, createEmail());
    const unpublished = await keep({ token, version: '9.9' });
    expect([unpublished.status, unpublished.body.code]).toEqual([422, 'field_invalid']);
    for (const wrong of [mirror, 'abc', `${token.slice(0, -2)}AA`]) {
      const { status, body } = await keep({ token: wrong, version: '1.0' });
      expect([status, body.code]).toEqual([410, 'mirror_link_invalid']);
    }
    app.clock.advance(86_400_000);
    expect((await keep({ token, version: '1.0' })).status).toBe(201);
    const other = await requestLink(app, (await answerMirror(app, 1)).mirror, createEmail());
    app.clock.advance(86_400_001);
    const late = await keep({ token: other, version: '1.0' });
    expect([late.status, late.body.code]).toEqual([410, 'mirror_link_invalid']);
  });
});
