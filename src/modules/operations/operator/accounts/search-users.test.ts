import { describe, expect, it } from 'vitest';
import { formatExternalId } from '#lib/external-id.ts';
import { changeUserFromCommand } from '#modules/access/accounts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';
import type { TestUser } from '#test/users.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const search = (query: Readonly<Record<string, string>>) =>
  app.request('GET', `/operator/users?${String(new URLSearchParams(query))}`, { token: operator.token });
const listEmails = async (query: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await search(query)).body.data.map(({ email }: { email: string }) => email);

async function renameUser({ token }: TestUser, display_name: string): Promise<void> {
  await app.request('PATCH', '/auth/me', { token, body: { display_name } });
}

describe('a search by address', () => {
  it('finds the beginning of addresses in any case, in the order of addresses, and describes each account', async () => {
    const member = await app.registerMember({ email: 'search.b@example.org', name: 'Bea' });
    const admin = await app.registerOrgAdmin({ email: 'search.a@example.org', name: 'Search Works' });
    await app.registerMember({ email: 'searching@example.org' });
    const { body } = await search({ email: 'SEARCH.' });
    expect(body.data).toEqual([
      {
        id: admin.user_id,
        email: 'search.a@example.org',
        handle: null,
        display_name: null,
        role: 'org_admin',
        linked_entity_id: admin.org_id,
        organisation_name: 'Search Works',
        status: 'active',
        email_verified: true,
        mfa_enabled: false,
        created_at: app.clock.now().toISOString(),
        last_login: app.clock.now().toISOString(),
      },
      {
        id: member.user_id,
        email: 'search.b@example.org',
        handle: null,
        display_name: 'Bea',
        role: 'member',
        linked_entity_id: member.member_id,
        organisation_name: null,
        status: 'active',
        email_verified: false,
        mfa_enabled: false,
        created_at: app.clock.now().toISOString(),
        last_login: app.clock.now().toISOString(),
      },
    ]);
    expect(body.pagination.total_count).toBe(2);
  });

  it('takes no character of the text as a pattern', async () => {
    await app.registerMember({ email: 'under_score@example.org' });
    await app.registerMember({ email: 'underxscore@example.org' });
    expect(await listEmails({ email: 'under_' })).toEqual(['under_score@example.org']);
    expect(await listEmails({ email: '%' })).toEqual([]);
  });
});

describe('a search by name', () => {
  it('finds members and other users in one order, page by page and each once', async () => {
    const people = await Promise.all([
      app.registerMember({ name: 'Zora Alt' }),
      app.registerMember({ name: 'zora alt' }),
      app.registerOrgAdmin({ name: 'Anything' }),
      app.registerMember({ name: 'Zora Bell' }),
      app.registerMember({ name: 'Zor' }),
    ]);
    await renameUser(people[2], 'Zora Alto');
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const {
        body,
      }: {
        body: {
          data: { display_name: string }[];
          pagination: { next_cursor: string | null; total_count: number };
        };
      } = await search({ name: 'ZORA', limit: '2', ...(cursor !== '' && { cursor }) });
      expect(body.pagination.total_count).toBe(4);
      seen.push(...body.data.map(({ display_name }) => display_name));
      cursor = body.pagination.next_cursor;
    }
    expect(seen.slice(0, 2).toSorted()).toEqual(['Zora Alt', 'zora alt']);
    expect(seen.slice(2)).toEqual(['Zora Alto', 'Zora Bell']);
  });

  it('is refused together with another field', async () => {
    const { status, body } = await search({ name: 'Ada', suspended: 'true' });
    expect([status, body.errors]).toEqual([
      422,
      [{ pointer: '/name', reason: 'must not be combined with suspended' }],
    ]);
  });
});

describe('a search by id', () => {
  it('finds a user by the id of the user or the member, and by the short id of the member', async () => {
    const { user_id, member_id, email } = await app.registerMember();
    const external_id = formatExternalId('MBR', member_id);
    for (const id of [user_id, member_id.toUpperCase(), external_id, external_id.toLowerCase()])
      expect([id, await listEmails({ identifier: id })]).toEqual([id, [email]]);
    expect(await listEmails({ identifier: unknownId })).toEqual([]);
  });

  it('is refused for a text that is no id', async () => {
    for (const id of ['x', 'MBR-1', 'MBR-UUUUUUUU', `urn:uuid:${unknownId}`]) {
      const { status, body } = await search({ identifier: id });
      expect([id, status, body.errors[0].pointer]).toEqual([id, 422, '/identifier']);
    }
  });
});

it('a search can be limited to an organisation, and to those who cannot log in', async () => {
  const admin = await app.registerOrgAdmin();
  const viewer = await createColleague(app, admin.org_id, 'org_viewer');
  await changeUserFromCommand(app.platform, { user: viewer.email }, true);
  const { org_id } = admin;
  expect((await listEmails({ org_id })).toSorted()).toEqual([admin.email, viewer.email].toSorted());
  const { body } = await search({ org_id, suspended: 'true' });
  expect(body.data).toMatchObject([{ email: viewer.email, status: 'suspended' }]);
  expect(await listEmails({ org_id, suspended: 'false' })).toEqual([admin.email]);
});

it('a user whom an organisation has removed is not found', async () => {
  const admin = await app.registerOrgAdmin();
  const viewer = await createColleague(app, admin.org_id, 'org_viewer');
  const removed = await app.request('DELETE', `/orgs/me/users/${viewer.user_id}`, { token: admin.token });
  expect(removed.status).toBe(204);
  expect(await listEmails({ org_id: admin.org_id })).toEqual([admin.email]);
  expect(await listEmails({ identifier: viewer.user_id })).toEqual([]);
});

it('only a platform administrator may search, and a cursor works with its own search only', async () => {
  await expectOperatorOnly(app, 'GET', '/operator/users');
  const { next_cursor } = (await search({ limit: '1' })).body.pagination;
  const { status, body } = await search({ limit: '1', email: 'a', cursor: next_cursor });
  expect([status, body.code]).toEqual([400, 'cursor_invalid']);
});
