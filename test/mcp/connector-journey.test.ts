import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client } from '@x402/fetch';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startChain, type TestChain } from '#test/chain/start-chain.ts';
import type { TestApp } from '#test/harness.ts';
import { returnToClient, type Browser } from '#test/modules/oauth.ts';
import { bindWallet, startPaidApp } from '#test/modules/payments.ts';
import { findAliases, registerReadable, spendAllowance } from '#test/modules/reads.ts';
import { proves } from '#test/requirements.ts';
import { password, type TestOrgUser } from '#test/users.ts';
import { createVisitor, unescapeHtml, type SeenPage, type Visitor } from '#test/web/visitor.ts';
import { listen, listRealClients, Person, type Answer, type CallResult } from './real-clients.ts';

let chain: TestChain;
let app: TestApp;
let send: typeof fetch;
beforeAll(async () => {
  chain = await startChain();
  app = await startPaidApp(chain);
  send = await listen(app);
});
beforeEach(() => {
  app.clock.set(new Date());
});

const clients = listRealClients(() => send);

type Ticks = Readonly<Record<string, string>>;

/** Follows a client's link to the pages of the service, comes past who they are, ticks, allows, and goes back to the client. */
function answerOnPages(
  visitor: Visitor,
  identify: (page: SeenPage) => Promise<SeenPage>,
  ticks: Ticks,
): Answer {
  return async ({ pathname, search }) => {
    const asked = await visitor.open(pathname + search);
    const consent = asked.html.includes('value="allow"') ? asked : await identify(asked);
    const done = await visitor.send(consent, 'allow', { lifetime_days: '90', ...ticks });
    const back = /href="([^"]*\/oauth\/authorize\/[^"]+)"/.exec(done.html)?.[1];
    if (back === undefined) throw new Error(`nothing was allowed: ${done.status} ${done.html}`);
    const cookies = [...visitor.cookies].map(([name, value]) => [`${name} /`, { value, path: '/' }] as const);
    const browser: Browser = { cookies: new Map(cookies) };
    return returnToClient(app, browser, unescapeHtml(back));
  };
}

/** Chooses a handle and a password on the pages to which the request leads. */
const signUpAs = (visitor: Visitor, handle: string) => async (asked: SeenPage) => {
  const link = unescapeHtml(/href="(\/oauth\/handle\?[^"]+)"/.exec(asked.html)![1]!);
  const protect = await visitor.send(await visitor.open(link), 'choose', { handle });
  return visitor.send(protect, 'send', { password });
};

const logInAs =
  (visitor: Visitor, { email }: TestOrgUser) =>
  async ({ address }: SeenPage) => {
    const logIn = await visitor.open(`/sign-in?continue=${encodeURIComponent(address)}`);
    return visitor.send(logIn, 'send', { email, password });
  };

const readCode = ({ content }: CallResult) =>
  (JSON.parse((content[0] as { readonly text: string }).text) as { readonly code: string }).code;

describe.each(clients.map(([name, connect], index) => [name, connect, `newcomer-${index}`] as const))(
  '%s',
  (_name, connect, handle) => {
    test('a person signs up by choosing a handle, allows one tool of many, and ends it', async () => {
      proves('surface-connector-account-created-on-handle');
      const visitor = createVisitor(app);
      const person = new Person(answerOnPages(visitor, signUpAs(visitor, handle), { read_profile: 'true' }));
      const client = await connect(person);
      expect((await client.call('read_profile')).structuredContent).toMatchObject({
        account_status: 'active',
      });
      expect(readCode(await client.call('read_traits'))).toBe('tool_not_granted');
      expect((await client.call('list_archetypes')).isError).not.toBe(true);
      const agents = await visitor.open('/app/agents');
      expect(agents.html).toContain('Read your profile');
      await visitor.send(agents, 'disconnect');
      // Asked again, the person closes the page.
      person.answer = () => Promise.reject(new Error('closed'));
      await expect(client.call('read_profile')).rejects.toThrow('closed');
      await client.close();
    });

    test('an organisation allows a paid tool when it is called, and its agent pays for a read on the chain', async () => {
      const readable = await registerReadable(app);
      const org = await app.registerOrgAdmin();
      const [member_id] = await findAliases(app, org, [readable]);
      await spendAllowance(app, org);
      const payer = await chain.createPayer();
      await bindWallet(app, org.token, payer);
      const visitor = createVisitor(app);
      const logIn = logInAs(visitor, org);
      const person = new Person(answerOnPages(visitor, logIn, { list_jobs: 'true' }));
      const client = await connect(person);
      expect((await client.call('list_jobs')).structuredContent).toMatchObject({ data: [expect.anything()] });
      const both = { list_jobs: 'true', query_archetype: 'true', spend_cap: '1' };
      person.answer = answerOnPages(visitor, logIn, both);
      const error = await client.call('query_archetype', { member_id }).catch((thrown: unknown) => thrown);
      expect(person.asked).toEqual(['tool:list_jobs', 'tool:query_archetype']);
      expect(error).toMatchObject({ code: -32_000, data: { payment_required: { x402Version: 2 } } });
      const { payment_required } = (error as { data: { payment_required: never } }).data;
      const payment = await new x402Client()
        .register('eip155:31337', new ExactEvmScheme(payer))
        .setSpendControls({
          allowedAssets: [{ network: 'eip155:31337', asset: chain.token, maxAmountPerPayment: '1000000' }],
        })
        .createPaymentPayload(payment_required);
      const paid = await client.call('query_archetype', { member_id }, { 'x402/payment': payment });
      expect(paid.structuredContent).toMatchObject({ query_metadata: { payment_type: 'x402' } });
      expect(paid._meta?.['x402/payment-response']).toMatchObject({ success: true });
      const price = 5_000_000n - (await chain.readBalance(payer.address));
      expect(price).toBeGreaterThan(0n);
      const repeated = await client.call('query_archetype', { member_id, _payment: payment });
      expect(repeated.structuredContent).toEqual(paid.structuredContent);
      expect(5_000_000n - (await chain.readBalance(payer.address))).toBe(price);
      await client.close();
    });
  },
);
