import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { createMatch } from '#test/modules/feedback.ts';
import { personalData } from '../personal-data.ts';

const app = await startApp();
const noted = { note: 'Has led two audits.', labels: ['second round'] };

async function createNotedMatch() {
  const match = await createMatch(app);
  const path = `/matches/${match.match_id}/note`;
  expect((await app.request('PUT', path, { token: match.org.token, body: noted })).status).toBe(200);
  return { ...match, path };
}

test('administrators and viewers read the note, and a known version is not sent again', async () => {
  const { org, path } = await createNotedMatch();
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  const { headers, ...reply } = await app.request('GET', path, { token: viewer.token });
  expect(reply).toMatchObject({ status: 200, body: noted });
  const known = { 'if-none-match': String(headers['etag']) };
  expect((await app.request('GET', path, { token: org.token, headers: known })).status).toBe(304);
});

test('the member, auditors, operators, other organisations and strangers do not read the note', async () => {
  const { org, member, path } = await createNotedMatch();
  const auditor = await createColleague(app, org.org_id, 'auditor');
  const [operator, other] = [await app.registerPlatformAdmin(), await app.registerOrgAdmin()];
  expect((await app.request('GET', path)).status).toBe(401);
  for (const { token } of [member, auditor, operator])
    expect((await app.request('GET', path, { token })).body.code).toBe('role_not_allowed');
  expect((await app.request('GET', path, { token: other.token })).body.code).toBe('match_not_found');
  const unknown = await app.request('GET', `/matches/${unknownId}/note`, { token: org.token });
  expect(unknown.body.code).toBe('match_not_found');
});

test('nothing that the member reads of the match has the note', async () => {
  const { member, match_id } = await createNotedMatch();
  for (const path of [`/matches/${match_id}`, `/matches/${match_id}/job`, '/members/me/matches']) {
    const { status, body } = await app.request('GET', path, { token: member.token });
    expect([status, JSON.stringify(body).includes('audits')]).toEqual([200, false]);
  }
  const copy = await personalData.exportPersonalData(app.sql, member.member_id, noAccounts);
  expect(JSON.stringify(copy)).not.toContain('audits');
});
