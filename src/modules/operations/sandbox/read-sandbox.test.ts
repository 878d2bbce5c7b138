import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';

const real = await startApp();
const app = await startApp({ TESSERA_SANDBOX: 'on' });
const { token } = await app.registerOrgAdmin();

test('a new sandbox has the time of the world, and nothing was drawn', async () => {
  const { status, body } = await app.request('GET', '/sandbox', { token });
  const now = app.clock.now().toISOString();
  expect([status, body]).toEqual([
    200,
    { now, ahead_seconds: 0, seed: null, members: null, created_at: now, year: null },
  ]);
});

test('members and strangers do not read it', async () => {
  const member = await app.registerMember();
  expect((await app.request('GET', '/sandbox', member)).body.code).toBe('role_not_allowed');
  expect((await app.request('GET', '/sandbox')).status).toBe(401);
});

test('a real service has no test clock', async () => {
  const administrator = await real.registerOrgAdmin();
  for (const [method, path, body] of [
    ['GET', '/sandbox', undefined],
    ['POST', '/sandbox/clock', { advance_seconds: 60 }],
  ] as const) {
    const reply = await real.request(method, path, { token: administrator.token, body });
    expect([reply.status, reply.body.code]).toEqual([404, 'sandbox_not_found']);
  }
});

test('every page, email, API document and reply says that it is of a sandbox, and none of a real service does', async () => {
  const pages = ['//', '//sign-in', '//docs', '//docs/problems', `//verify/${randomUUID()}`, '//nowhere'];
  const read = (each: TestApp, path: string) =>
    each.request('GET', path, { headers: { accept: 'text/html' } });
  for (const path of pages) {
    const [made, actual] = [await read(app, path), await read(real, path)];
    expect([path, made.headers['x-service-sandbox'], /<strong>Sandbox\.<\/strong>/.test(made.body)]).toEqual([
      path,
      'true',
      true,
    ]);
    expect([path, actual.headers['x-service-sandbox'], /sandbox\.<\/strong>/i.test(actual.body)]).toEqual([
      path,
      undefined,
      false,
    ]);
  }
  expect((await app.request('GET', '//openapi.json')).body.info).toMatchObject({
    title: 'Tessera sandbox',
    description: expect.stringContaining('This is a sandbox'),
  });
  await app.drainQueue();
  expect((await app.readMails()).length).toBeGreaterThan(0);
  for (const { subject, text, html } of await app.readMails())
    expect([
      subject.startsWith('[Sandbox] '),
      text.startsWith('This email comes from a sandbox'),
      html.includes('comes from a sandbox'),
    ]).toEqual([true, true, true]);
});
