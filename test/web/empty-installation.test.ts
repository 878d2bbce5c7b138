import { expect, test } from 'vitest';
import { fillMeans, fillSlots, insertMembers, tierMeans } from '../modules/matching.ts';
import { startApp } from '../harness.ts';
import { registerByPages } from './register.ts';
import { readText } from './visitor.ts';

const app = await startApp();

test('a recruiter where no member exists reads what to do, and sees fictional people only as a marked example', async () => {
  const { visitor, home } = await registerByPages(app, 'Harbour Health', '/register?for=organisation');
  // The members are counted for the first time, and the page looks again by itself.
  expect(home.html).toContain('data-refresh-seconds="3"');
  await app.drainQueue();
  const counted = await visitor.open('/app');
  expect(counted.html).not.toContain('data-refresh-seconds');
  expect(readText(counted)).toMatch(
    /This service is at its beginning .* Create your job now\. .* Invite the people .*register .* Members read the name/,
  );
  const example = await visitor.open('/app/example');
  expect(readText(example)).toContain('these people are fictional');
  expect(example.html.match(/Fictional example/g)).toHaveLength(4);
  expect(readText(await visitor.open('/app/jobs'))).toContain('Your organisation has no active job.');
});

test('once people can be matched, the page has its usual steps', async () => {
  await insertMembers(
    app,
    Array.from({ length: 40 }, () => ({ mean: fillMeans(tierMeans.strong), variance: fillSlots(0.15) })),
  );
  app.clock.advance(3_600_000);
  const { visitor } = await registerByPages(app, 'Harbour Trust', '/register?for=organisation');
  await app.drainQueue();
  const home = readText(await visitor.open('/app'));
  expect(home).not.toContain('at its beginning');
  expect(home).toContain('Create your first job');
});
