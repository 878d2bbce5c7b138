import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { answerMirror, requestLink } from '#test/modules/first-mirror.ts';

const app = await startApp();
const add = (token: string | undefined, link: string) =>
  app.request('POST', '/members/me/assessment/first-mirror', {
    ...(token !== undefined && { token }),
    body: { token: link },
  });
const giveConsent = (token: string) =>
  app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'assessment_data', granted: true, version: '1.0' },
  });

describe('adding a first mirror to an account', () => {
  it('begins the assessment of the member with those answers, once', async () => {
    const { email, token } = await app.registerMember();
    const mirror = await answerMirror(app, 5);
    const link = await requestLink(app, mirror.mirror, email);
    const early = await add(token, link);
    expect([early.status, early.body.code]).toEqual([403, 'consent_required']);
    await giveConsent(token);
    expect((await add(token, link)).status).toBe(204);
    const { body } = await app.request('POST', '/members/me/assessment', { token, body: {} });
    expect(body.progress.answered).toBe(5);
    const again = await add(token, link);
    expect([again.status, again.body.code]).toEqual([409, 'assessment_begun']);
  });

  it('refuses a link to another address, other roles, and callers who are not logged in', async () => {
    const { email } = await app.registerMember();
    const other = await app.registerMember();
    const { token: org } = await app.registerOrgAdmin();
    const link = await requestLink(app, (await answerMirror(app, 1)).mirror, email);
    await giveConsent(other.token);
    const refused = await add(other.token, link);
    expect([refused.status, refused.body.code]).toEqual([403, 'mirror_of_another']);
    expect((await add(org, link)).body.code).toBe('role_not_allowed');
    expect((await add(undefined, link)).body.code).toBe('authentication_required');
    expect((await add(other.token, 'abc')).body.code).toBe('mirror_link_invalid');
  });
});
