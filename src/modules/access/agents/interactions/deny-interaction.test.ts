import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import {
  buildAuthorizeUrl,
  createBrowser,
  createChallenge,
  registerClient,
  returnToClient,
  startInteraction,
} from '#test/modules/oauth.ts';

const app = await startApp();
const client_id = await registerClient(app);

test('a denied request returns access_denied, and nobody needs to be logged in to deny', async () => {
  const browser = createBrowser();
  const uid = await startInteraction(app, browser, buildAuthorizeUrl(app, client_id, createChallenge()));
  const denied = await app.request('POST', `/oauth/interactions/${uid}/denial`, {
    cookies: { 'tessera-interaction': uid },
    body: {},
  });
  expect(denied.status).toBe(200);
  const returned = await returnToClient(app, browser, denied.body.continue_url);
  expect(returned.get('error')).toBe('access_denied');
});

test('another site cannot decide with the cookie of a browser', async () => {
  const uid = await startInteraction(
    app,
    createBrowser(),
    buildAuthorizeUrl(app, client_id, createChallenge()),
  );
  const { status } = await app.request('POST', `/oauth/interactions/${uid}/denial`, {
    cookies: { 'tessera-interaction': uid },
    headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    body: {},
  });
  expect(status).toBe(404);
});
