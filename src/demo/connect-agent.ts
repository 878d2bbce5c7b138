import { createHash, randomBytes } from 'node:crypto';
import type { Client, Json } from './client.ts';

/** What an agent has reached, for the output of the demonstration. */
export type AgentCalls = {
  readonly tools: readonly string[];
  /** The reply of `read_profile`. */
  readonly profile: Json;
  /** The status of the same call after the member has disconnected the agent. */
  readonly statusAfterwards: number;
};

const callback = 'http://127.0.0.1/callback';
const asked = ['read_profile', 'list_matches', 'update_profile'];
const allowed = ['read_profile', 'list_matches'];

/** An agent registers, is allowed two of the three tools that it asks for, calls one, and is disconnected by the member. */
export async function connectAgent(url: string, member: Client): Promise<AgentCalls> {
  const access_token = await requestToken(url, member);
  const { tools } = await callEndpoint(url, access_token, 'tools/list', {});
  const readProfile = { name: 'read_profile', arguments: {} };
  const { structuredContent } = await callEndpoint(url, access_token, 'tools/call', readProfile);
  const { data } = await member.get('/auth/grants');
  await member.send('DELETE', `/auth/grants/${data[0].id}`);
  const { status } = await sendMessage(url, access_token, 'tools/call', readProfile);
  return {
    tools: tools.map(({ name }: Json) => name).filter((name: string) => asked.includes(name)),
    profile: structuredContent,
    statusAfterwards: status,
  };
}

/** The authorization code flow with PKCE (RFC 6749, RFC 7636), with the member's decision by REST instead of the consent page. */
async function requestToken(url: string, member: Client): Promise<string> {
  const client_id = await registerClient(url);
  const verifier = randomBytes(32).toString('base64url');
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: callback,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${url}/mcp`,
    scope: asked.map((name) => `tool:${name}`).join(' '),
  });
  const started = await fetch(`${url}/oauth/authorize?${parameters.toString()}`, { redirect: 'manual' });
  const uid = /\/oauth\/interaction\/([\w-]+)$/.exec(started.headers.get('location') ?? '')?.[1];
  if (uid === undefined) throw new Error(`the authorization failed with status ${started.status}`);
  const cookie = started.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0]!)
    .join('; ');
  const decision = { tools: allowed, spend_cap: null, lifetime_days: 30 };
  const decided = await member.send('POST', `/oauth/interactions/${uid}/consent`, decision, { cookie });
  if (decided.status !== 200) throw new Error(`the consent failed: ${decided.reply?.detail}`);
  const returned = await fetch(decided.reply.continue_url, { redirect: 'manual', headers: { cookie } });
  const code = new URL(returned.headers.get('location') ?? callback).searchParams.get('code');
  if (code === null) throw new Error(`the agent got no code: status ${returned.status}`);
  return exchangeCode(url, { client_id, code, code_verifier: verifier });
}

async function registerClient(url: string): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Demonstration agent',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
    }),
  });
  return ((await response.json()) as Json).client_id;
}

async function exchangeCode(url: string, given: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: callback, ...given }),
  });
  const reply = (await response.json()) as Json;
  if (!response.ok) throw new Error(`the agent got no token: ${reply.error_description}`);
  return reply.access_token;
}

async function callEndpoint(url: string, token: string, method: string, params: object): Promise<Json> {
  const response = await sendMessage(url, token, method, params);
  const { result, error } = (await response.json()) as Json;
  if (!result) throw new Error(`${method} failed: ${error?.message}`);
  return result;
}

const revision = '2026-07-28';

/** Sends one message of MCP; the revision has no sessions. */
function sendMessage(
  url: string,
  token: string,
  method: string,
  params: { readonly name?: string },
): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'tessera-demonstration', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    signal: AbortSignal.timeout(30_000),
  });
}
