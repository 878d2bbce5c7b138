import { expect, test } from 'vitest';
import { answerAllItems, registerMeasurableMember } from './assessment.ts';
import { startApp } from './harness.ts';
import { createJob } from './modules/matching.ts';

const app = await startApp();

test('a 201 says where the new resource is', async () => {
  const org = await app.registerOrgAdmin();
  const member = await app.registerMember();
  const { publicUrl } = app.platform.config;
  const job = {
    title: 'Archivist',
    outcome_description: 'The archive is in order.',
    trait_priorities: { persistence: 1 },
  };
  const consent = { consent_type: 'matching', granted: true, version: '1.0' };
  for (const [path, token, body] of [
    ['/orgs/me/jobs', org.token, job],
    ['/members/me/consent', member.token, consent],
  ] as const) {
    const headers = { 'idempotency-key': 'reply-headers' };
    const created = await app.request('POST', path, { token, body, headers });
    const location = String(created.headers['location']);
    expect([path, created.status, location.startsWith(`${publicUrl}/api/v1/`)]).toEqual([path, 201, true]);
    const found = await app.request('GET', location.slice(`${publicUrl}/api/v1`.length), { token });
    expect([path, found.status]).toEqual([path, 200]);
    // A repeated request gets the same headers.
    const again = await app.request('POST', path, { token, body, headers });
    expect([again.headers['idempotent-replayed'], again.headers['location']]).toEqual(['true', location]);
  }
});

test('a 202 says where to follow the task, and when', async () => {
  const org = await app.registerOrgAdmin();
  const member = await app.registerDeployedMember();
  const job_id = await createJob(app, org.token);
  const { publicUrl } = app.platform.config;
  for (const [path, token] of [
    [`/orgs/me/jobs/${job_id}/recompute-matches`, org.token],
    [`/matches/compute?job_id=${job_id}`, org.token],
    ['/members/me/data-export', member.token],
  ] as const) {
    const { status, headers, body } = await app.request('POST', path, { token });
    expect([path, status, headers['retry-after']]).toEqual([path, 202, '1']);
    expect(headers['location']).toBe(`${publicUrl}/api/v1/tasks/${body.task_id}`);
    expect((await app.request('GET', `/tasks/${body.task_id}`, { token })).status).toBe(200);
  }
});

test('a member finishes the assessment within a minute, with other requests between, and the limit still holds', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const member = await registerMeasurableMember(limited);
  const { token } = member;
  const { progress } = await answerAllItems(limited, token);
  // The longest assessment has 120 items; how many this one has depends on the answers. The fake clock stands still: all of this happens within one minute.
  expect(progress.answered).toBeGreaterThan(50);
  const answer = () =>
    limited.request('POST', '/members/me/assessment/answers', { token, body: { item_id: 'x', option: 0 } });
  for (let answered: number = progress.answered; answered < 120; answered++)
    expect((await answer()).status).toBe(409);
  for (let count = 0; count < 60; count++)
    expect((await limited.request('GET', '/members/me', { token })).status).toBe(200);
  const statuses: number[] = [];
  for (let count = 0; count < 130; count++) statuses.push((await answer()).status);
  expect([...new Set(statuses)]).toEqual([409, 429]);
});

test('browsers keep a file of the pages only under the address of its own version', async () => {
  const page = String((await app.request('GET', '//sign-in')).body);
  const [address] = /\/assets\/console\.css\?v=[\w-]+/.exec(page)!;
  const readCaching = async (path: string) => (await app.request('GET', `/${path}`)).headers['cache-control'];
  expect(await readCaching(address)).toBe('public, max-age=31536000, immutable');
  // A page of another version, which an upgrade sends to this node.
  expect(await readCaching(`${address}x`)).toBe('no-store');
});
