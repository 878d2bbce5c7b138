import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { fillSlots, createJob, insertMembers, listStoredMatches } from '#test/modules/matching.ts';

const path = '/orgs/me/culture-profile';

test('a new culture profile has the organisation’s active jobs matched anew, and no other ones', async () => {
  const app = await startApp();
  const { token, org_id } = await app.registerOrgAdmin();
  const [ours, closed] = [await createJob(app, token), await createJob(app, token)];
  const theirs = await createJob(app, (await app.registerOrgAdmin()).token);
  await app.drainQueue();
  await app.request('DELETE', `/orgs/me/jobs/${closed}`, { token });
  // Without news of them, so that a job that is computed anew is told by who is in its list.
  const [late] = await insertMembers(app, [{ mean: fillSlots(2), variance: fillSlots(0.15) }]);
  await describe(token);
  for (let others = 0; others < 3; others += 1) await describe((await createColleague(app, org_id)).token);
  await app.drainQueue();
  expect(await listedFor(late!)).toEqual([]);
  expect(await describe((await createColleague(app, org_id)).token)).toMatchObject({ profile_version: 1 });
  await app.drainQueue();
  expect(await listedFor(late!)).toEqual([ours]);

  async function listedFor(member_id: string): Promise<readonly string[]> {
    const listed: string[] = [];
    for (const job_id of [ours, closed, theirs])
      if ((await listStoredMatches(app, job_id)).some((match) => match.member_id === member_id))
        listed.push(job_id);
    return listed;
  }

  /** Answers the questionnaire as it stands: always the middle, and every order as it comes. */
  async function describe(respondent: string): Promise<unknown> {
    const { body } = await app.request('GET', `${path}/questionnaire`, { token: respondent });
    const { braving, cvf } = body as Questionnaire;
    const answers = {
      braving: Object.fromEntries(braving.map(({ item_id }) => [item_id, 2])),
      cvf: Object.fromEntries(
        cvf.map(({ block_id, statements }) => [block_id, statements.map(({ statement_id }) => statement_id)]),
      ),
    };
    const answer = await app.request('POST', `${path}/responses`, { token: respondent, body: { answers } });
    expect(answer.status).toBe(201);
    return answer.body;
  }
});

type Questionnaire = {
  readonly braving: readonly { readonly item_id: string }[];
  readonly cvf: readonly {
    readonly block_id: string;
    readonly statements: readonly { readonly statement_id: string }[];
  }[];
};
