import { beforeEach, expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId, type TestApp } from '#test/harness.ts';
import {
  createJob,
  fillSlots,
  forceMatchStatus,
  listStoredMatches,
  tierMeans,
} from '#test/modules/matching.ts';
import { sql } from '#platform/database/database.ts';

let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
let member: Awaited<ReturnType<TestApp['registerDeployedMember']>>;
let match_id: string;
const app = await startApp();
beforeEach(async () => {
  org = await app.registerOrgAdmin({ name: 'Harbour Health' });
  member = await app.registerDeployedMember({ mean: fillSlots(tierMeans.strong) });
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  match_id = (await listStoredMatches(app, job_id)).find((each) => each.member_id === member.member_id)!.id;
});

const readContact = (token: string, id = match_id) => app.request('GET', `/matches/${id}/contact`, { token });

const setStatus = (body: object) =>
  app.request('PUT', `/matches/${match_id}/status`, { token: org.token, body });

const respond = (body: object) =>
  app.request('POST', `/matches/${match_id}/response`, { token: member.token, body });

async function agree(): Promise<void> {
  expect((await setStatus({ status: 'org_interested', note: 'Come and see the ward.' })).status).toBe(200);
  expect((await respond({ decision: 'accept', note: 'Call after five.' })).status).toBe(200);
}

const buildExpectedContact = () => ({
  member: { display_name: 'Test Person', email: member.email, note: 'Call after five.' },
  organisation: {
    name: 'Harbour Health',
    contact_name: null,
    contact_email: org.email,
    note: 'Come and see the ward.',
  },
});

test('after the member has accepted, both sides read the same contact, and each read is in the audit log', async () => {
  await agree();
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  for (const { token } of [member, org, viewer])
    expect(await readContact(token)).toMatchObject({ status: 200, body: buildExpectedContact() });
  const entries = await app.sql.list(sql<{ actor_user_id: string; member_id: string; org_id: string }>`
    select actor_user_id, member_id, org_id from audit_log
    where action = 'matching.contact_read' and detail->>'match_id' = ${match_id} order by sequence`);
  const parties = { member_id: member.member_id, org_id: org.org_id };
  expect(entries).toEqual(
    [member, org, viewer].map(({ user_id }) => ({ actor_user_id: user_id, ...parties })),
  );
});

test('the contact has exactly the fields that were announced to both sides', async () => {
  await setStatus({ status: 'org_interested' });
  const announced = (await app.request('GET', `/matches/${match_id}/job`, { token: member.token })).body
    .acceptance;
  const requirements = await app.request('GET', `/matches/${match_id}/requirements`, { token: org.token });
  expect(requirements.body.acceptance).toEqual(announced);
  await respond({ decision: 'accept' });
  const { body } = await readContact(org.token);
  expect(Object.keys(body.member)).toEqual(announced.organisation_receives);
  expect(Object.keys(body.organisation)).toEqual(announced.member_receives);
});

test('before the acceptance and in every status that ends a match, nobody reads the contact', async () => {
  await agree();
  for (const status of [
    'pending_review',
    'org_interested',
    'org_passed',
    'member_declined',
    'closed',
    'expired',
    'withdrawn',
  ]) {
    await forceMatchStatus(app, match_id, status);
    for (const { token } of [member, org]) {
      const { status: code, body } = await readContact(token);
      expect([status, code, body.code]).toEqual([status, 409, 'contact_not_shared']);
      expect(JSON.stringify(body)).not.toContain('Call after five');
    }
  }
  await forceMatchStatus(app, match_id, 'placed');
  expect((await readContact(org.token)).status).toBe(200);
});

test('a withdrawn consent ends the contact at once, before any task has run, even of a match that led to a placement', async () => {
  await agree();
  await forceMatchStatus(app, match_id, 'placed');
  const body = { consent_type: 'matching', granted: false, version: '1.0' };
  expect(
    (await app.request('POST', '/members/me/consent', { token: member.token, body })).status,
  ).toBeLessThan(300);
  expect((await readContact(org.token)).body.code).toBe('contact_not_shared');
});

test('a withdrawal deletes the notes of open matches', async () => {
  await agree();
  const body = { consent_type: 'matching', granted: false, version: '1.0' };
  await app.request('POST', '/members/me/consent', { token: member.token, body });
  await app.drainQueue();
  expect(await app.sql.list(sql`select from match_contacts where match_id = ${match_id}`)).toEqual([]);
});

test('an account that is suspended or about to be deleted shares nothing', async () => {
  await agree();
  for (const account_status of ['suspended', 'pending_deletion']) {
    await app.sql.run(
      sql`update members set account_status = ${account_status} where id = ${member.member_id}`,
    );
    expect((await readContact(org.token)).body.code).toBe('contact_not_shared');
  }
});

test('auditors, platform administrators and other tenants do not read the contact', async () => {
  await agree();
  const auditor = await createColleague(app, org.org_id, 'auditor');
  const operator = await app.registerPlatformAdmin();
  for (const { token } of [auditor, operator]) expect((await readContact(token)).status).toBe(403);
  const others = [await app.registerOrgAdmin(), await app.registerMember()];
  for (const { token } of others) expect((await readContact(token)).body.code).toBe('match_not_found');
  expect((await readContact(org.token, unknownId)).body.code).toBe('match_not_found');
});

test('the contact person is who expressed the interest, and after a suspension another administrator', async () => {
  const colleague = await createColleague(app, org.org_id, 'org_admin');
  const body = { status: 'org_interested' };
  await app.request('PUT', `/matches/${match_id}/status`, { token: colleague.token, body });
  // Setting the same status again does not change the contact person.
  await setStatus(body);
  await respond({ decision: 'accept' });
  await app.request('PATCH', '/auth/me', { token: colleague.token, body: { display_name: 'Grace Hart' } });
  expect((await readContact(member.token)).body.organisation).toMatchObject({
    contact_name: 'Grace Hart',
    contact_email: colleague.email,
  });
  await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${colleague.user_id}`);
  expect((await readContact(member.token)).body.organisation.contact_email).toBe(org.email);
  await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where org_id = ${org.org_id}`);
  expect((await readContact(member.token)).body.organisation.contact_email).toBeNull();
});

test('a note is replaced by a later one, deleted with null, and refused where nobody would read it', async () => {
  await agree();
  await respond({ decision: 'accept' });
  expect((await readContact(org.token)).body.member.note).toBe('Call after five.');
  await respond({ decision: 'accept', note: 'Call before nine.' });
  expect((await readContact(org.token)).body.member.note).toBe('Call before nine.');
  await respond({ decision: 'accept', note: null });
  expect((await readContact(org.token)).body.member.note).toBeNull();
  for (const reply of [
    await respond({ decision: 'decline', note: 'No.' }),
    await setStatus({ status: 'closed', note: 'Bye.' }),
    await respond({ decision: 'accept', note: 'x'.repeat(1001) }),
    await respond({ decision: 'accept', note: ' ' }),
  ])
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, '/note']);
});

test('the member’s copy of the data has the notes, and an erasure deletes them', async () => {
  await agree();
  const path = `/exports/member/${member.member_id}/gdpr-data`;
  const reply = await app.server.inject({
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${member.token}` },
  });
  expect(reply.payload).toContain('Call after five.');
  expect(reply.payload).toContain('Come and see the ward.');
  await app.sql.run(
    sql`update members set account_status = 'pending_deletion' where id = ${member.member_id}`,
  );
  await app.sql.transaction(async (tx) => {
    await app.platform.personalData['matching']!.erasePersonalData(tx, member.member_id, {
      user_ids: [member.user_id],
      emails: [member.email],
    });
  });
  expect(await app.sql.list(sql`select from match_contacts where match_id = ${match_id}`)).toEqual([]);
});
