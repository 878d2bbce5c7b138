import { expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const get = (path: string) => app.request('GET', `/operator/queue${path}`, { token: operator.token });

it('the state of the queue has every task, and each count', async () => {
  const { body } = await get('');
  const names = body.tasks.map(({ task }: { task: string }) => task);
  expect(names).toContain('matches.computeAllMatches');
  expect(body.tasks.find(({ task }: { task: string }) => task === 'tasks.cleanUp')).toEqual({
    task: 'tasks.cleanUp',
    waiting: expect.any(Number),
    scheduled: expect.any(Number),
    oldest_wait_seconds: expect.any(Number),
    running: 0,
    failed: 0,
  });
});

it('only a platform administrator may read it', () => expectOperatorOnly(app, 'GET', '/operator/queue'));
