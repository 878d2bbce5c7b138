import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

test('requests of the assessment are counted apart from the other requests of the member', async () => {
  const app = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const { token } = await app.registerMember();
  const readLimits = async (method: string, path: string) => {
    const { headers } = await app.request(method, path, { token, ...(method === 'POST' && { body: {} }) });
    return [headers['ratelimit-policy'], headers['ratelimit']];
  };
  const policy = '"minute";q=240;w=60, "day";q=2000;w=86400';
  for (const path of ['', '/answers', '/back'])
    expect((await readLimits('POST', `/members/me/assessment${path}`))[0]).toBe(policy);
  expect(await readLimits('GET', '/members/me')).toEqual([
    '"minute";q=120;w=60, "day";q=5000;w=86400',
    '"minute";r=119;t=60, "day";r=4999;t=86400',
  ]);
  expect(await readLimits('POST', '/members/me/assessment')).toEqual([
    policy,
    '"minute";r=236;t=60, "day";r=1996;t=86400',
  ]);
});
