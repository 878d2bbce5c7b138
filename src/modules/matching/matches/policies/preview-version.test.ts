import { expect, test } from 'vitest';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { itemBank, simulateMember } from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { nurse } from '#test/modules/jobs.ts';
import { simulateAssessment } from '#test/modules/simulated-assessment.ts';
import { loadPopulation } from '../../../../demo/load-population.ts';
import { describeVersionChange, previewCommand } from './describe-version-change.ts';

const quiet = { write: () => true };
const app = await startApp();
await loadPopulation(app.platform, { members: '12', jobs: '0', seed: '4' }, quiet);
const { token } = await app.registerPlatformAdmin();
const own = itemBank.parameter_version;
const buildPath = (version: string) => `/operator/banks/tessera/versions/${version}/preview`;

test('a preview needs ten members, and the API says so', async () => {
  const refused = await app.request('GET', buildPath('mvp20-1.judged'), { token });
  expect([refused.status, refused.body.code]).toEqual([409, 'version_not_usable']);
  expect(refused.body.detail).toContain('at least 10 members');
});

test('of the tiers of all members and jobs, none moves with the version in use, and others with another version', async () => {
  const { token: admin } = await app.registerOrgAdmin();
  for (const seed of [1, 2, 3])
    await app.request('POST', '/orgs/me/jobs', { token: admin, body: { ...nurse, title: `Nurse ${seed}` } });
  const random = createSeededRandom(13);
  const members = await app.sql.list(
    sql<{ id: string }>`select id from members where is_synthetic order by id`,
  );
  for (const [index, { id }] of members.entries()) {
    // What is asked depends on the name: the same in every run.
    const answers = simulateAssessment(simulateMember(random), `person ${index}`, random);
    await app.sql.run(sql`
      insert into assessments (id, member_id, item_bank_version, started_at, completed_at, quality_flags, item_ids, options)
      values (gen_random_uuid(), ${id}, ${itemBank.version}, '2026-01-01', '2026-01-01', '{}',
        ${answers.map(({ item_id }) => item_id)}::text[], ${answers.map(({ option }) => option)}::smallint[])`);
  }
  const same = await describeVersionChange(app.platform, { version: own }, quiet);
  expect(same.tiers).toEqual({ jobs: 3, lists: 0, kept: 36, better: 0, worse: 0 });
  expect(previewCommand.summarisePreview(same).tiers).toBe(
    'of 36 tiers of these members for 3 active jobs, 0 would be better and 0 worse',
  );
  const { status, body } = await app.request('GET', buildPath('mvp20-1.judged'), { token });
  expect([status, body.members, body.tiers.jobs]).toEqual([200, 12, 3]);
  expect(body.tiers.kept + body.tiers.better + body.tiers.worse).toBe(36);
  expect(body.tiers.better + body.tiers.worse).toBeGreaterThan(0);
  expect(body.tiers.lists).toBeGreaterThan(0);
});
