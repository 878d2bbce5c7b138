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
import type { AddressInfo } from 'node:net';
import type { TestApp } from '#test/harness.ts';
import { callback } from '#test/modules/oauth.ts';

/** The address at which clients know the service of these tests. */
const public_url = 'http://localhost:8420';

/** The part of a client that these tests use, of either generation. */
export type AgentClient = {
  readonly listTools: () => Promise<readonly string[]>;
  readonly call: (
    name: string,
    given?: Readonly<Record<string, unknown>>,
    meta?: Readonly<Record<string, unknown>>,
  ) => Promise<CallResult>;
  readonly close: () => Promise<void>;
};

export type CallResult = {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly unknown[];
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
};

/** What a person does at the address to which a client sends them. @returns the parameters with which the browser comes back. */
export type Answer = (url: URL) => Promise<URLSearchParams>;

/** What a client stores about a service, and the person in front of it. */
export class Person implements OAuthClientProvider {
  answer: Answer;
  asked: readonly string[] = [];
  returned: URLSearchParams | undefined;
  private client: StoredOAuthClientInformation | undefined;
  private stored: StoredOAuthTokens | undefined;
  private verifier = '';

  constructor(answer: Answer) {
    this.answer = answer;
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

  async redirectToAuthorization(url: URL) {
    this.asked = url.searchParams.get('scope')!.split(' ');
    this.returned = await this.answer(url);
  }
}

export type Connect = (person: Person) => Promise<AgentClient>;

/** Lets a service listen, and returns a fetch that finds it at its public address. */
export async function listen({ server }: TestApp): Promise<typeof fetch> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return fetch(url.replace(public_url, `http://127.0.0.1:${port}`), init);
  };
}

/** Connects, and logs in when the service asks for it. Calls that need more of the person log in again. */
function createConnect(send: typeof fetch, mode: 'auto' | 'legacy'): Connect {
  return async (person) => {
    const open = () => {
      const options = { authProvider: person, fetch: send };
      const transport = new StreamableHTTPClientTransport(new URL(`${public_url}/mcp`), options);
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      return { client, transport };
    };
    const { client, transport } = open();
    const finish = (error: unknown) => {
      if (!(error instanceof UnauthorizedError)) throw error;
      return transport.finishAuth(person.returned!);
    };
    let used = client;
    await client.connect(transport).catch(async (error: unknown) => {
      await finish(error);
      const again = open();
      await again.client.connect(again.transport);
      used = again.client;
    });
    return {
      listTools: async () => (await used.listTools()).tools.map(({ name }) => name),
      call: async (name, given = {}, meta) => {
        const request = { name, arguments: given, ...(meta && { _meta: meta }) };
        try {
          return await used.callTool(request);
        } catch (error) {
          await finish(error);
          return used.callTool(request);
        }
      },
      close: () => used.close(),
    };
  };
}

/** The same with the former generation of the client, which is in most programs. */
function createFormerConnect(send: typeof fetch): Connect {
  return async (person) => {
    const open = () => {
      // Both generations ask the same of a provider, in types of their own.
      const options = { authProvider: person as never, fetch: send };
      const transport = new FormerTransport(new URL(`${public_url}/mcp`), options);
      return { transport, client: new FormerClient({ name: 'test', version: '1' }) };
    };
    const finish = async ({ transport }: ReturnType<typeof open>, error: unknown) => {
      if (!(error instanceof FormerUnauthorizedError)) throw error;
      await transport.finishAuth(person.returned!.get('code')!);
    };
    let used = open();
    await used.client.connect(used.transport).catch(async (error: unknown) => {
      await finish(used, error);
      used = open();
      await used.client.connect(used.transport);
    });
    return {
      listTools: async () => (await used.client.listTools()).tools.map(({ name }) => name),
      call: async (name, given = {}, meta) => {
        const request = { name, arguments: given, ...(meta && { _meta: meta }) };
        try {
          return (await used.client.callTool(request)) as CallResult;
        } catch (error) {
          await finish(used, error);
          return (await used.client.callTool(request)) as CallResult;
        }
      },
      close: () => used.client.close(),
    };
  };
}

/** The real clients, by what they are. `readSend` returns how they reach the service. */
export function listRealClients(readSend: () => typeof fetch): readonly (readonly [string, Connect])[] {
  return [
    ['client 2, revision 2026-07-28', (person) => createConnect(readSend(), 'auto')(person)],
    ['client 2, revision 2025-11-25', (person) => createConnect(readSend(), 'legacy')(person)],
    ['sdk 1', (person) => createFormerConnect(readSend())(person)],
  ];
}
