import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { unzipArchive } from '#test/modules/rights.ts';
import { proves } from '#test/requirements.ts';
import { filledProfile, type TestMember } from '#test/users.ts';
import { personalData } from '../../../../tables/personal-data.ts';

const app = await startApp();

const buildPath = (task_id: string) => `/members/me/data-export/${task_id}`;

async function startExport({ token }: TestMember): Promise<string> {
  return (await app.request('POST', '/members/me/data-export', { token, body: {} })).body.task_id;
}

/** Downloads an export as bytes; `request` would decode them as text. */
function download(token: string, task_id: string) {
  const headers = { authorization: `Bearer ${token}` };
  return app.server.inject({ method: 'GET', url: `/api/v1${buildPath(task_id)}`, headers });
}

test('the export is a ZIP with the data of all modules and without secrets', async () => {
  proves('member-data-export-endpoint-jwt');
  const member = await app.registerDeployedMember();
  const task_id = await startExport(member);
  await app.drainQueue();
  const { statusCode, headers, rawPayload } = await download(member.token, task_id);
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('application/zip');
  expect(headers['content-disposition']).toBe('attachment; filename="tessera-data-2026-03-02.zip"');
  const files = await unzipArchive(rawPayload);
  const { member_id, exported_at, data } = JSON.parse(files['tessera-data.json']!);
  expect([member_id, exported_at]).toEqual([member.member_id, app.clock.now().toISOString()]);
  const modules = new Set(Object.keys(data).map((section) => section.split('.')[0]!));
  expect([...modules].toSorted()).toEqual(Object.keys(personalData).toSorted());
  expect(data['members.member'][0]).toMatchObject({
    display_name: 'Test Person',
    engagement_level: 4,
    ...filledProfile,
  });
  expect(data['traits.trait_vectors']).toHaveLength(1);
  expect(data['consent.consents'].map((each: { consent_type: string }) => each.consent_type)).toEqual([
    'assessment_data',
    'matching',
  ]);
  expect(files['csv/consent.consents.csv']).toContain('assessment_data,true,1');
  const whole = Object.values(files).join('\n');
  expect(whole).toContain(member.email);
  expect(whole).not.toMatch(/argon2|_hash|_sealed/);
});

test('replies 409 with Retry-After while the export is in progress', async () => {
  const member = await app.registerMember();
  const task_id = await startExport(member);
  const { status, body, headers } = await app.request('GET', buildPath(task_id), { token: member.token });
  expect([status, body.code, headers['retry-after']]).toEqual([409, 'data_export_running', '5']);
});

test('the export is available for exactly seven days, whether or not it has been deleted', async () => {
  const member = await app.registerMember();
  const task_id = await startExport(member);
  await app.drainQueue();
  const readStatus = async () => {
    const login = await app.request('POST', '/auth/login', {
      body: { email: member.email, password: member.password },
    });
    const { statusCode } = await download(login.body.access_token, task_id);
    return statusCode;
  };
  app.clock.advance(7 * 24 * 3_600_000 - 1_000);
  expect(await readStatus()).toBe(200);
  app.clock.advance(1_000);
  expect(await readStatus()).toBe(404);
});

test('replies 404 and says so if the export failed', async () => {
  const member = await app.registerMember();
  const task_id = await startExport(member);
  await app.sql.run(sql`update tasks set status = 'failed' where id = ${task_id}`);
  const { status, body } = await app.request('GET', buildPath(task_id), { token: member.token });
  expect([status, body.code, body.detail]).toEqual([
    404,
    'data_export_not_found',
    'This export failed. Start another one.',
  ]);
});

test('replies for another member’s export as for one that does not exist', async () => {
  const [owner, stranger] = [await app.registerMember(), await app.registerMember()];
  const task_id = await startExport(owner);
  await app.drainQueue();
  const [foreign, absent] = [
    await app.request('GET', buildPath(task_id), { token: stranger.token }),
    await app.request('GET', buildPath(unknownId), { token: stranger.token }),
  ];
  expect([foreign.status, foreign.body.code]).toEqual([404, 'data_export_not_found']);
  expect([absent.status, absent.body.code, absent.body.detail]).toEqual([
    404,
    foreign.body.code,
    foreign.body.detail,
  ]);
});

test('rejects an id that is not a UUID', async () => {
  const { token } = await app.registerMember();
  const { status, body } = await app.request('GET', buildPath('latest'), { token });
  expect([status, body.errors[0].pointer]).toEqual([422, '/task_id']);
});

test('refuses callers who are not logged in, and all roles except member', async () => {
  const task_id = await startExport(await app.registerMember());
  await app.drainQueue();
  const { status, body } = await app.request('GET', buildPath(task_id));
  expect([status, body.code]).toEqual([401, 'authentication_required']);
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const refused = await app.request('GET', buildPath(task_id), { token });
    expect([refused.status, refused.body.code]).toEqual([403, 'role_not_allowed']);
  }
});
