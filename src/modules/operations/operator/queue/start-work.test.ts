import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveMemory } from '#platform/backups/archive-state.ts';
import { sql } from '#platform/database/database.ts';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { startWorkFromCommand } from './start-work-from-command.ts';

const app = await startApp();
const listQueued = (service: typeof app) =>
  service.sql.list(sql<{ name: string; data: object }>`select name, data from tasks where name in
    ('learning.learnFromOutcomes', 'books.keepCheckpoints', 'books.checkBooksNightly', 'operator.drillNightly') order by name`);

test('nightly work is queued at once, with the name of who started it, by the page or by a command', async () => {
  const { token, user_id } = await app.registerPlatformAdmin();
  const started = await app.request('POST', '/operator/work', { token, body: { work: 'books' } });
  expect([started.status, started.body]).toEqual([202, { work: 'books' }]);
  expect(await startWorkFromCommand(app.platform, { work: 'checkpoints' })).toEqual({
    queued: 'checkpoints',
  });
  expect((await listQueued(app)).map(({ name }) => name)).toEqual([
    'books.checkBooksNightly',
    'books.keepCheckpoints',
  ]);
  expect(await listActs(app, 'work.started', user_id)).toMatchObject([{ detail: { task: 'books' } }]);
});

test('without an archive no drill is started, and unknown work is refused by its field', async () => {
  const { token } = await app.registerPlatformAdmin();
  const drill = await app.request('POST', '/operator/work', { token, body: { work: 'drill' } });
  expect([drill.status, drill.body.code]).toEqual([409, 'archive_not_configured']);
  const unknown = await app.request('POST', '/operator/work', { token, body: { work: 'sleep' } });
  expect([unknown.status, unknown.body.errors[0].pointer]).toEqual([422, '/work']);
  await expect(startWorkFromCommand(app.platform, { work: 'sleep' })).rejects.toThrow(
    '<work> must be one of',
  );
  await expectOperatorOnly(app, 'POST', '/operator/work', { work: 'books' });
});

test('with an archive, its state is a part of the health and a metric, and a drill can be started', async () => {
  const archive = await mkdtemp(join(tmpdir(), 'tessera-archive-'));
  cleanUpAfterFile(() => rm(archive, { recursive: true }));
  const archived = await startApp({ TESSERA_ARCHIVE_DIR: archive, TESSERA_DRILL: 'nightly' });
  const { token } = await archived.registerPlatformAdmin();
  const read = async () => (await archived.request('GET', '/operator/health', { token })).body.archive;
  expect(await read()).toMatchObject({ restorable_to: null, fault: null, nightly: true, drill: null });
  archiveMemory(archived.platform).state = {
    range: { from: '2026-03-02T02:10:00.000Z', to: '2026-03-09T07:44:58.000Z' },
    fault: 'ENOSPC: no space left on device, write',
    drill: {
      format: 1,
      at: '2026-03-09T02:43:11.000Z',
      fault: 'log/00000001 is damaged',
      restored_to: null,
      seconds: 4,
      succeeded_at: '2026-03-08T02:43:11.000Z',
    },
  };
  expect(await read()).toMatchObject({
    restorable_to: '2026-03-09T07:44:58.000Z',
    fault: 'ENOSPC: no space left on device, write',
    drill: { fault: 'log/00000001 is damaged', succeeded_at: '2026-03-08T02:43:11.000Z' },
  });
  const metrics = await archived.platform.metrics.formatText();
  expect(metrics).toContain(
    `tessera_archive_restorable_timestamp_seconds ${Date.UTC(2026, 2, 9, 7, 44, 58) / 1_000}`,
  );
  expect(metrics).toContain('tessera_drill_failed 1');
  const started = await archived.request('POST', '/operator/work', { token, body: { work: 'drill' } });
  expect(started.status).toBe(202);
  expect((await listQueued(archived)).at(-1)).toEqual({
    name: 'operator.drillNightly',
    data: { by_hand: true },
  });
});
