import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { repeat_seconds } from '../../src/modules/access/agents/rules.ts';
import { cloneDatabase, startApp, type TestApp } from '#test/harness.ts';
import {
  buildAuthorizeUrl,
  callback,
  createBrowser,
  createChallenge,
  decide,
  registerClient,
  requestTokens,
  returnToClient,
  startInteraction,
} from '#test/modules/oauth.ts';
import { logInAgain } from '#test/users.ts';
import { callTool } from './agents.ts';

const shared = {
  TESSERA_MASTER_KEY: randomBytes(32).toString('base64'),
  TESSERA_PUBLIC_URL: 'https://tessera.example',
};
const database = await cloneDatabase();
const first = await startApp(shared, database);
const second = await startApp(shared, database);
const now = new Date();
for (const { clock } of [first, second]) clock.set(now);

/** Connects an agent with each step on the other node. */
async function connect() {
  const member = await first.registerMember();
  const client_id = await registerClient(first);
  const { verifier, challenge } = createChallenge();
  const browser = createBrowser();
  const url = buildAuthorizeUrl(second, client_id, { verifier, challenge });
  const uid = await startInteraction(second, browser, url);
  const { body: decided } = await decide(first, { token: member.token, uid });
  const code = (await returnToClient(second, browser, decided.continue_url)).get('code')!;
  const exchange = (app: TestApp) =>
    requestTokens(app, {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: callback,
      client_id,
    });
  const { status, body } = await exchange(first);
  expect(status).toBe(200);
  return { member, client_id, exchange, tokens: body as Tokens };
}

type Tokens = { readonly access_token: string; readonly refresh_token: string };

const refresh = (app: TestApp, client_id: string, { refresh_token }: Tokens) =>
  requestTokens(app, { grant_type: 'refresh_token', refresh_token, client_id });

/** What both nodes reply to a call of the agent. */
async function tryNodes({ access_token: token }: Tokens) {
  const replies = await Promise.all(
    [first, second].map((app) => callTool(app, 'read_profile', {}, { token })),
  );
  return replies.map(({ status }) => status);
}

test('a request that begins on one node ends on the other, and the token works on both', async () => {
  const { tokens } = await connect();
  expect(await tryNodes(tokens)).toEqual([200, 200]);
});

test('a code that was used on one node is refused on the other, and ends the grant on both', async () => {
  const { tokens, exchange } = await connect();
  expect((await exchange(second)).body.error).toBe('invalid_grant');
  expect(await tryNodes(tokens)).toEqual([401, 401]);
});

test('a refresh token that was used on one node ends the grant on both if it is used on the other', async () => {
  const { client_id, tokens } = await connect();
  const { body: renewed } = await refresh(second, client_id, tokens);
  expect(await tryNodes(renewed)).toEqual([200, 200]);
  for (const { clock } of [first, second]) clock.advance(repeat_seconds * 1000);
  expect((await refresh(first, client_id, tokens)).body.error).toBe('invalid_grant');
  expect(await tryNodes(renewed)).toEqual([401, 401]);
  expect((await refresh(second, client_id, renewed)).body.error).toBe('invalid_grant');
});

test('two simultaneous refreshes on two nodes get one successor, and the grant goes on', async () => {
  const { client_id, tokens } = await connect();
  const replies = await Promise.all([first, second].map((app) => refresh(app, client_id, tokens)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(replies.map(({ body }) => body.refresh_token)).size).toBe(1);
  for (const { body } of replies) expect(await tryNodes(body as Tokens)).toEqual([200, 200]);
});

test('two decisions about one request on two nodes give one grant', async () => {
  const member = await first.registerMember();
  const url = buildAuthorizeUrl(first, await registerClient(first), createChallenge());
  const uid = await startInteraction(first, createBrowser(), url);
  const replies = await Promise.all([first, second].map((app) => decide(app, { token: member.token, uid })));
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404]);
});

test('a revocation on one node ends the agent on the other with its next call', async () => {
  const { member, client_id, tokens } = await connect();
  expect(await tryNodes(tokens)).toEqual([200, 200]);
  const { status } = await first.request('DELETE', '/auth/grants', {
    token: await logInAgain(first, member),
  });
  expect(status).toBe(204);
  expect(await tryNodes(tokens)).toEqual([401, 401]);
  expect((await refresh(second, client_id, tokens)).status).toBe(400);
});
