import { expect, test } from 'vitest';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { startChain } from '#test/chain/start-chain.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { bindWallet, startPaidApp } from '#test/modules/payments.ts';

const app = await startApp();

const createWallet = () => privateKeyToAccount(generatePrivateKey());

async function requestMessage(token: string, address: string, service = app): Promise<string> {
  const { body } = await service.request('POST', '/orgs/me/wallets/challenge', { token, body: { address } });
  return body.message;
}

const bind = (token: string, address: string, signature: string, service = app) =>
  service.request('POST', '/orgs/me/wallets', { token, body: { address, signature } });

test('an administrator adds a wallet by its signature, lists it, and removes it', async () => {
  const [{ token }, wallet] = [await app.registerOrgAdmin(), createWallet()];
  const message = await requestMessage(token, wallet.address);
  expect(message).toMatch(/^localhost:8420 wants /);
  expect(message).toContain(wallet.address);
  const bound = await bind(token, wallet.address, await wallet.signMessage({ message }));
  const address = wallet.address.toLowerCase();
  expect([bound.status, bound.body]).toEqual([
    201,
    { id: expect.any(String), address, created_at: app.clock.now().toISOString() },
  ]);
  expect((await app.request('GET', '/orgs/me/wallets', { token })).body.data).toEqual([bound.body]);
  expect((await app.request('DELETE', `/orgs/me/wallets/${bound.body.id}`, { token })).status).toBe(204);
  expect((await app.request('GET', '/orgs/me/wallets', { token })).body.data).toEqual([]);
});

test('a signature is accepted once, for ten minutes, and only the latest message counts', async () => {
  const [{ token }, wallet] = [await app.registerOrgAdmin(), createWallet()];
  const older = await wallet.signMessage({ message: await requestMessage(token, wallet.address) });
  const signature = await wallet.signMessage({ message: await requestMessage(token, wallet.address) });
  expect((await bind(token, wallet.address, older)).body.code).toBe('wallet_signature_wrong');
  app.clock.advance(600_000);
  expect((await bind(token, wallet.address, signature)).body.code).toBe('wallet_challenge_invalid');
  const fresh = await wallet.signMessage({ message: await requestMessage(token, wallet.address) });
  expect((await bind(token, wallet.address, fresh)).status).toBe(201);
  expect((await bind(token, wallet.address, fresh)).body.code).toBe('wallet_challenge_invalid');
});

test('the signature of another wallet, or for another organisation, adds nothing', async () => {
  const [one, other, wallet] = [await app.registerOrgAdmin(), await app.registerOrgAdmin(), createWallet()];
  const message = await requestMessage(one.token, wallet.address);
  expect(
    (await bind(one.token, wallet.address, await createWallet().signMessage({ message }))).body.code,
  ).toBe('wallet_signature_wrong');
  await requestMessage(other.token, wallet.address);
  const signature = await wallet.signMessage({ message });
  expect((await bind(other.token, wallet.address, signature)).body.code).toBe('wallet_signature_wrong');
  expect((await bind(one.token, wallet.address, signature)).status).toBe(201);
});

test('a wallet belongs to one organisation', async () => {
  const [one, other, wallet] = [await app.registerOrgAdmin(), await app.registerOrgAdmin(), createWallet()];
  await bindWallet(app, one.token, wallet);
  for (const { token } of [one, other]) {
    const signature = await wallet.signMessage({ message: await requestMessage(token, wallet.address) });
    const refused = await bind(token, wallet.address, signature);
    expect([refused.status, refused.body.code]).toEqual([409, 'wallet_bound']);
  }
});

test('of two organisations that add a wallet at once, one has it', async () => {
  const [one, other, wallet] = [await app.registerOrgAdmin(), await app.registerOrgAdmin(), createWallet()];
  const replies = await Promise.all(
    [one, other].map(async ({ token }) => {
      const message = await requestMessage(token, wallet.address);
      return bind(token, wallet.address, await wallet.signMessage({ message }));
    }),
  );
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
});

test('an organisation has at most 20 wallets', async () => {
  const { token } = await app.registerOrgAdmin();
  for (let count = 0; count < 20; count++) await bindWallet(app, token, createWallet());
  await expect(bindWallet(app, token, createWallet())).rejects.toThrow('wallets_full');
});

test('only administrators add and remove wallets; auditors and viewers may list them', async () => {
  const { org_id, token } = await app.registerOrgAdmin();
  const id = await bindWallet(app, token, createWallet());
  for (const role of ['org_viewer', 'auditor'] as const) {
    const colleague = await createColleague(app, org_id, role);
    const { address } = createWallet();
    const refused = await app.request('POST', '/orgs/me/wallets/challenge', {
      token: colleague.token,
      body: { address },
    });
    expect(refused.body.code).toBe('role_not_allowed');
    expect((await app.request('DELETE', `/orgs/me/wallets/${id}`, { token: colleague.token })).status).toBe(
      403,
    );
    expect((await app.request('GET', '/orgs/me/wallets', { token: colleague.token })).body.data).toHaveLength(
      1,
    );
  }
  expect((await app.request('GET', '/orgs/me/wallets')).status).toBe(401);
  expect((await app.request('DELETE', `/orgs/me/wallets/${unknownId}`, { token })).body.code).toBe(
    'wallet_not_found',
  );
});

test('a wallet that is a contract is added by the signature of its owner', async () => {
  const chain = await startChain();
  const paid = await startPaidApp(chain);
  const [{ token }, owner] = [await paid.registerOrgAdmin(), await chain.createPayer()];
  const contract = await chain.deployWallet(owner.address);
  const message = await requestMessage(token, contract, paid);
  const stranger = await createWallet().signMessage({ message });
  expect((await bind(token, contract, stranger, paid)).body.code).toBe('wallet_signature_wrong');
  expect((await bind(token, contract, await owner.signMessage({ message }), paid)).status).toBe(201);
});
