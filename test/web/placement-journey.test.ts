import { expect, it } from 'vitest';
import { createColleague } from '../colleague.ts';
import { startApp } from '../harness.ts';
import { createAcceptedMatch, day_ms, readFeedback, type TestMatch } from '../modules/feedback.ts';
import { password } from '../users.ts';
import { createVisitor, findForm, readText, type Visitor } from './visitor.ts';

const app = await startApp();

async function logIn({ email }: { readonly email: string }): Promise<Visitor> {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
}

const formatDay = (days: number) =>
  new Date(app.clock.now().getTime() + days * day_ms).toISOString().slice(0, 10);

/** Records a placement that began 40 days ago, with the form of the shortlist. */
async function recordPlacement(recruiter: Visitor, { job_id }: TestMatch) {
  const accepted = await recruiter.open(`/app/jobs/${job_id}?status=member_accepted`);
  return recruiter.send(accepted, 'place', { placed_at: formatDay(-40), ended_at: formatDay(100) });
}

it('both sides record and answer in the console, and read each other’s answers in words', async () => {
  const match = await createAcceptedMatch(app);
  const recruiter = await logIn(match.org);
  const placed = await recordPlacement(recruiter, match);
  const list = `/app/jobs/${match.job_id}?status=placed&match=${match.match_id}`;
  expect(placed.address).toBe(`${list}&notice=outcomeSaved`);
  const asked = await recruiter.open(list);
  expect(readText(asked)).toContain('is about the first 30 days');
  const sent = await recruiter.send(asked, 'feedback', { overall_rating: '4', would_repeat: 'true' });
  expect(sent.address).toBe(`${list}&notice=feedbackSent`);
  const answered = await recruiter.open(list);
  expect(() => findForm(answered, 'feedback')).toThrow('feedback');

  const member = await logIn(match.member);
  const address = `/app/matches/${match.match_id}`;
  const own = await member.open(address);
  expect(readText(own)).toContain('Both sides can read the answers.');
  const answers = { overall_rating: '2', belonging: '1', growth: '', comment: ' The nights are long. ' };
  await member.send(own, 'feedback', answers);
  const { data } = (await readFeedback(app, match, match.member.token)).body;
  expect(data).toMatchObject([
    {
      respondent: 'member',
      overall_rating: 2,
      performance: null,
      belonging: 1,
      growth: null,
      would_repeat: null,
      comment: 'The nights are long.',
    },
    { respondent: 'organisation', overall_rating: 4, would_repeat: true, comment: null },
  ]);
  for (const [visitor, where] of [
    [recruiter, list],
    [member, address],
  ] as const) {
    const text = readText(await visitor.open(where));
    for (const words of ['After 30 days', 'The nights are long.', 'Very badly', 'You are asked again on'])
      expect(text).toContain(words);
  }
});

it('a placement is extended and ended in the console, and a wrong date is explained beside its field', async () => {
  const match = await createAcceptedMatch(app);
  const recruiter = await logIn(match.org);
  const { address } = await recordPlacement(recruiter, match);
  const wrong = await recruiter.send(await recruiter.open(address), 'extend', { ended_at: formatDay(50) });
  expect([wrong.status, readText(wrong).includes('after the end that was planned before')]).toEqual([
    422,
    true,
  ]);
  await recruiter.send(await recruiter.open(address), 'extend', { ended_at: formatDay(200) });
  await recruiter.send(await recruiter.open(address), 'leave', {
    ended_at: formatDay(-1),
    reason: 'Moved away.',
  });
  const ended = await recruiter.open(address);
  expect(readText(ended)).toContain('Moved away.');
  for (const action of ['extend', 'leave']) expect(() => findForm(ended, action)).toThrow(action);
  const page = await (await logIn(match.member)).open(`/app/matches/${match.match_id}`);
  expect(readText(page)).toContain('Moved away.');
});

it('a match that did not work out is ended with a reason that the member reads', async () => {
  const match = await createAcceptedMatch(app);
  const recruiter = await logIn(match.org);
  const accepted = await recruiter.open(`/app/jobs/${match.job_id}?status=member_accepted`);
  const ended = await recruiter.send(accepted, 'end', { reason: 'The shifts did not suit.' });
  expect(ended.address).toContain('notice=contactEnded');
  const page = await (await logIn(match.member)).open(`/app/matches/${match.match_id}`);
  expect(readText(page)).toContain('The shifts did not suit.');
});

it('viewers and auditors read, and have no forms', async () => {
  const match = await createAcceptedMatch(app);
  const { address } = await recordPlacement(await logIn(match.org), match);
  for (const role of ['org_viewer', 'auditor'] as const) {
    const visitor = await logIn(await createColleague(app, match.org.org_id, role));
    const page = await visitor.open(address);
    expect([page.status, readText(page).includes('After 30 days')]).toEqual([200, true]);
    for (const action of ['extend', 'leave', 'feedback'])
      expect(() => findForm(page, action)).toThrow(action);
  }
});
