import { beforeEach, expect, test } from 'vitest';
import { continuousTraits } from '#modules/measurement/traits';
import { startApp, type TestApp } from '#test/harness.ts';
import { createJob } from '#test/modules/matching.ts';
import { logInAgain } from '#test/users.ts';
import { formatProbing, listProbing } from './list-probing.ts';

let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
const app = await startApp();
beforeEach(async () => {
  org = await app.registerOrgAdmin({ name: 'Probing Works' });
});

/** Reads the reports of the organisation after the tasks that look for patterns. */
async function readReports() {
  await app.drainQueue();
  return (await listProbing(app.platform)).reports.filter(({ org_id }) => org_id === org.org_id);
}

const change = (job_id: string, trait: string) =>
  app.request('PATCH', `/orgs/me/jobs/${job_id}`, {
    token: org.token,
    body: { trait_priorities: { [trait]: 1 } },
  });

const readAudit = async (token: string) => {
  const { body } = await app.request('GET', '/audit-log?action=jobs.probing_reported', { token });
  return body.data.map(({ detail }: { detail: object }) => detail);
};

test('many narrow jobs are reported once a day: to the operator, in the metrics and to platform administrators', async () => {
  for (const trait of continuousTraits.slice(0, 9)) await createJob(app, org.token, { [trait]: 1 });
  expect(await readReports()).toEqual([]);
  for (const trait of continuousTraits.slice(9, 12)) await createJob(app, org.token, { [trait]: 1 });
  const time = app.clock.now();
  const report = { org_id: org.org_id, organisation: 'Probing Works', pattern: 'narrow_jobs' };
  expect(await readReports()).toEqual([
    { ...report, first_reported_at: time, last_reported_at: time, report_count: 1 },
  ]);
  expect(await app.platform.metrics.formatText()).toContain(
    'tessera_probing_reports_total{pattern="narrow_jobs"} 1',
  );
  const operator = await app.registerPlatformAdmin();
  const detail = { organisation_id: org.org_id, pattern: 'narrow_jobs' };
  expect(await readAudit(operator.token)).toEqual([detail]);
  expect(await readAudit(org.token)).toEqual([]);
  app.clock.advance(25 * 3_600_000);
  org = { ...org, token: await logInAgain(app, org) };
  for (const trait of continuousTraits.slice(0, 10)) await createJob(app, org.token, { [trait]: 1 });
  expect(await readReports()).toEqual([
    { ...report, first_reported_at: time, last_reported_at: app.clock.now(), report_count: 2 },
  ]);
});

test('many changes of one job are reported', async () => {
  const job_id = await createJob(app, org.token, { persistence: 1, sincerity: 1, discretion: 1 });
  for (const trait of continuousTraits.slice(0, 9)) await change(job_id, trait);
  expect(await readReports()).toEqual([]);
  await change(job_id, continuousTraits[9]!);
  const patterns = (await readReports()).map(({ pattern }) => pattern);
  expect(patterns).toEqual(['narrow_jobs', 'repeated_changes']);
});

test('ordinary jobs are not reported', async () => {
  for (const trait of continuousTraits)
    await createJob(app, org.token, {
      [trait]: 0.9,
      accountability: 0.8,
      fair_dealing: 0.7,
      persistence: 0.6,
    });
  expect(await readReports()).toEqual([]);
});

test('the operator reads one line for each report', async () => {
  expect(formatProbing({ reports: [] })).toEqual({ reports: 'none' });
  for (const trait of continuousTraits.slice(0, 10)) await createJob(app, org.token, { [trait]: 1 });
  expect(formatProbing({ reports: await readReports() })).toEqual({
    [`${org.org_id} narrow_jobs`]: `Probing Works: many jobs that ask for one trait, of many traits; reported 1 times, last at ${app.clock.now().toISOString()}`,
  });
});
