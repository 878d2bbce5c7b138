import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { createJob, persistencePriorities } from '#test/modules/matching.ts';
import { filledProfile } from '#test/users.ts';
import { checkIfMatch, computeEtag } from './etag.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

test('an ETag depends on the values of a resource and not on the order of its fields', () => {
  const etag = computeEtag({ a: 1, b: { c: [1, 2], d: null } });
  expect(etag).toMatch(/^"[\w-]{27}"$/);
  expect(computeEtag({ b: { d: null, c: [1, 2] }, a: 1 })).toBe(etag);
  for (const other of [{ a: 1 }, { a: 1, b: { c: [2, 1], d: null } }, { a: '1', b: { c: [1, 2], d: null } }])
    expect(computeEtag(other)).not.toBe(etag);
});

test('If-Match accepts the tag, a list that contains it, and *, and refuses weak, bare and other tags', () => {
  const [resource, etag] = [{ a: 1 }, computeEtag({ a: 1 })];
  const check = (if_match: string | undefined) => checkIfMatch({ if_match }, resource);
  for (const accepted of [undefined, '*', ' * ', etag, `"x", ${etag}`, `${etag},"y"`])
    expect(() => check(accepted)).not.toThrow();
  for (const refused of ['', '"x"', `W/${etag}`, etag.slice(1, -1), ','.repeat(8_000)])
    expect(() => check(refused)).toThrow('The resource has changed');
});

/** Each resource with its reader, its writer, and two bodies that differ. */
async function listResources() {
  const [org, member] = [await app.registerOrgAdmin(), await app.registerMember()];
  const job_id = await createJob(app, org.token, {
    ...persistencePriorities,
    sincerity: 0.5,
    discretion: 0.25,
  });
  const values = { hierarchy: 1, clan: 2, market: 3, adhocracy: 4 };
  const job = `/orgs/me/jobs/${job_id}`;
  const profile = '/members/me/profile';
  const preferences = '/members/me/matching-preferences';
  return [
    { token: org.token, method: 'PATCH', path: job, read: job, bodies: [{ title: 'One' }, { title: 'Two' }] },
    {
      token: org.token,
      method: 'PATCH',
      path: '/orgs/me',
      read: '/orgs/me',
      bodies: [{ name: 'One' }, { name: 'Two' }],
    },
    { token: member.token, method: 'PUT', path: profile, read: '/members/me', bodies: [filledProfile, {}] },
    { token: member.token, method: 'PUT', path: preferences, read: preferences, bodies: [{ values }, {}] },
  ] as const;
}

test('jobs, organisations, profiles and preferences are changed only if If-Match names the current version', async () => {
  for (const { token, method, path, read, bodies } of await listResources()) {
    const readEtag = async () => String((await app.request('GET', read, { token })).headers['etag']);
    const change = (body: object, etag?: string) =>
      app.request(method, path, { token, body, ...(etag && { headers: { 'if-match': etag } }) });
    const first = await readEtag();
    const changed = await change(bodies[0], first);
    expect([path, changed.status]).toEqual([path, 200]);
    // The reply to the change has the tag of the new version, and it stays the same for the next reader.
    expect([path, changed.headers['etag']]).toEqual([path, await readEtag()]);
    const before = (await app.request('GET', read, { token })).body;
    const late = await change(bodies[1], first);
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
    expect(late.headers['etag']).toBe(changed.headers['etag']);
    expect((await app.request('GET', read, { token })).body).toEqual(before);
    expect((await change(bodies[1])).status).toBe(200);
    expect((await change(bodies[0], '*')).status).toBe(200);
  }
});

test('of simultaneous changes with the same If-Match, exactly one is made', async () => {
  for (const { token, method, path, read, bodies } of await listResources()) {
    const { headers } = await app.request('GET', read, { token });
    const change = () =>
      app.request(method, path, {
        token,
        body: bodies[0],
        headers: { 'if-match': String(headers['etag']) },
      });
    const statuses = (await Promise.all(Array.from({ length: 8 }, change))).map(({ status }) => status);
    expect([path, statuses.toSorted((one, other) => one - other)]).toEqual([
      path,
      [200, ...Array(7).fill(412)],
    ]);
  }
});
