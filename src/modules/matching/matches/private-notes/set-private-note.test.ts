import { beforeEach, expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { createJob, fillSlots, listStoredMatches, tierMeans } from '#test/modules/matching.ts';
import { sql } from '#platform/database/database.ts';
import { personalData } from '../personal-data.ts';

let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
let member: Awaited<ReturnType<TestApp['registerDeployedMember']>>;
let match_id: string;
const app = await startApp();
beforeEach(async () => {
  org = await app.registerOrgAdmin();
  member = await app.registerDeployedMember({ mean: fillSlots(tierMeans.strong) });
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  match_id = (await listStoredMatches(app, job_id)).find((each) => each.member_id === member.member_id)!.id;
});

const noted = { note: 'Has led two audits.', labels: ['second round', 'can travel'] };
const nothing = { note: null, labels: [] };

const read = (token: string) => app.request('GET', `/matches/${match_id}/note`, { token });
const set = (body: object, token = org.token, headers: Record<string, string> = {}) =>
  app.request('PUT', `/matches/${match_id}/note`, { token, body, headers });
const listStored = () => app.sql.list(sql`select from private_notes where match_id = ${match_id}`);

test('a note and its labels are stored, replaced and emptied, and colleagues read them', async () => {
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  expect((await read(viewer.token)).body).toEqual(nothing);
  expect(await set(noted)).toMatchObject({ status: 200, body: noted });
  expect((await read(viewer.token)).body).toEqual(noted);
  expect((await set({ note: 'Call on Monday.' })).body).toEqual({ note: 'Call on Monday.', labels: [] });
  expect((await set({})).body).toEqual(nothing);
  expect(await listStored()).toEqual([]);
});

test('of two colleagues who change the same version, the second is refused and overwrites nothing', async () => {
  const colleague = await createColleague(app, org.org_id, 'org_admin');
  const { headers } = await read(org.token);
  const tag = { 'if-match': String(headers['etag']) };
  const replies = await Promise.all([
    set({ note: 'First.' }, org.token, tag),
    set({ note: 'Second.' }, colleague.token, tag),
  ]);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 412]));
  const winner = replies.find(({ status }) => status === 200)!;
  expect((await read(org.token)).body).toEqual(winner.body);
});

test('a long note, too many or long labels and equal labels are refused by the name of the field', async () => {
  await set(noted);
  const refused = [
    [{ note: 'x'.repeat(1001) }, '/note'],
    [{ note: ' ' }, '/note'],
    [{ labels: Array.from({ length: 11 }, (_, index) => `label ${index}`) }, '/labels'],
    [{ labels: ['x'.repeat(41)] }, '/labels/0'],
    [{ labels: ['same', 'same'] }, '/labels'],
  ] as const;
  for (const [body, pointer] of refused) {
    const reply = await set(body);
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, pointer]);
  }
  expect((await read(org.token)).body).toEqual(noted);
});

test('the member, auditors, operators, other organisations and strangers write no note', async () => {
  await set(noted);
  const auditor = await createColleague(app, org.org_id, 'auditor');
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  const [operator, other] = [await app.registerPlatformAdmin(), await app.registerOrgAdmin()];
  expect((await app.request('PUT', `/matches/${match_id}/note`, { body: noted })).status).toBe(401);
  for (const { token } of [member, auditor, operator]) {
    expect((await set({}, token)).body.code).toBe('role_not_allowed');
  }
  expect((await set({}, viewer.token)).body.code).toBe('role_not_allowed');
  expect((await set({}, other.token)).body.code).toBe('match_not_found');
  expect((await read(org.token)).body).toEqual(noted);
});

test('a withdrawal deletes the note, and a withdrawn match takes no new one', async () => {
  await app.request('PUT', `/matches/${match_id}/status`, {
    token: org.token,
    body: { status: 'org_interested' },
  });
  await set(noted);
  const body = { consent_type: 'matching', granted: false, version: '1.0' };
  await app.request('POST', '/members/me/consent', { token: member.token, body });
  await app.drainQueue();
  expect(await listStored()).toEqual([]);
  expect(await set(noted)).toMatchObject({ status: 409, body: { code: 'match_ended' } });
});

test('an erasure of the member deletes the note', async () => {
  await set(noted);
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, member.member_id, noAccounts));
  expect(await listStored()).toEqual([]);
});
