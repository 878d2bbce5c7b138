import { expect, test } from 'vitest';
import { colleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { all, createdJob, insertMembers, storedMatches } from '#test/modules/matching.ts';

const path = '/orgs/me/culture-profile';

test('a new culture profile has the organisation’s active jobs matched anew, and no other ones', async () => {
  const app = await startApp();
  const { token, org_id } = await app.orgAdmin();
  const [ours, closed] = [await createdJob(app, token), await createdJob(app, token)];
  const theirs = await createdJob(app, (await app.orgAdmin()).token);
  await app.drain();
  await app.request('DELETE', `/orgs/me/jobs/${closed}`, { token });
  // Without news of them, so that a job that is computed anew is told by who is in its list.
  const [late] = await insertMembers(app, [{ mean: all(2), variance: all(0.15) }]);
  await describe(token);
  for (let others = 0; others < 3; others += 1) await describe((await colleague(app, org_id)).token);
  await app.drain();
  expect(await listedFor(late!)).toEqual([]);
  expect(await describe((await colleague(app, org_id)).token)).toMatchObject({ profile_version: 1 });
  await app.drain();
  expect(await listedFor(late!)).toEqual([ours]);

  async function listedFor(member_id: string): Promise<readonly string[]> {
    const listed: string[] = [];
    for (const job_id of [ours, closed, theirs])
      if ((await storedMatches(app, job_id)).some((match) => match.member_id === member_id))
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
