import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { createPlacement } from '#test/modules/feedback.ts';
import { prepareNotice } from './prepare-notice.ts';

const app = await startApp();

test('of the users who follow a job, administrators are asked for feedback, and nobody of a suspended organisation is emailed', async () => {
  const { match_id, job_id, org } = await createPlacement(app, 40);
  const viewer = await createColleague(app, org.org_id);
  await app.sql.run(sql`
    update users set email_verified_at = ${app.clock.now()} where id = any(${[org.user_id, viewer.user_id]}::uuid[])`);
  for (const { token } of [org, viewer])
    await app.request('PUT', `/orgs/me/jobs/${job_id}/following`, { token, body: { following: true } });
  const findAddress = async ({ user_id }: { user_id: string }, kind: 'feedback_open' | 'match_accepted') =>
    (await prepareNotice(app.platform, { user_id, kind, match_id }))?.email;
  expect(await findAddress(org, 'feedback_open')).toBe(org.email);
  expect(await findAddress(viewer, 'feedback_open')).toBeUndefined();
  expect(await findAddress(viewer, 'match_accepted')).toBe(viewer.email);
  await app.sql.run(sql`update organisations set suspended_at = ${app.clock.now()} where id = ${org.org_id}`);
  expect(await findAddress(org, 'feedback_open')).toBeUndefined();
  expect(await findAddress(viewer, 'match_accepted')).toBeUndefined();
});
