import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import {
  buildAuthorizeUrl,
  createBrowser,
  createChallenge,
  decide,
  registerClient,
  returnToClient,
  startInteraction,
  visit,
} from '#test/modules/oauth.ts';

const app = await startApp();
const member = await app.registerMember();
const client_id = await registerClient(app);

test('a person cannot allow what the client has not asked for, or what their role may not', async () => {
  for (const tool of ['read_traits', 'create_job', 'query_archetype']) {
    const uid = await startInteraction(
      app,
      createBrowser(),
      buildAuthorizeUrl(app, client_id, createChallenge(), {
        scope: 'tool:read_profile tool:create_job tool:query_archetype',
      }),
    );
    const decision = { tools: [tool], spend_cap: 5 };
    const { status, body } = await decide(app, { token: member.token, uid, decision });
    expect([status, body.code, body.errors?.[0]?.pointer]).toEqual([422, 'field_invalid', '/tools']);
  }
});

test('a decision counts once', async () => {
  const browser = createBrowser();
  const uid = await startInteraction(app, browser, buildAuthorizeUrl(app, client_id, createChallenge()));
  const replies = await Promise.all([1, 2, 3].map(() => decide(app, { token: member.token, uid })));
  expect(replies.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 404, 404]);
  const continue_url = replies.find(({ status }) => status === 200)!.body.continue_url;
  expect((await returnToClient(app, browser, continue_url)).get('code')).toBeTruthy();
  expect((await visit(app, browser, continue_url)).status).toBe(400);
});

test('an operator cannot let an agent act', async () => {
  const admin = await app.registerPlatformAdmin();
  const uid = await startInteraction(
    app,
    createBrowser(),
    buildAuthorizeUrl(app, client_id, createChallenge()),
  );
  const { status, body } = await decide(app, { token: admin.token, uid });
  expect([status, body.code]).toEqual([403, 'role_not_allowed']);
});

test('a session that is older than 15 minutes can allow an agent to read only, until its user has confirmed who they are', async () => {
  const { email } = await app.registerMember();
  const { cookies } = await app.request('POST', '/auth/login', { body: { email, password } });
  app.clock.advance(16 * 60_000);
  // A refresh does not prove who the person is.
  const { body: session } = await app.request('POST', '/auth/refresh', { cookies });
  const access_token = session.access_token;
  const start = async () => {
    const url = buildAuthorizeUrl(app, await registerClient(app), createChallenge(), {
      scope: 'tool:read_profile tool:update_profile',
    });
    return startInteraction(app, createBrowser(), url);
  };
  const uid = await start();
  const changing = { tools: ['read_profile', 'update_profile'] };
  const refused = await decide(app, { token: access_token, uid, decision: changing });
  expect([refused.status, refused.body.code]).toEqual([403, 'recent_authentication_required']);
  const capped = await decide(app, {
    token: access_token,
    uid,
    decision: { tools: ['read_profile'], spend_cap: 5 },
  });
  expect(capped.body.code).toBe('recent_authentication_required');
  const reading = await decide(app, { token: access_token, uid, decision: { tools: ['read_profile'] } });
  expect(reading.status).toBe(200);
  const again = await app.request('POST', '/auth/reauthenticate', {
    token: access_token,
    body: { password },
  });
  const second = await start();
  expect(
    (await decide(app, { token: again.body.access_token, uid: second, decision: changing })).status,
  ).toBe(200);
});
