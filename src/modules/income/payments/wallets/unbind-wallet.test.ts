import { expect, test } from 'vitest';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { startApp } from '#test/harness.ts';
import { bindWallet } from '#test/modules/payments.ts';

const app = await startApp();

test('a wallet that was removed can be added by another organisation', async () => {
  const [one, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const wallet = privateKeyToAccount(generatePrivateKey());
  const id = await bindWallet(app, one.token, wallet);
  const remove = (token: string) => app.request('DELETE', `/orgs/me/wallets/${id}`, { token });
  expect((await remove(other.token)).body.code).toBe('wallet_not_found');
  expect((await remove(one.token)).status).toBe(204);
  expect((await remove(one.token)).body.code).toBe('wallet_not_found');
  expect(await bindWallet(app, other.token, wallet)).not.toBe(id);
  const { body } = await app.request('GET', '/audit-log', { token: one.token });
  const actions = body.data.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['payments.wallet_added', 'payments.wallet_removed']));
});

test('an id that is none is refused', async () => {
  const { token } = await app.registerOrgAdmin();
  expect((await app.request('DELETE', '/orgs/me/wallets/none', { token })).body.code).toBe('field_invalid');
  expect((await app.request('DELETE', '/orgs/me/wallets/none')).status).toBe(401);
});
