import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { createJob, fillMeans, fillSlots, insertMembers, listStoredMatches } from '#test/modules/matching.ts';

const path = '/orgs/me/culture-profile';

test('a new culture profile recomputes the matches of the organisation’s active jobs and no others', async () => {
  const app = await startApp();
  const { token, org_id } = await app.registerOrgAdmin();
  const [ours, closed] = [await createJob(app, token), await createJob(app, token)];
  const theirs = await createJob(app, (await app.registerOrgAdmin()).token);
  await app.drainQueue();
  await app.request('DELETE', `/orgs/me/jobs/${closed}`, { token });
  // Inserted without an event: only a job that is computed again has a match with this member.
  const [late] = await insertMembers(app, [{ mean: fillMeans(2), variance: fillSlots(0.15) }]);
  await answerQuestionnaire(token);
  for (let count = 0; count < 3; count += 1)
    await answerQuestionnaire((await createColleague(app, org_id)).token);
  await app.drainQueue();
  expect(await listMatchedJobs(late!)).toEqual([]);
  expect(await answerQuestionnaire((await createColleague(app, org_id)).token)).toMatchObject({
    profile_version: 1,
  });
  await app.drainQueue();
  expect(await listMatchedJobs(late!)).toEqual([ours]);

  async function listMatchedJobs(member_id: string): Promise<readonly string[]> {
    const matched: string[] = [];
    for (const job_id of [ours, closed, theirs])
      if ((await listStoredMatches(app, job_id)).some((match) => match.member_id === member_id))
        matched.push(job_id);
    return matched;
  }

  /** Answers every statement with the middle option and ranks in the given order. */
  async function answerQuestionnaire(respondent: string): Promise<unknown> {
    const { body } = await app.request('GET', `${path}/questionnaire`, { token: respondent });
    const { braving, cvf }: Questionnaire = body;
    const answers = {
      braving: Object.fromEntries(braving.map(({ item_id }) => [item_id, 2])),
      cvf: Object.fromEntries(
        cvf.map(({ block_id, statements }) => [block_id, statements.map(({ statement_id }) => statement_id)]),
      ),
    };
    const reply = await app.request('POST', `${path}/responses`, { token: respondent, body: { answers } });
    expect(reply.status).toBe(201);
    return reply.body;
  }
});

type Questionnaire = {
  readonly braving: readonly { readonly item_id: string }[];
  readonly cvf: readonly {
    readonly block_id: string;
    readonly statements: readonly { readonly statement_id: string }[];
  }[];
};
