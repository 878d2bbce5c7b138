import * as jose from 'jose';
import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { linkNewEntries } from './link-entries.ts';

const app = await startApp();

const readHead = (token?: string) =>
  app.request('GET', '/audit-log/head', token === undefined ? {} : { token });

test('a signed head is verified with the published keys, and says what it is about', async () => {
  const [admin, other, operator] = [
    await app.registerOrgAdmin(),
    await app.registerOrgAdmin(),
    await app.registerPlatformAdmin(),
  ];
  await runTask(app, linkNewEntries, {});
  const [own, theirs, all] = await Promise.all(
    [admin, other, operator].map(async ({ token }) => (await readHead(token)).body),
  );
  expect([own.org_id, theirs.org_id, all.org_id]).toEqual([admin.org_id, other.org_id, null]);
  expect(new Set([own.head, theirs.head, all.head]).size).toBe(3);
  expect(own.position).toBeLessThan(all.position);
  const { body: keys } = await app.request('GET', '//.well-known/jwks.json');
  const { payload } = await jose.jwtVerify(own.statement, jose.createLocalJWKSet(keys), {
    typ: 'audit-head+jwt',
  });
  expect(payload).toMatchObject({ org_id: admin.org_id, position: own.position, head: own.head });
  expect(Date.parse(own.signed_at)).toBe(app.clock.now().getTime());
});

test('an organisation without entries has an empty chain', async () => {
  const { token } = await app.registerOrgAdmin();
  const { status, body } = await readHead(token);
  expect(status).toBe(200);
  expect(body).toMatchObject({ position: 0, head: '0'.repeat(64) });
});

test('members, viewers and people who have not logged in get no head', async () => {
  const { token } = await app.registerMember();
  expect(await readHead()).toMatchObject({ status: 401, body: { code: 'authentication_required' } });
  expect(await readHead(token)).toMatchObject({ status: 403, body: { code: 'role_not_allowed' } });
  const { org_id } = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org_id);
  expect(await readHead(viewer.token)).toMatchObject({ status: 403, body: { code: 'role_not_allowed' } });
});
