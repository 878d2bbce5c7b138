import type { Browser, Page } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem/accounts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkBooks } from '#modules/income/books';
import { setTier } from '#modules/organisations/orgs';
import { sql } from '#platform/database/database.ts';
import { findFreePort } from '#test/free-port.ts';
import { startChain, type TestChain } from '../chain/start-chain.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import type { TestApp } from '../harness.ts';
import { startPaidApp } from '../modules/payments.ts';
import { findAliases, registerReadable, spendAllowance } from '../modules/reads.ts';
import { password, type TestMember, type TestOrgUser } from '../users.ts';
import { canBrowse, openBrowser } from './open-browser.ts';

/** What the wallet of the browser does: the account that signs, the chain that it is on, and what its user does. */
type Wallet = {
  readonly account: PrivateKeyAccount;
  readonly chain_id?: number;
  readonly switches?: boolean;
  readonly refuses?: boolean;
};

/** The member of `window` in which a wallet is (EIP-1193). It asks the test by a function of the page. */
const provider = `window.ethereum = {
  request: async (call) => {
    const { code, result } = JSON.parse(await window.askWallet(JSON.stringify(call)));
    if (code !== undefined) throw Object.assign(new Error('refused'), { code });
    return result;
  },
};`;

/** Two wallets that announce themselves (EIP-6963), beside one that has taken the member of `window`; only the second of the two signs. */
const announcing = `{
  const ask = async (call) => {
    const { code, result } = JSON.parse(await window.askWallet(JSON.stringify(call)));
    if (code !== undefined) throw Object.assign(new Error('refused'), { code });
    return result;
  };
  const refuse = async () => { throw Object.assign(new Error('refused'), { code: 4001 }); };
  window.ethereum = { request: refuse };
  const wallets = [
    { info: { uuid: 'a', name: 'First <b>Wallet</b>', rdns: 'first.example', icon: '' }, provider: { request: refuse } },
    { info: { uuid: 'b', name: 'Second Wallet', rdns: 'second.example', icon: '' }, provider: { request: ask } },
  ];
  const announce = () => [...wallets, wallets[0], null, { info: {} }].forEach((detail) =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })));
  addEventListener('eip6963:requestProvider', announce);
}`;

describe.runIf(canBrowse)('an administrator with a wallet in the browser', () => {
  let chain: TestChain;
  let app: TestApp;
  let url: string;
  let browser: Browser;
  let member: TestMember;
  let org: TestOrgUser;
  let alias: string;
  let payer: PrivateKeyAccount;

  beforeAll(async () => {
    chain = await startChain();
    const port = await findFreePort();
    url = `http://localhost:${port}`;
    app = await startPaidApp(chain, { TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
    await app.server.listen({ port, host: '127.0.0.1' });
    browser = await openBrowser();
    cleanUpAfterFile(() => browser.close());
    member = await registerReadable(app, ['archetype', 'trait_profile']);
  });

  beforeEach(async () => {
    app.clock.set(new Date());
    payer = await chain.createPayer();
    org = await app.registerOrgAdmin();
    [alias] = (await findAliases(app, org, [member])) as [string];
    await setTier(app.platform, { org: org.org_id, tier: 'E1 Explorer' });
    await spendAllowance(app, org);
  });

  const getAddress = () => `${url}/app/reads/new?member_id=${alias}`;

  /** Opens the price of a read in a browser with a wallet. */
  async function openOffer(wallet?: Wallet, script = provider): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    if (wallet) {
      await page.exposeFunction('askWallet', createWallet(wallet));
      await page.addInitScript(script);
    }
    await page.goto(`${url}/sign-in`);
    await page.getByLabel('Email address').fill(org.email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Reads' }).waitFor();
    await page.goto(getAddress());
    await page.getByRole('button', { name: 'See the price' }).click();
    await page.getByRole('button', { name: 'by a wallet' }).waitFor();
    return page;
  }

  const pay = (page: Page) => page.getByRole('button', { name: 'by a wallet' }).click();
  const waitForRead = (page: Page) => page.getByRole('heading', { name: 'What you have read' }).waitFor();

  /** What the payer has spent, and for how many payments and reads of the organisation, in millionths of a dollar. */
  async function readOutcome() {
    const { payments } = await app.sql.one(sql<{ payments: number }>`
      select count(*) as payments from payments where org_id = ${org.org_id}`);
    const { reads, price } = await app.sql.one(sql<{ reads: number; price: number }>`
      select count(*) as reads, coalesce(sum(gross_micros), 0)::bigint as price from reads where org_id = ${org.org_id}`);
    const spent = 5_000_000 - Number(await chain.readBalance(payer.address));
    expect((await checkBooks(app.platform)).faults).toEqual([]);
    return { payments, reads, is_paid: spent === price && price > 0, spent };
  }

  const nothing = { payments: 0, reads: 0, is_paid: false, spent: 0 };

  it('signs the price of the button, and reads: the chain has moved exactly this', async () => {
    const page = await openOffer({ account: payer });
    await pay(page);
    await waitForRead(page);
    expect(await readOutcome()).toMatchObject({ payments: 1, reads: 1, is_paid: true });
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.goto(getAddress());
    expect(await page.locator('[data-wallet-pending]').isVisible()).toBe(false);
  });

  it('on another chain is asked to switch, and pays when it does', async () => {
    const page = await openOffer({ account: payer, chain_id: 1, switches: true });
    await pay(page);
    await waitForRead(page);
    expect(await readOutcome()).toMatchObject({ payments: 1, is_paid: true });
  });

  it('with several wallets chooses one of them by its name', async () => {
    const page = await openOffer({ account: payer }, announcing);
    const choice = page.getByLabel('Wallet', { exact: true });
    expect(await choice.locator('option').allTextContents()).toEqual([
      'First <b>Wallet</b>',
      'Second Wallet',
    ]);
    await pay(page);
    await page.getByText('You have not signed. Nothing was paid.').waitFor();
    await choice.selectOption('Second Wallet');
    await pay(page);
    await waitForRead(page);
    expect(await readOutcome()).toMatchObject({ payments: 1, reads: 1, is_paid: true });
  });

  it('with one wallet, announced or not, has nothing to choose', async () => {
    const page = await openOffer({ account: payer });
    expect(await page.locator('.wallet-choice').isVisible()).toBe(false);
  });

  it.each([
    ['stays on another chain', { chain_id: 1 }, 'Your wallet is on another chain'],
    ['refuses to sign', { refuses: true }, 'You have not signed. Nothing was paid.'],
  ] as const)('that %s reads why, and loses nothing', async (_name, does, words) => {
    const page = await openOffer({ account: payer, ...does });
    await pay(page);
    await page.getByText(words).waitFor();
    expect(await page.getByRole('button', { name: 'by a wallet' }).isEnabled()).toBe(true);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await readOutcome()).toEqual(nothing);
  });

  it('without a wallet in the browser reads so', async () => {
    const page = await openOffer();
    await pay(page);
    await page.getByText('This browser has no wallet').waitFor();
    expect(await readOutcome()).toEqual(nothing);
  });

  it('whose reply was lost sends the same payment again, and pays once', async () => {
    const page = await openOffer({ account: payer });
    await page.route(getAddress(), async (route) => {
      await route.fetch();
      await route.abort();
    });
    await pay(page);
    await expect.poll(async () => (await readOutcome()).reads).toBe(1);
    await page.unroute(getAddress());
    await page.goto(getAddress());
    await page.getByRole('button', { name: 'Send the same payment again' }).click();
    await waitForRead(page);
    expect(await readOutcome()).toMatchObject({ payments: 1, reads: 1, is_paid: true });
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('with too little of the token reads so, and may sign again', async () => {
    const poor = await chain.createPayer();
    await chain.sendFrom(poor, chain.token, 'transfer', [chain.payTo, 4_999_999n]);
    const page = await openOffer({ account: poor });
    await pay(page);
    await page.getByText('does not have enough of the token').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await readOutcome()).toMatchObject({ reads: 0, spent: 0 });
  });

  it('whose outcome nobody knows keeps the payment, and gets its read later', async () => {
    const page = await openOffer({ account: payer });
    await chain.control.setAutomine(false);
    await pay(page);
    await page.getByRole('heading', { name: 'The payment is not settled yet' }).waitFor();
    await chain.control.setAutomine(true);
    await chain.control.mine({ blocks: 1 });
    await page.getByRole('button', { name: 'Send the same payment again' }).click();
    await waitForRead(page);
    expect(await readOutcome()).toMatchObject({ payments: 1, reads: 1, is_paid: true });
  });
});

/** Answers the calls of a page as a wallet does: it signs with a real key. */
function createWallet({ account, chain_id = 31_337, switches = false, refuses = false }: Wallet) {
  let current = chain_id;
  const answer = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    if (method === 'eth_requestAccounts') return [account.address];
    if (method === 'eth_chainId') return `0x${current.toString(16)}`;
    if (method === 'wallet_switchEthereumChain' && switches) {
      current = 31_337;
      return null;
    }
    if (method !== 'eth_signTypedData_v4' || refuses) return undefined;
    const { domain, types, primaryType, message } = JSON.parse(String(params[1])) as Parameters<
      typeof account.signTypedData
    >[0] & { types: Record<string, unknown> };
    const { EIP712Domain: _domain, ...own } = types;
    return account.signTypedData({ domain, types: own, primaryType, message });
  };
  return async (call: string) => {
    const { method, params } = JSON.parse(call) as { method: string; params: readonly unknown[] };
    const result = await answer(method, params);
    return JSON.stringify(result === undefined ? { code: 4001 } : { result });
  };
}
