import { beforeAll, expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import type { TestMember } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import { createCredential, requestRevocation, type IssuedCredential } from '#test/modules/credentials.ts';

let member: TestMember;
let all: readonly IssuedCredential[];
const app = await startApp();
beforeAll(async () => {
  member = await app.registerMember();
  const credentials = [];
  for (const overrides of [
    {},
    { expiry_days: 1 },
    { credential_type: 'archetype_attestation', claims: { archetype: 'keel' } },
    {},
    { expiry_days: 1 },
  ]) {
    app.clock.advance(1_000);
    credentials.push(await createCredential(app, member.token, overrides));
  }
  all = credentials.toReversed();
  await requestRevocation(app, member.token, all[1]!.id);
  app.clock.advance(86_400_000);
  const { email, password } = member;
  const { body } = await app.request('POST', '/auth/login', { body: { email, password } });
  member = { ...member, token: body.access_token };
});

const list = (query = '', token: string | undefined = member.token) =>
  app.request('GET', `/credentials/${query}`, { ...(token && { token }) });

const listIds = (reply: { body: { data: { id: string }[] } }) => reply.body.data.map(({ id }) => id);

test('a member’s credentials are listed newest first, without claims and tokens', async () => {
  proves('credential-list-endpoint-jwt');
  const reply = await list();
  expect(reply.status).toBe(200);
  expect(listIds(reply)).toEqual(all.map(({ id }) => id));
  const { id, member_id, credential_type, attestation_tier, issued_at, expires_at } = all[0]!;
  expect(reply.body.data[0]).toEqual({
    id,
    member_id,
    credential_type,
    attestation_tier,
    status: 'expired',
    visibility: 'private',
    issued_at,
    expires_at,
    revoked_at: null,
    title: null,
    organisation_name: null,
  });
  expect(reply.body.pagination).toEqual({ next_cursor: null, has_more: false, total_count: 5 });
});

test('filters select by derived status and by type', async () => {
  proves('credential-list-query-parameters', 'credential-statuses');
  const [, revoked, archetype, expired, oldest] = all;
  expect(listIds(await list('?status=revoked'))).toEqual([revoked!.id]);
  expect(listIds(await list('?status=expired'))).toEqual([all[0]!.id, expired!.id]);
  expect(listIds(await list('?status=active'))).toEqual([archetype!.id, oldest!.id]);
  expect(listIds(await list('?status=active&credential_type=archetype_attestation'))).toEqual([
    archetype!.id,
  ]);
});

test('the pages together contain each credential exactly once', async () => {
  const seen: string[] = [];
  for (let cursor = '', more = true; more;) {
    const reply = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
    expect(reply.body.pagination.total_count).toBe(5);
    seen.push(...listIds(reply));
    ({ next_cursor: cursor, has_more: more } = reply.body.pagination);
  }
  expect(seen).toEqual(all.map(({ id }) => id));
});

test('members see only their own credentials, platform administrators all, organisations none', async () => {
  const other = await app.registerMember();
  const theirs = await createCredential(app, other.token);
  expect(listIds(await list('', other.token))).toEqual([theirs.id]);
  expect(listIds(await list('', (await app.registerPlatformAdmin()).token))).toEqual([
    theirs.id,
    ...all.map(({ id }) => id),
  ]);
  expect((await list('', (await app.registerOrgAdmin()).token)).status).toBe(403);
  expect((await app.request('GET', '/credentials/')).status).toBe(401);
});

test('an invalid query parameter is refused by name, and so is a cursor of another list', async () => {
  for (const [query, pointer] of [
    ['?status=lost', '/status'],
    ['?credential_type=diploma', '/credential_type'],
    ['?limit=101', '/limit'],
    ['?offset=1', '/offset'],
  ]) {
    const { status, body } = await list(query);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  }
  const { body } = await list('?limit=1');
  const { next_cursor } = body.pagination;
  expect(await list(`?limit=1&status=active&cursor=${next_cursor}`)).toMatchObject({
    status: 400,
    body: { code: 'cursor_invalid' },
  });
});
