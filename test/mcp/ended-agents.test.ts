import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { connectClient, requestTokens } from '#test/modules/oauth.ts';
import { password, logInAgain, type TestMember, type TestOrgUser } from '#test/users.ts';
import { callTool, readProblem, revisions, startAgentApp, type Agent } from './agents.ts';

const app = await startAgentApp();
const operator = await app.registerPlatformAdmin();

/** What an agent gets now: over MCP in both revisions, and at the REST row of the same operation. */
async function tryAgent({ token }: Pick<Agent, 'token'>, tool: 'read_profile' | 'list_jobs') {
  const path = { read_profile: '/members/me', list_jobs: '/orgs/me/jobs' }[tool];
  const calls = revisions.map((revision) => callTool(app, tool, {}, { token, revision }));
  const replies = await Promise.all([...calls, app.request('GET', path, { token })]);
  return replies.map(({ status }) => status);
}

const alive = [200, 200, 200];
const refused = [401, 401, 401];

type MemberEnd = (member: TestMember, agent: Agent) => Promise<{ readonly status: number }>;

const memberEnds: readonly (readonly [string, MemberEnd])[] = [
  [
    'a revoked grant',
    ({ token }, { grant_id }) => app.request('DELETE', `/auth/grants/${grant_id}`, { token }),
  ],
  ['the end of all grants', ({ token }) => app.request('DELETE', '/auth/grants', { token })],
  ['a deleted account', ({ token }) => app.request('DELETE', '/members/me', { token })],
  [
    'the withdrawal of all consents',
    ({ token }) => app.request('POST', '/members/me/consent/withdraw-all', { token, body: {} }),
  ],
  [
    'a suspended user',
    ({ user_id }) => app.request('POST', `/operator/users/${user_id}/suspend`, { token: operator.token }),
  ],
  [
    'a new password',
    async (member) => {
      app.clock.advance(1_000);
      const body = { current_password: password, new_password: 'Another-Horse-8-Battery' };
      const token = await logInAgain(app, member);
      return app.request('POST', '/auth/change-password', { token, body });
    },
  ],
  [
    'a revocation by the client',
    (_member, { client_id, token }) =>
      app.request('POST', '//oauth/revoke', {
        raw: new URLSearchParams({ token, client_id }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
  ],
];

test.each(memberEnds)('%s ends the agent of a member with the next call', async (_name, end) => {
  const member = await app.registerMember();
  const agent = app.findAgent(await app.connectAgent(member, { tools: ['read_profile'] }));
  expect(await tryAgent(agent, 'read_profile')).toEqual(alive);
  expect((await end(member, agent)).status).toBeLessThan(300);
  expect(await tryAgent(agent, 'read_profile')).toEqual(refused);
  const { headers } = await callTool(app, 'read_profile', {}, { token: agent.token });
  expect(headers['www-authenticate']).toContain('error="invalid_token"');
});

/** An organisation with an agent of its colleague, who may do what an administrator lets them. */
async function connectColleague() {
  const admin = await app.registerOrgAdmin();
  const colleague = await createColleague(app, admin.org_id, 'org_admin');
  const tools = ['list_jobs', 'create_job'] as const;
  const agent = app.findAgent(await app.connectAgent(colleague, { tools }));
  expect(await tryAgent(agent, 'list_jobs')).toEqual(alive);
  return { admin, colleague, agent };
}

test('a suspended organisation stops the agents of its users until the suspension is lifted', async () => {
  const { admin, agent } = await connectColleague();
  const set = (change: string) =>
    app.request('POST', `/operator/organisations/${admin.org_id}/${change}`, { token: operator.token });
  expect((await set('suspend')).status).toBeLessThan(300);
  expect(await tryAgent(agent, 'list_jobs')).toEqual(refused);
  expect((await set('resume')).status).toBeLessThan(300);
  expect(await tryAgent(agent, 'list_jobs')).toEqual(alive);
});

test('a user who is removed from an organisation has no agents', async () => {
  const { admin, colleague, agent } = await connectColleague();
  const { status } = await app.request('DELETE', `/orgs/me/users/${colleague.user_id}`, {
    token: await logInAgain(app, { ...(admin satisfies TestOrgUser), password }),
  });
  expect(status).toBeLessThan(300);
  expect(await tryAgent(agent, 'list_jobs')).toEqual(refused);
});

test('a lower role counts with the next call', async () => {
  const { admin, colleague, agent } = await connectColleague();
  const { status } = await app.request('PATCH', `/orgs/me/users/${colleague.user_id}`, {
    token: admin.token,
    body: { role: 'org_viewer' },
  });
  expect(status).toBeLessThan(300);
  expect(await tryAgent(agent, 'list_jobs')).toEqual(alive);
  const given = { title: 'Nurse' };
  const overMcp = await callTool(app, 'create_job', given, { token: agent.token });
  expect(readProblem(overMcp).code).toBe('role_not_allowed');
  const overRest = await app.request('POST', '/orgs/me/jobs', { token: agent.token, body: given });
  expect([overRest.status, overRest.body.code]).toEqual([403, 'role_not_allowed']);
});

test('a grant ends by itself, even if its last token would live longer', async () => {
  const day_ms = 86_400_000;
  const member = await app.registerMember();
  const decision = { tools: ['read_profile'], lifetime_days: 1 };
  const { client_id, refresh_token } = await connectClient(app, member, { decision });
  app.clock.advance(day_ms - 60_000);
  const { body } = await requestTokens(app, { grant_type: 'refresh_token', refresh_token, client_id });
  const agent = { token: body.access_token };
  expect(await tryAgent(agent, 'read_profile')).toEqual(alive);
  app.clock.advance(60_000);
  expect(await tryAgent(agent, 'read_profile')).toEqual(refused);
  const { status } = await requestTokens(app, {
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token,
    client_id,
  });
  expect(status).toBe(400);
});
