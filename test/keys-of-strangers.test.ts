import { describe, expect, it } from 'vitest';
import { apiRows } from './wire-schemas.ts';
import { startApp, type TestApp } from './harness.ts';
import { answerMirror, requestLink } from './modules/first-mirror.ts';
import { requestAccountLink } from './modules/registrations.ts';
import { createInvitation, readMailedToken } from './modules/org-users.ts';
import { createStub, observations } from './modules/stubs.ts';
import { formatRowName } from './row-requests.ts';
import { createEmail, password } from './users.ts';

/*
 * Strangers have no name by which their Idempotency-Keys could be kept apart. Each operation that is open to them and stores its
 * reply is called from several networks with one key and one body.
 */
const rows = apiRows.filter(({ operation }) => operation.who === 'anyone' && operation.idempotent);

/** The fields of a path and a body that succeeds, or would if it were the first. */
type Good = { readonly path: string; readonly body: object };

const app = await startApp();
const proxied = await startApp({ TESSERA_TRUSTED_PROXIES: '192.0.2.0/24' });

const prepare: Readonly<Record<string, (app: TestApp) => Promise<Good>>> = {
  'POST /auth/register': async () => ({
    path: '/auth/register',
    body: { email: createEmail(), password, name: 'Ada' },
  }),
  'POST /auth/handles': async () => ({
    path: '/auth/handles',
    body: { handle: `stranger-${createEmail().slice(0, 8)}`, password },
  }),
  'POST /identity/stubs': async () => ({
    path: '/identity/stubs',
    body: { observations, subject_agreed: true },
  }),
  'POST /identity/stubs/{claim_code}/observations': async (to) => ({
    path: `/identity/stubs/${(await createStub(to)).body.claim_code}/observations`,
    body: { observations },
  }),
  'POST /identity/claim': async (to) => ({
    path: '/identity/claim',
    body: {
      claim_code: (await createStub(to)).body.claim_code,
      email: createEmail(),
      password,
      tos_accepted: true,
    },
  }),
  'POST /first-mirror/keep': async (to) => {
    const { mirror } = await answerMirror(to, 1);
    return {
      path: '/first-mirror/keep',
      body: { token: await requestLink(to, mirror, createEmail()), version: '1.0' },
    };
  },
  'POST /auth/registrations/open': async (to) => ({
    path: '/auth/registrations/open',
    body: { token: await requestAccountLink(to, createEmail()), password },
  }),
  'POST /auth/accept-invitation': async (to) => {
    const { token } = await to.registerOrgAdmin();
    const { email } = await createInvitation(to, token);
    return {
      path: '/auth/accept-invitation',
      body: { token: await readMailedToken(to, email), password },
    };
  },
};

/** One client, by the address of its socket and by what a proxy in front says. */
type Client = { readonly socket: string; readonly forwarded?: string };

type Setting = {
  readonly name: string;
  readonly app: TestApp;
  readonly client: Client;
  /** The client when it tries again: another connection, and another address of the same network. */
  readonly again: Client;
  readonly stranger: Client;
};

const settings: readonly Setting[] = [
  {
    name: 'without a proxy',
    app,
    client: { socket: '198.51.100.7' },
    again: { socket: '198.51.100.7' },
    stranger: { socket: '198.51.100.8' },
  },
  {
    name: 'without a proxy, over IPv6',
    app,
    client: { socket: '2001:db8:1:2::7' },
    again: { socket: '2001:db8:1:2:ffff::1' },
    stranger: { socket: '2001:db8:1:3::7' },
  },
  {
    name: 'with a header that nobody vouches for',
    app,
    client: { socket: '198.51.100.9', forwarded: '203.0.113.5' },
    again: { socket: '198.51.100.9', forwarded: '203.0.113.6' },
    stranger: { socket: '198.51.100.10', forwarded: '203.0.113.5' },
  },
  {
    name: 'behind one trusted proxy',
    app: proxied,
    client: { socket: '192.0.2.1', forwarded: '203.0.113.5:5001' },
    again: { socket: '192.0.2.2', forwarded: '203.0.113.5:5002' },
    stranger: { socket: '192.0.2.1', forwarded: '203.0.113.6' },
  },
  {
    name: 'behind a trusted proxy, over IPv6',
    app: proxied,
    client: { socket: '192.0.2.1', forwarded: '[2001:db8:5:6::1]:443' },
    again: { socket: '192.0.2.1', forwarded: '2001:db8:5:6:9::2' },
    stranger: { socket: '192.0.2.1', forwarded: '2001:db8:5:7::1' },
  },
];

async function send({ app: to }: Setting, client: Client, { path, body }: Good, key: string) {
  const { socket, forwarded } = client;
  const response = await to.server.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    remoteAddress: socket,
    headers: { 'idempotency-key': key, ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
    payload: body,
  });
  return {
    status: response.statusCode,
    replayed: response.headers['idempotent-replayed'] === 'true',
    body: response.json<Record<string, unknown>>(),
    cookies: response.cookies.map(({ value }) => value),
  };
}

/** What of a reply opens something: codes, tokens and cookies. */
function listSecrets({ status, body, cookies }: Awaited<ReturnType<typeof send>>): readonly unknown[] {
  // The one who adds to an identity has its code already.
  const claim_code = status === 201 ? body['claim_code'] : undefined;
  return [claim_code, body['access_token'], ...cookies].filter((each) => each !== undefined);
}

it('prepares a request for each operation that is open to strangers and stores its reply', () => {
  expect(rows.map(formatRowName).toSorted()).toEqual(Object.keys(prepare).toSorted());
});

describe.each(settings)('$name,', (setting) => {
  it.each(Object.entries(prepare))(
    '%s gives a reply again to the network that got it, and to no other',
    async (name, prepareRequest) => {
      const good = await prepareRequest(setting.app);
      const key = `stub-1 ${name}`.replaceAll(' ', '-');
      const first = await send(setting, setting.client, good, key);
      const again = await send(setting, setting.again, good, key);
      const stranger = await send(setting, setting.stranger, good, key);
      expect(first.status).toBeLessThan(300);
      expect(again).toEqual({ ...first, replayed: true });
      expect(stranger.replayed).toBe(false);
      const secrets = listSecrets(first);
      expect(listSecrets(stranger).filter((each) => secrets.includes(each))).toEqual([]);
    },
  );

  it.each(Object.entries(prepare))(
    '%s lets no network use up the keys of another',
    async (name, prepareRequest) => {
      const key = `free ${name}`.replaceAll(' ', '-');
      await send(setting, setting.stranger, await prepareRequest(setting.app), key);
      const other = await send(setting, setting.client, await prepareRequest(setting.app), key);
      expect([other.status < 300, other.replayed]).toEqual([true, false]);
    },
  );
});
