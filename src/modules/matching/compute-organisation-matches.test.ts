import { expect, test } from 'vitest';
import { createUser } from '#modules/auth';
import { startApp, type TestApp } from '#test/harness.ts';
import { password, someEmail } from '#test/people.ts';
import { all, createdJob, insertMembers, storedMatches } from './testing.ts';

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
  for (const colleague of [token, ...(await colleagues(app, org_id, 3))]) await describe(colleague);
  await app.drain();
  expect(await listedFor(late!)).toEqual([]);
  const [last] = await colleagues(app, org_id, 1);
  expect(await describe(last!)).toMatchObject({ profile_version: 1 });
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

/** The tokens of so many new viewers of an organisation. */
async function colleagues(app: TestApp, org_id: string, count: number): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const email = someEmail();
    await createUser(app.platform, { email, password, role: 'org_viewer', org_id, name: undefined });
    const { body } = await app.request('POST', '/auth/login', { body: { email, password } });
    tokens.push((body as { access_token: string }).access_token);
  }
  return tokens;
}
