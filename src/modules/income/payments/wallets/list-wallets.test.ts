import { expect, test } from 'vitest';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { startApp } from '#test/harness.ts';
import { bindWallet } from '#test/modules/payments.ts';

const app = await startApp();

test('an organisation sees its own wallets only, the oldest first', async () => {
  const [own, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const createWallet = () => privateKeyToAccount(generatePrivateKey());
  const ids = [];
  for (const _ of [1, 2, 3]) {
    ids.push(await bindWallet(app, own.token, createWallet()));
    app.clock.advance(1_000);
  }
  await bindWallet(app, other.token, createWallet());
  const { body } = await app.request('GET', '/orgs/me/wallets', { token: own.token });
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
});

test('members and strangers may not list wallets', async () => {
  const { token } = await app.registerMember();
  expect((await app.request('GET', '/orgs/me/wallets', { token })).body.code).toBe('role_not_allowed');
  expect((await app.request('GET', '/orgs/me/wallets')).status).toBe(401);
});
