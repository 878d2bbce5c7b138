import type { AddressInfo } from 'node:net';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as FormerUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import {
  callback,
  createBrowser,
  decide,
  returnToClient,
  startInteraction,
  type Decision,
} from '#test/modules/oauth.ts';
import { createPayment, findAliases, registerReadable, spendAllowance } from '#test/modules/queries.ts';
import { proves } from '#test/requirements.ts';

const public_url = 'http://localhost:8420';

let app: TestApp;
let sendToApp: typeof fetch;
beforeAll(async () => {
  app = await startApp();
  await app.server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.server.address() as AddressInfo;
  sendToApp = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return fetch(url.replace(public_url, `http://127.0.0.1:${port}`), init);
  };
});

/** The part of a client that these tests use, of either generation. */
type AgentClient = {
  readonly listTools: () => Promise<readonly string[]>;
  readonly call: (name: string, given?: Readonly<Record<string, unknown>>) => Promise<CallResult>;
  readonly close: () => Promise<void>;
};
type CallResult = {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly unknown[];
};

/** What a client stores about a service, and the person in front of it. */
class Person implements OAuthClientProvider {
  readonly token: string;
  decision: Decision;
  asked: readonly string[] = [];
  returned: URLSearchParams | undefined;
  private client: StoredOAuthClientInformation | undefined;
  private stored: StoredOAuthTokens | undefined;
  private verifier = '';

  constructor(token: string, decision: Decision) {
    this.token = token;
    this.decision = decision;
  }

  get redirectUrl() {
    return callback;
  }

  get clientMetadata() {
    return { client_name: 'Test client', redirect_uris: [callback], token_endpoint_auth_method: 'none' };
  }

  clientInformation() {
    return this.client;
  }

  saveClientInformation(client: StoredOAuthClientInformation) {
    this.client = client;
  }

  tokens() {
    return this.stored;
  }

  saveTokens(tokens: StoredOAuthTokens) {
    this.stored = tokens;
  }

  invalidateCredentials() {
    this.stored = undefined;
  }

  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }

  codeVerifier() {
    return this.verifier;
  }

  /** The person signs in and decides. */
  async redirectToAuthorization(url: URL) {
    this.asked = url.searchParams.get('scope')!.split(' ');
    const browser = createBrowser();
    const uid = await startInteraction(app, browser, url.href);
    const { status, body } = await decide(app, { token: this.token, uid, decision: this.decision });
    if (status !== 200) throw new Error(`the decision returned ${status}: ${JSON.stringify(body)}`);
    this.returned = await returnToClient(app, browser, body.continue_url);
  }
}

type Connect = (person: Person) => Promise<AgentClient>;

/** Connects, and signs in when the service asks for it. Calls that need more of the person sign in again. */
function createConnect(mode: 'auto' | 'legacy'): Connect {
  return async (person) => {
    const open = async () => {
      const options = { authProvider: person, fetch: sendToApp };
      const transport = new StreamableHTTPClientTransport(new URL(`${public_url}/mcp`), options);
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      return { client, transport };
    };
    const { client, transport } = await open();
    const finish = (error: unknown) => {
      if (!(error instanceof UnauthorizedError)) throw error;
      return transport.finishAuth(person.returned!);
    };
    let used = client;
    await client.connect(transport).catch(async (error: unknown) => {
      await finish(error);
      const again = await open();
      await again.client.connect(again.transport);
      used = again.client;
    });
    const call = async (name: string, given = {}) => used.callTool({ name, arguments: given });
    return {
      listTools: async () => (await used.listTools()).tools.map(({ name }) => name),
      call: async (name, given) => {
        try {
          return await call(name, given);
        } catch (error) {
          await finish(error);
          return call(name, given);
        }
      },
      close: () => used.close(),
    };
  };
}

const connectFormer: Connect = async (person) => {
  const open = () => {
    // Both generations ask the same of a provider, in types of their own.
    const options = { authProvider: person as never, fetch: sendToApp };
    const transport = new FormerTransport(new URL(`${public_url}/mcp`), options);
    return { transport, client: new FormerClient({ name: 'test', version: '1' }) };
  };
  const first = open();
  let used = first.client;
  await first.client.connect(first.transport as never).catch(async (error: unknown) => {
    if (!(error instanceof FormerUnauthorizedError)) throw error;
    await first.transport.finishAuth(person.returned!.get('code')!);
    const again = open();
    await again.client.connect(again.transport as never);
    used = again.client;
  });
  return {
    listTools: async () => (await used.listTools()).tools.map(({ name }) => name),
    call: async (name, given = {}) => (await used.callTool({ name, arguments: given })) as CallResult,
    close: () => used.close(),
  };
};

const clients: readonly (readonly [string, Connect])[] = [
  ['client 2, revision 2026-07-28', createConnect('auto')],
  ['client 2, revision 2025-11-25', createConnect('legacy')],
  ['sdk 1', connectFormer],
];

const readProblem = ({ content }: CallResult) =>
  JSON.parse((content[0] as { readonly text: string }).text) as { readonly code: string };

describe.each(clients)('%s', (_name, connect) => {
  test('is added by the address alone, signs in, and does what the person has ticked until that ends', async () => {
    proves(
      'surface-mcp-url-for-connectors-and-agents',
      'surface-connector-added-by-mcp-url',
      'surface-connector-no-pasted-token',
    );
    const member = await app.registerMember();
    const person = new Person(member.token, { tools: ['read_profile', 'next_assessment_item'] });
    const client = await connect(person);
    expect(person.asked).toContain('tool:read_traits');
    expect(person.asked).not.toContain('tool:query_archetype');
    const names = await client.listTools();
    expect(names).toEqual(expect.arrayContaining(['list_traits', 'read_profile', 'next_assessment_item']));
    expect(names).not.toContain('read_traits');
    const profile = await client.call('read_profile');
    expect(profile.structuredContent).toMatchObject({ id: member.member_id });
    expect(readProblem(await client.call('read_traits')).code).toBe('tool_not_granted');
    expect(readProblem(await client.call('next_assessment_item')).code).toBe('consent_required');
    const { body } = await app.request('GET', '/auth/grants', { token: member.token });
    expect(body.data).toMatchObject([{ tools: ['read_profile', 'next_assessment_item'] }]);
    await app.request('DELETE', `/auth/grants/${body.data[0].id}`, { token: member.token });
    // Asked again, the person now allows one tool only.
    person.decision = { tools: ['list_matches'] };
    person.asked = [];
    const refused = await client.call('read_profile').catch((error: unknown) => ({ error }));
    expect(refused).not.toHaveProperty('structuredContent');
    expect(person.asked).toContain('tool:read_profile');
    await client.close();
  });
});

describe.each(clients.slice(0, 2))('%s', (_name, connect) => {
  test('asks for a paid tool when it is called, learns the price, and pays', async () => {
    const member = await registerReadable(app);
    const org = await app.registerOrgAdmin();
    const [member_id] = await findAliases(app, org, [member]);
    await spendAllowance(app, org);
    const person = new Person(org.token, { tools: ['list_jobs'] });
    const client = await connect(person);
    expect(await client.listTools()).toContain('query_archetype');
    person.decision = { tools: ['list_jobs', 'query_archetype'], spend_cap: 1 };
    const unpaid = client.call('query_archetype', { member_id });
    await expect(unpaid).rejects.toMatchObject({
      code: -32_000,
      data: { type: 'payment_required', pricing: { price: expect.any(Number) } },
    });
    expect(person.asked).toEqual(['tool:list_jobs', 'tool:query_archetype']);
    const timestamp = Math.floor(app.clock.now().getTime() / 1000);
    const _payment = { tx_hash: createPayment(), timestamp };
    const { structuredContent } = await client.call('query_archetype', { member_id, _payment });
    expect(structuredContent).toMatchObject({ query_metadata: { data_type: 'archetype' } });
    await client.close();
  });
});

test('a person who says no is not asked again by the next call', async () => {
  const member = await app.registerMember();
  const person = new Person(member.token, { tools: ['read_profile'] });
  const client = await createConnect('auto')(person);
  person.asked = [];
  for (const _ of [1, 2])
    expect(readProblem(await client.call('read_earnings')).code).toBe('tool_not_granted');
  expect(person.asked).toEqual([]);
  await client.close();
});
