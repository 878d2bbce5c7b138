import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import {
  buildAuthorizeUrl,
  createBrowser,
  createChallenge,
  registerClient,
  startInteraction,
} from '#test/modules/oauth.ts';

const app = await startApp();
const member = await app.registerMember();
const client_id = await registerClient(app);

test('scopes of other services are ignored, and a client that names none asks for the default tools', async () => {
  const readTools = async (scope: string | null) => {
    const uid = await startInteraction(
      app,
      createBrowser(),
      buildAuthorizeUrl(app, client_id, createChallenge(), { scope }),
    );
    const { body } = await app.request('GET', `/oauth/interactions/${uid}`, {
      token: member.token,
      cookies: { 'tessera-interaction': uid },
    });
    return body;
  };
  expect((await readTools('openid profile tool:read_profile tool:unknown')).tools).toEqual(['read_profile']);
  const { tools } = await readTools(null);
  expect(tools).toContain('list_matches');
  // Neither what spends money nor what another role may allow.
  expect(tools).not.toContain('query_archetype');
  expect(tools).not.toContain('create_job');
  expect((await readTools('openid')).tools).toEqual(tools);
});
