import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startApp } from '../harness.ts';
import { createJob, fillMeans, fillSlots, insertMembers, tierMeans } from '../modules/matching.ts';
import { password } from '../users.ts';
import { createVisitor, readText } from './visitor.ts';

const app = await startApp();

test('the console leaves out the lowest tier alike in its lists, its numbers and its files; the API lists it', async () => {
  const org = await app.registerOrgAdmin();
  const tiers = ['developing', 'developing', 'strong', 'moderate', 'exceptional'] as const;
  await insertMembers(
    app,
    tiers.map((tier) => ({ mean: fillMeans(tierMeans[tier]), variance: fillSlots(0.15) })),
  );
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const { body } = await app.request('GET', `/orgs/me/jobs/${job_id}/matches`, { token: org.token });
  expect([body.data.length, body.pagination.total_count]).toEqual([5, 5]);

  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email: org.email, password });
  const { html } = await visitor.open(`/app/jobs/${job_id}`);
  expect(html.match(/class="tag (strong|moderate|exceptional|developing)"/g)).not.toContain(
    'class="tag developing"',
  );
  expect(readText(await visitor.open('/app/jobs'))).toContain('3 to review');
  const file = (await visitor.open('/app/reports/matches?format=csv')).html;
  expect(parse(file).map((row) => row[4])).toEqual(['Tier', 'exceptional', 'strong', 'moderate']);
  const lowest = readText(await visitor.open(`/app/jobs/${job_id}?quality=developing`));
  expect(lowest).toContain('Developing match');
});
