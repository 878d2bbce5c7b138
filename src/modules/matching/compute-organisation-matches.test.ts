import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { answered, answersOf, staff } from '../culture/testing.ts';
import { all, createdJob, insertMembers, storedMatches } from './testing.ts';

test('a new culture profile has the organisation’s active jobs matched anew, and no other ones', async () => {
  const app = await startApp();
  const { admin, people } = await staff(app);
  const [ours, closed] = [await createdJob(app, admin.token), await createdJob(app, admin.token)];
  const theirs = await createdJob(app, (await app.orgAdmin()).token);
  await app.drain();
  await app.request('DELETE', `/orgs/me/jobs/${closed}`, { token: admin.token });
  // Without news of them, so that a job that is computed anew is seen by who is in its list.
  const [late] = await insertMembers(app, [{ mean: all(2), variance: all(0.15) }]);
  const [last, ...others] = people;
  for (const { token } of others) await answered(app, token, answersOf(3));
  await app.drain();
  expect(await listedFor(late!)).toEqual([]);
  expect((await answered(app, last!.token, answersOf(3))).profile_version).toBe(1);
  await app.drain();
  expect(await listedFor(late!)).toEqual([ours]);

  async function listedFor(member_id: string): Promise<readonly string[]> {
    const listed: string[] = [];
    for (const job_id of [ours, closed, theirs])
      if ((await storedMatches(app, job_id)).some((match) => match.member_id === member_id))
        listed.push(job_id);
    return listed;
  }
});
