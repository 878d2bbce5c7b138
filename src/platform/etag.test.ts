import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createCredential, registerSharingMember } from '#test/modules/credentials.ts';
import {
  createJob,
  fillMeans,
  listStoredMatches,
  persistencePriorities,
  tierMeans,
} from '#test/modules/matching.ts';
import { filledProfile } from '#test/users.ts';
import { apiRows } from '#test/wire-schemas.ts';
import type { Row } from './http/row.ts';
import { checkIfMatch, computeEtag, isKnownToClient } from './etag.ts';

const app = await startApp();

/** A tag as gateways that compress a reply change it. */
function transformTag(etag: string): readonly string[] {
  const named = ['-gzip', '--gzip', '-br', '-zstd'].map((suffix) => etag.replace(/"$/, `${suffix}"`));
  return [etag, ...named].flatMap((tag) => [tag, `W/${tag}`]).slice(1);
}

test('an ETag is a digest of the resource', () => {
  const etag = computeEtag('{"a":1}');
  expect(etag).toMatch(/^"[\w-]{27}"$/);
  expect(computeEtag('{"a":1}')).toBe(etag);
  for (const other of ['{"a":2}', '{"a":"1"}', '']) expect(computeEtag(other)).not.toBe(etag);
});

test('If-None-Match recognises the tag, weak or strong, in a list too, and *', () => {
  const etag = computeEtag('{}');
  for (const known of ['*', ' * ', etag, ...transformTag(etag), `"x", ${etag}`, `${etag},"y"`])
    expect([known, isKnownToClient(known, etag)]).toEqual([known, true]);
  for (const unknown of [undefined, '', '"x"', etag.slice(1, -1), `w/${etag}`, ','.repeat(8_000)])
    expect([unknown, isKnownToClient(unknown, etag)]).toEqual([unknown, false]);
});

test('If-Match accepts the tag, also as gateways rewrite it, a list that contains it, and *, and refuses bare and other tags', async () => {
  const [resource, etag] = [{ a: 1 }, computeEtag('{"a":1}')];
  const check = (if_match: string | undefined) => checkIfMatch({ if_match }, () => resource);
  for (const accepted of [undefined, '*', ' * ', etag, ...transformTag(etag), `"x", ${etag}`, `${etag},"y"`])
    await check(accepted);
  for (const refused of ['', '"x"', 'W/"x"', '"x-gzip"', `w/${etag}`, etag.slice(1, -1), ','.repeat(8_000)])
    await expect(check(refused)).rejects.toThrow('The resource has changed');
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
    {
      token: org.token,
      method: 'PATCH',
      path: job,
      read: job,
      // Both objects in an order that the database does not keep.
      bodies: [
        {
          trait_priorities: { sincerity: 1, persistence: 0.5, discretion: 0.25 },
          constraints: { years_experience_min: 1, location_states: ['NSW'], location_countries: ['AU'] },
        },
        { title: 'Two' },
      ],
    },
    {
      token: org.token,
      method: 'PATCH',
      path: '/orgs/me',
      read: '/orgs/me',
      bodies: [{ name: 'One' }, { name: 'Two' }],
    },
    { token: member.token, method: 'PUT', path: profile, read: '/members/me', bodies: [filledProfile, {}] },
    { token: member.token, method: 'PUT', path: preferences, read: preferences, bodies: [{ values }, {}] },
    ...(await listSettings(org.token, job, member.token)),
    await createQueryConsent(),
    await createVisibility(),
  ] as const;
}

async function listSettings(org_token: string, job: string, member_token: string) {
  const [own, organisations] = ['/members/me/notifications', '/orgs/me/notifications'];
  const following = `${job}/following`;
  return [
    {
      token: member_token,
      method: 'PUT',
      path: own,
      read: own,
      bodies: [{ match_proposed: 'weekly' }, { match_proposed: 'never' }],
    },
    {
      token: org_token,
      method: 'PUT',
      path: organisations,
      read: organisations,
      bodies: [
        { match_accepted: 'never', match_declined: 'never' },
        { match_accepted: 'weekly', match_declined: 'never' },
      ],
    },
    // The creator of a job follows it.
    {
      token: org_token,
      method: 'PUT',
      path: following,
      read: following,
      bodies: [{ following: false }, { following: true }],
    },
  ] as const;
}

async function createQueryConsent() {
  const { token } = await app.registerMember();
  for (const consent_type of ['assessment_data', 'identity_queries'])
    await app.request('POST', '/members/me/consent', {
      token,
      body: { consent_type, granted: true, version: '1.0' },
    });
  const [category, method] = ['archetype', 'PUT'] as const;
  const bodies = [
    { category, approved: true },
    { category, approved: false },
  ] as const;
  const path = '/orgs/queries/consent/category';
  return { token, method, path, read: '/orgs/queries/consent/config', bodies };
}

async function createVisibility() {
  const { token } = await registerSharingMember(app);
  const read = `/credentials/${(await createCredential(app, token)).id}`;
  const bodies = [{ visibility: 'public' }, { visibility: 'private' }] as const;
  return { token, method: 'PUT', path: `${read}/visibility`, read, bodies } as const;
}

test('a tag that ends with a hyphen is known by the names that gateways add to it', () => {
  for (const named of ['"a-"', 'W/"a-"', '"a--gzip"', '"a---br"', '"x", "a--zstd"'])
    expect([named, isKnownToClient(named, '"a-"')]).toEqual([named, true]);
  for (const named of ['"a"', '"a-gzip"', '"a-x"', '"a--gzipx"', '"a-'])
    expect([named, isKnownToClient(named, '"a-"')]).toEqual([named, false]);
});

/** The PATCH and PUT operations that take no If-Match, with the reason. */
const withoutEtag: Readonly<Record<string, string>> = {
  'accounts.renamePasskey': 'A passkey is read only in a list, and changes with every login.',
  'sso.configureOpenid':
    'A provider is replaced as a whole, like that of SAML, and all administrators are informed of each change.',
  'agents.setSpendCap':
    'A grant is read only in a list, and changes with every use. The limit itself changes under the lock of the grant.',
  'matches.setReference':
    'A reference is read only in a list, and belongs to the one program that replaces it as a whole.',
  'culture.saveDraft':
    'A draft belongs to one person, and each answer replaces only the one to the same statement.',
  'partners.setConnection':
    'A connection is read only in a list, without its secrets, and is replaced as a whole.',
  'directories.setGroupRole':
    'A group is read only in a list, and changes with its members. The role changes under the lock of the organisation.',
  'orgUsers.changeUserRole':
    'A user of an organisation is read only in a list, and changes with every login. The role itself changes under the lock of the organisation.',
  'serviceKeys.replacePublicKey': 'A key is read only in a list. It changes under its lock.',
  'books.setBalanceWarning':
    'A balance changes with every read. The warning is one number, of which the last counts.',
  'achievements.updateAchievement':
    'An achievement is read only in a list. It changes under the lock of the organisation, and no longer once it was offered.',
  'serviceKeys.replaceOperatorPublicKey': 'As serviceKeys.replacePublicKey.',
};

test('every PATCH and PUT accepts If-Match, and so does a GET with the same reply', () => {
  const isChange = ({ method }: Row) => method === 'PATCH' || method === 'PUT';
  const changes = apiRows.filter(isChange).map(({ operation }) => operation);
  const readers = apiRows.filter(({ method }) => method === 'GET').map(({ operation }) => operation);
  expect(changes.filter(({ etag }) => !etag).map(({ name }) => name)).toEqual(Object.keys(withoutEtag));
  for (const { name, output } of changes.filter(({ etag }) => etag)) {
    const isRead = readers.some((reader) => reader.etag && reader.output[200] === output[200]);
    expect([name, isRead]).toEqual([name, true]);
  }
});

test('the status of a match is set only if If-Match names the current version', async () => {
  const org = await app.registerOrgAdmin();
  const { member_id } = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const match = (await listStoredMatches(app, job_id)).find((each) => each.member_id === member_id)!;
  const read = `/matches/${match.id}`;
  const readMatch = () => app.request('GET', read, { token: org.token });
  const setStatus = (status: string, etag: unknown) =>
    app.request('PUT', `${read}/status`, {
      token: org.token,
      body: { status },
      headers: { 'if-match': String(etag) },
    });
  const first = (await readMatch()).headers['etag'];
  const interested = await setStatus('org_interested', first);
  const after = await readMatch();
  expect([interested.status, interested.headers['etag']]).toEqual([200, after.headers['etag']]);
  for (const status of ['org_passed', 'org_interested']) {
    const late = await setStatus(status, first);
    expect([late.status, late.body.code, late.headers['etag']]).toEqual([
      412,
      'precondition_failed',
      after.headers['etag'],
    ]);
  }
  expect((await readMatch()).body).toEqual(after.body);
});

test('resources with an ETag are changed only if If-Match names the current version', async () => {
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

test('a reader who has the current version gets 304 without a body, and after a change the new version', async () => {
  for (const { token, method, path, read, bodies } of await listResources()) {
    const readUnless = (etag: string) =>
      app.request('GET', read, { token, headers: { 'if-none-match': etag } });
    const first = await app.request('GET', read, { token });
    const etag = String(first.headers['etag']);
    const same = await readUnless(etag);
    expect([read, same.status, same.body, same.headers['etag']]).toEqual([read, 304, '', etag]);
    expect(same.headers).not.toHaveProperty('content-length');
    expect(same.headers).not.toHaveProperty('content-type');
    await app.request(method, path, { token, body: bodies[0] });
    const changed = await readUnless(etag);
    expect([changed.status, changed.body]).toEqual([200, (await app.request('GET', read, { token })).body]);
    // Only a GET: a change is made and returned whatever version the client has.
    const headers = { 'if-none-match': '*' };
    expect((await app.request(method, path, { token, body: bodies[1], headers })).status).toBe(200);
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
