import { describe, expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createMarket, payProfile, proposeProfile } from '#test/modules/marketplace.ts';
import { createPayment, encodePayment, readBooks } from '#test/modules/reads.ts';

const app = await startApp({ TESSERA_AUD_PER_USD: '1.5' });
type Tokened = { readonly token: string };
const read = async (path: string, { token }: Tokened) =>
  (await app.request('GET', `/marketplace/${path}`, { token })).body;

describe('a pending transaction that ends without a payment', () => {
  const decline = (id: string, { token }: Tokened) =>
    app.request('POST', `/marketplace/transactions/${id}/decline`, { token });

  test('is declined by the organisation, and stays so', async () => {
    const own = await createMarket(app);
    const before = await readBooks(app);
    const { id } = (await proposeProfile(app, own, 0.4)).body;
    const [one, two] = [await decline(id, own.org), await decline(id, own.org)];
    expect([one.status, one.body.status, two.body]).toEqual([200, 'declined', one.body]);
    expect((await decline(id, own.member)).body.code).toBe('transaction_ended');
    expect((await payProfile(app, own, 0.4)).body.id).not.toBe(id);
    expect(await read(`transactions/${id}`, own.member)).toMatchObject({ id, status: 'declined' });
    expect(await readBooks(app)).toMatchObject({ unbalanced: 0, reads: before.reads + 1 });
    const log = await app.request('GET', '/audit-log?action=queries.declined', { token: own.org.token });
    expect(log.body.data.map(({ detail }: { detail: object }) => detail)).toEqual([
      { data_type: 'trait_profile' },
    ]);
    const proposed = await app.request('GET', '/audit-log?action=queries.proposed', { token: own.org.token });
    expect(proposed.body.data).toEqual([]);
  });

  test('is taken back by the member', async () => {
    const own = await createMarket(app);
    const { id } = (await proposeProfile(app, own, 0.4)).body;
    expect((await decline(id, own.member)).body.status).toBe('withdrawn');
    expect((await decline(id, own.org)).body.code).toBe('transaction_ended');
    expect((await proposeProfile(app, own, 0.5)).status).toBe(201);
  });

  test('is not found by others, nor by who may not decide; one that is paid has ended', async () => {
    const own = await createMarket(app);
    const { id } = (await proposeProfile(app, own, 0.4)).body;
    for (const stranger of [await app.registerOrgAdmin(), await app.registerMember()])
      expect((await decline(id, stranger)).body.code).toBe('transaction_not_found');
    expect((await decline('nonsense', own.org)).status).toBe(422);
    expect((await app.request('POST', `/marketplace/transactions/${id}/decline`)).status).toBe(401);
    expect((await decline(id, await app.registerPlatformAdmin())).status).toBe(403);
    await payProfile(app, own, 0.4, encodePayment(createPayment()));
    expect((await decline(id, own.org)).body.code).toBe('transaction_ended');
  });
});
