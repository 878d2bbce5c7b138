import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { createSubscription } from '#test/modules/webhooks.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

test('administrators and viewers page through the subscriptions of their organisation, the newest first', async () => {
  proves('webhook-list-endpoint-org-admin-or-viewer');
  const [{ token, org_id }, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  await createSubscription(app, other.token, { url: 'https://theirs.example.org/' });
  for (const name of ['one', 'two', 'three']) {
    await createSubscription(app, token, { url: `https://${name}.example.org/` });
    app.clock.advance(1_000);
  }
  const viewer = await createColleague(app, org_id, 'org_viewer');
  const readPage = async (query: string) =>
    (await app.request('GET', `/webhooks/?limit=2${query}`, { token: viewer.token })).body;
  const first = await readPage('');
  expect(first.pagination).toEqual({ next_cursor: expect.any(String), has_more: true, total_count: 3 });
  const second = await readPage(`&cursor=${first.pagination.next_cursor}`);
  expect([...first.data, ...second.data].map(({ url }) => url)).toEqual([
    'https://three.example.org/',
    'https://two.example.org/',
    'https://one.example.org/',
  ]);
  expect(JSON.stringify([first, second])).not.toContain('secret"');
});

test('auditors, members and strangers may not list subscriptions', async () => {
  const { org_id } = await app.registerOrgAdmin();
  const refused = [await createColleague(app, org_id, 'auditor'), await app.registerMember()];
  for (const { token } of refused)
    expect((await app.request('GET', '/webhooks/', { token })).body.code).toBe('role_not_allowed');
  expect((await app.request('GET', '/webhooks/')).status).toBe(401);
});
