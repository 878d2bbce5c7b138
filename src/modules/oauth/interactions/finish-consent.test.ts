import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
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
