import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';

test('lists organisations that seem to measure traits, the latest first, to the operator alone', async () => {
  const app = await startApp();
  const { token } = await app.registerPlatformAdmin();
  const [one, other] = [
    await app.registerOrgAdmin({ name: 'One' }),
    await app.registerOrgAdmin({ name: 'Other' }),
  ];
  const read = async () => (await app.request('GET', '/operator/probing', { token })).body.reports;
  expect(await read()).toEqual([]);
  const [early, late] = ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'];
  await app.sql.run(sql`
    insert into probing_reports (org_id, pattern, first_reported_at, last_reported_at, report_count) values
      (${one.org_id}, 'narrow_jobs', ${early}, ${early}, 1), (${other.org_id}, 'most_changes', ${early}, ${late}, 4)`);
  expect(await read()).toEqual([
    {
      org_id: other.org_id,
      organisation: 'Other',
      pattern: 'most_changes',
      first_reported_at: early,
      last_reported_at: late,
      report_count: 4,
    },
    expect.objectContaining({ organisation: 'One', pattern: 'narrow_jobs', report_count: 1 }),
  ]);
  await expectOperatorOnly(app, 'GET', '/operator/probing');
});
