import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const check = (handle: string) => app.request('GET', `/auth/handles/${handle}`);

test('a handle is available until an account has it, or one that looks the same', async () => {
  expect((await check('paula')).body).toEqual({ handle: 'paula', is_available: true, reason: null });
  const body = { handle: 'paula', password: 'Correct-Horse-7-Battery' };
  expect((await app.request('POST', '/auth/handles', { body })).status).toBe(201);
  for (const handle of ['paula', 'pau1a'])
    expect((await check(handle)).body).toEqual({ handle, is_available: false, reason: 'taken' });
  expect((await check('support')).body).toMatchObject({ is_available: false, reason: 'reserved' });
});

test('what is no handle is refused by its field', async () => {
  for (const handle of ['ab', 'Paula', 'x'.repeat(33), '-ada', '%C3%A4da']) {
    const { status, body } = await check(handle);
    expect([status, body.errors?.[0]?.pointer]).toEqual([422, '/handle']);
  }
});
