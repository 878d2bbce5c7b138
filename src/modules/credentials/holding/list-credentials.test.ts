import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import type { TestMember } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import { createCredential, requestRevocation, type IssuedCredential } from '#test/modules/credentials.ts';

let app: TestApp;
let member: TestMember;
let all: readonly IssuedCredential[];
beforeAll(async () => {
  app = await startApp();
  member = await app.registerMember();
  const made = [];
  for (const overrides of [
    {},
    { expiry_days: 1 },
    { credential_type: 'org_validation', claims: { statement: 'Well done.' } },
    {},
    { expiry_days: 1 },
  ]) {
    app.clock.advance(1_000);
    made.push(await createCredential(app, member.token, overrides));
  }
  all = made.toReversed();
  await requestRevocation(app, member.token, all[1]!.id);
  app.clock.advance(86_400_000);
  const { email, password } = member;
  const { body } = await app.request('POST', '/auth/login', { body: { email, password } });
  member = { ...member, token: body.access_token };
});

const list = (query = '', token: string | undefined = member.token) =>
  app.request('GET', `/credentials/${query}`, { ...(token && { token }) });

const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);

test('the member’s credentials come newest first, without claims and without tokens', async () => {
  proves('credential-list-endpoint-jwt');
  const answer = await list();
  expect(answer.status).toBe(200);
  expect(idsOf(answer)).toEqual(all.map(({ id }) => id));
  const { id, member_id, credential_type, attestation_tier, issued_at, expires_at } = all[0]!;
  expect(answer.body.data[0]).toEqual({
    id,
    member_id,
    credential_type,
    attestation_tier,
    status: 'expired',
    visibility: 'private',
    issued_at,
    expires_at,
    revoked_at: null,
  });
  expect(answer.body.pagination).toEqual({ next_cursor: null, has_more: false, total_count: 5 });
});

test('filters select by derived status and by type', async () => {
  proves('credential-list-query-parameters', 'credential-statuses');
  const [, revoked, validation, expired, oldest] = all;
  expect(idsOf(await list('?status=revoked'))).toEqual([revoked!.id]);
  expect(idsOf(await list('?status=expired'))).toEqual([all[0]!.id, expired!.id]);
  expect(idsOf(await list('?status=active'))).toEqual([validation!.id, oldest!.id]);
  expect(idsOf(await list('?status=active&credential_type=org_validation'))).toEqual([validation!.id]);
});

test('pages follow each other without gap or double', async () => {
  const seen: string[] = [];
  for (let cursor = '', more = true; more;) {
    const answer = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
    expect(answer.body.pagination.total_count).toBe(5);
    seen.push(...idsOf(answer));
    ({ next_cursor: cursor, has_more: more } = answer.body.pagination);
  }
  expect(seen).toEqual(all.map(({ id }) => id));
});

test('each sees the own credentials, an administrator everybody’s, organisations none', async () => {
  const other = await app.registerMember();
  const theirs = await createCredential(app, other.token);
  expect(idsOf(await list('', other.token))).toEqual([theirs.id]);
  expect(idsOf(await list('', (await app.registerPlatformAdmin()).token))).toEqual([
    theirs.id,
    ...all.map(({ id }) => id),
  ]);
  expect((await list('', (await app.registerOrgAdmin()).token)).status).toBe(403);
  expect((await app.request('GET', '/credentials/')).status).toBe(401);
});

test('a wrong query is refused by name, and a cursor of another list as well', async () => {
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
