import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const request = (method: string, path: string, body?: object) =>
  app.request(method, `/operator/organisations${path}`, {
    token: operator.token,
    ...(body && { body }),
  });

describe('searching organisations', () => {
  it('finds the beginning of names in any case, page by page, in the order of names', async () => {
    for (const name of ['quay b', 'Quay A', 'quay c', 'Harbour']) await app.registerOrgAdmin({ name });
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: { data: { name: string }[]; pagination: { next_cursor: string | null } } } =
        await request('GET', `?name=QUAY&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      names.push(...body.data.map(({ name }) => name));
      cursor = body.pagination.next_cursor;
    }
    expect(names).toEqual(['Quay A', 'quay b', 'quay c']);
  });

  it('finds by id and by tier', async () => {
    const { org_id } = await app.registerOrgAdmin();
    expect((await request('GET', `?id=${org_id}`)).body.data).toMatchObject([{ id: org_id }]);
    await request('PATCH', `/${org_id}`, { tier: 'partner' });
    expect((await request('GET', '?tier=partner')).body.data).toMatchObject([
      { id: org_id, tier: 'partner' },
    ]);
    expect((await request('GET', '?tier=E9')).body.errors[0].pointer).toBe('/tier');
    await expectOperatorOnly(app, 'GET', '/operator/organisations');
  });
});
