import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { buildAuthorizeUrl, createChallenge, registerClient } from '#test/modules/oauth.ts';
import { proves } from '#test/requirements.ts';
import { password } from '#test/users.ts';
import { createVisitor, findForm, type Visitor } from './visitor.ts';

const app = await startApp();
const { publicUrl } = app.platform.config;

/** Opens the page on which an agent asks for three tools. */
async function openRequest(visitor: Visitor, changes: Record<string, string> = {}) {
  const client_id = await registerClient(app, { client_name: 'Agent Desk' });
  const scope = 'tool:read_profile tool:update_profile tool:list_jobs';
  const url = buildAuthorizeUrl(app, client_id, createChallenge(), { scope, ...changes });
  return visitor.open(url.slice(publicUrl.length));
}

async function logIn(visitor: Visitor, email: string, at: string) {
  return visitor.send(await visitor.open(at), 'send', { email, password });
}

async function listGrants(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return app.sql.list(sql`
    select handle, tools, refused_tools from agent_grants join users on users.id = user_id where revoked_at is null order by agent_grants.created_at`);
}

test('a person without an account chooses a handle, ticks what the agent may do, and is led back to it', async () => {
  proves('surface-connector-account-created-on-handle');
  const visitor = createVisitor(app);
  const request = await openRequest(visitor);
  expect(request.address).toMatch(/^\/oauth\/interaction\//);
  expect(request.html).toContain('Connect Agent Desk?');
  expect(request.html).toContain('Nobody has checked this name.');
  const link = /href="(\/oauth\/handle\?[^"]+)"/.exec(request.html)![1]!;
  const choice = await visitor.open(link);
  const refused = await visitor.send(choice, 'choose', { handle: 'support' });
  expect(refused.html).toContain('@support is kept for the service.');
  const protect = await visitor.send(choice, 'choose', { handle: '@Ada-Lind' });
  expect(protect.html).toContain('Protect @ada-lind');
  expect(protect.html).toContain('nobody can help you back in');
  const consent = await visitor.send(protect, 'send', { password });
  expect(consent.address.split('?')[0]).toBe(request.address);
  expect(consent.html).toContain('@ada-lind');
  // What a role may not allow is not offered.
  expect(consent.html).not.toContain('list_jobs');
  expect(consent.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  const nothing = await visitor.send(consent, 'allow', { lifetime_days: '90' });
  expect(nothing.html).toContain('at least one tool');
  expect(await listGrants()).toEqual([]);
  const done = await visitor.send(consent, 'allow', {
    read_profile: 'true',
    list_jobs: 'true',
    lifetime_days: '90',
  });
  expect(done.html).toContain('Connected');
  expect(await listGrants()).toEqual([
    { handle: 'ada-lind', tools: ['read_profile'], refused_tools: ['update_profile'] },
  ]);
  const back = /href="([^"]*\/oauth\/authorize\/[^"]+)"/.exec(done.html)![1]!;
  const { headers } = await app.server.inject({
    url: back.slice(publicUrl.length),
    cookies: Object.fromEntries(visitor.cookies),
  });
  expect(headers.location).toMatch(/^https:\/\/client\.example\/callback\?code=/);
  // The decision holds for one request.
  expect((await visitor.open(request.address)).html).toContain('This request is over');
  const agents = await visitor.open('/app/agents');
  expect(agents.html).toContain('Read your profile');
  const ended = await visitor.send(agents, 'disconnect');
  expect(ended.html).toContain('The agent is disconnected.');
  expect(ended.html).toContain(`${publicUrl}/mcp`);
  expect(await listGrants()).toEqual([]);
});

test('a person denies a request, with an account or without one, and nothing is allowed', async () => {
  const member = await app.registerMember();
  for (const isKnown of [false, true]) {
    const visitor = createVisitor(app);
    const request = await openRequest(visitor);
    const page = isKnown
      ? await logIn(visitor, member.email, `/sign-in?continue=${encodeURIComponent(request.address)}`)
      : request;
    const denied = await visitor.send(page, 'deny');
    expect(denied.html).toContain('Not connected');
  }
  expect(await listGrants()).toEqual([]);
});

test('a request belongs to the browser that started it, and its form to the person who is logged in', async () => {
  const member = await app.registerMember();
  const [attacker, victim] = [createVisitor(app), createVisitor(app)];
  const request = await openRequest(attacker);
  await logIn(victim, member.email, '/sign-in');
  const foreign = await victim.open(request.address);
  expect([foreign.status, foreign.html.includes('This request is over')]).toEqual([404, true]);
  const consent = await logIn(
    attacker,
    member.email,
    `/sign-in?continue=${encodeURIComponent(request.address)}`,
  );
  const { hidden } = findForm(consent, 'allow');
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect((await attacker.send(consent, 'allow', { read_profile: 'true' }, headers)).status).toBe(403);
  const forged = { ...hidden, token: 'forged.token', read_profile: 'true', lifetime_days: '90' };
  expect((await attacker.send(consent, 'allow', forged)).status).toBe(403);
  expect(await listGrants()).toEqual([]);
  // Another person takes the browser over: the form of the first one is worth nothing.
  const switched = await attacker.send(consent, 'switch');
  expect(switched.html).toContain('Connect Agent Desk?');
  const other = await app.registerMember();
  await logIn(attacker, other.email, `/sign-in?continue=${encodeURIComponent(request.address)}`);
  const stale = await attacker.send(consent, 'allow', { read_profile: 'true', lifetime_days: '90' });
  expect(stale.status).toBe(403);
  expect(await listGrants()).toEqual([]);
});

test('a person with an old session confirms who they are before an agent may change anything, and keeps what they have ticked', async () => {
  const member = await app.registerMember();
  const visitor = createVisitor(app);
  await logIn(visitor, member.email, '/sign-in');
  app.clock.advance(16 * 60_000);
  const request = await openRequest(visitor);
  const chosen = { update_profile: 'true', lifetime_days: '30' };
  const confirmation = await visitor.send(request, 'allow', chosen);
  expect(confirmation.address).toMatch(/^\/app\/account\/confirm\?/);
  expect(await listGrants()).toEqual([]);
  const again = await visitor.send(confirmation, 'send', { password });
  expect(again.html).toMatch(/name="update_profile" value="true"\s+checked/);
  expect(again.html).not.toMatch(/name="read_profile" value="true"\s+checked/);
  expect(again.html).toMatch(/value="30"\s+checked/);
  await visitor.send(again, 'allow', chosen);
  expect(await listGrants()).toMatchObject([{ tools: ['update_profile'], refused_tools: ['read_profile'] }]);
  await visitor.send(await visitor.open('/app/agents'), 'disconnect');
});

test('a client that asks for a new login gets one, confirmed in place or by another login', async () => {
  const member = await app.registerMember();
  const visitor = createVisitor(app);
  await logIn(visitor, member.email, '/sign-in');
  for (const isConfirmed of [true, false]) {
    app.clock.advance(1_000);
    const request = await openRequest(visitor, { prompt: 'login' });
    expect(request.html).toContain('Confirm that it is you');
    expect(request.html).not.toContain('name="read_profile"');
    const link = /href="(\/app\/account\/confirm\?[^"]+)"/.exec(request.html)![1]!;
    const consent = isConfirmed
      ? await visitor.send(await visitor.open(link), 'send', { password })
      : await logIn(
          visitor,
          member.email,
          (await visitor.send(request, 'switch'), `/sign-in?continue=${encodeURIComponent(request.address)}`),
        );
    expect([consent.address, consent.html.includes('name="read_profile"')]).toEqual([request.address, true]);
  }
});

test('two clicks give one grant, an expired request gives none, and no page leads to another site', async () => {
  const member = await app.registerMember();
  const visitor = createVisitor(app);
  const request = await openRequest(visitor);
  const consent = await logIn(
    visitor,
    member.email,
    `/sign-in?continue=${encodeURIComponent(request.address)}`,
  );
  const allow = () => visitor.send(consent, 'allow', { read_profile: 'true', lifetime_days: '1' });
  const both = await Promise.all([allow(), allow()]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(await listGrants()).toHaveLength(1);
  const late = await openRequest(visitor);
  app.clock.advance(86_400_000);
  expect((await visitor.open(late.address)).html).toContain('This request is over');
  const stranger = createVisitor(app);
  const handle = await stranger.open('/oauth/handle?continue=https%3A%2F%2Fevil.example%2F');
  expect(handle.html).toContain('href="/sign-in?continue=%2Fapp"');
  const protect = await stranger.send(handle, 'choose', { handle: 'never-elsewhere' });
  expect((await stranger.send(protect, 'send', { password })).address).toBe('/app?notice=accountCreated');
  for (const uid of ['x', '../../app', '%00', 'V1StGXR8_Z5jdHi6B-myT'])
    expect((await stranger.open(`/oauth/interaction/${encodeURIComponent(uid)}`)).status).toBe(404);
});

test('an operator may allow nothing, and an account without an address says what it misses', async () => {
  const visitor = createVisitor(app);
  const request = await openRequest(visitor);
  const operator = await app.registerPlatformAdmin();
  const page = await visitor.send(
    await visitor.open(`/sign-in?continue=${encodeURIComponent(request.address)}`),
    'send',
    { email: operator.email, password: operator.password },
  );
  expect(page.html).toContain('Operators of this service do not connect agents.');
  const member = createVisitor(app);
  const protect = await member.send(await member.open('/oauth/handle'), 'choose', { handle: 'quiet-one' });
  const home = await member.send(protect, 'send', { password });
  expect(home.html).toContain('Add your email address');
  expect((await member.open('/app/account')).html).toContain('@quiet-one');
  expect((await member.open('/app/account/delete')).html).toContain('nobody can undo this');
  const again = createVisitor(app);
  const login = await again.send(await again.open('/sign-in'), 'send', { email: '@Quiet-One', password });
  expect(login.address).toBe('/app');
});
