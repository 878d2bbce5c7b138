import { expect, it } from 'vitest';
import { startApp } from '../harness.ts';
import { createMatch, createPlacement, day_ms } from '../modules/feedback.ts';
import { createJob, findStoredMatch, fillSlots, tierMeans } from '../modules/matching.ts';
import { askForReview, readReviews, withdrawReview } from '../modules/reviews.ts';
import { password } from '../users.ts';
import { createVisitor, findForm, readText, type Visitor } from './visitor.ts';

const app = await startApp();

async function logIn({ email }: { readonly email: string }): Promise<Visitor> {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
}

it('a member asks for a review, the organisation answers it late, and the operator sees that it was overdue', async () => {
  const match = await createMatch(app);
  const { match_id } = match;
  const member = await logIn(match.member);
  expect((await member.open(`/app/matches/${match_id}`)).html).toContain(`/app/matches/${match_id}/review`);
  const page = await member.open(`/app/matches/${match_id}/review`);
  const asked = await member.send(page, 'ask', { reason: ' Please look at my night shifts. ' });
  expect(asked.address).toBe(`/app/matches/${match_id}/review?notice=reviewRequested`);
  const waiting = await member.open(`/app/matches/${match_id}/review`);
  expect(readText(waiting)).toContain('Please look at my night shifts.');
  expect(() => findForm(waiting, 'ask')).toThrow('ask');

  app.clock.advance(16 * day_ms);
  const operator = await logIn(await app.registerPlatformAdmin());
  expect(readText(await operator.open('/app/operator/reviews'))).toContain('Harbour Health');
  const recruiter = await logIn(match.org);
  expect(readText(await recruiter.open('/app'))).toContain('A member asks for a human review');
  const list = await recruiter.open('/app/reviews');
  expect(readText(list)).toContain('Overdue since 16 March 2026');
  const unfinished = await recruiter.send(list, 'answer', { match_id, outcome: 'changed', answer: '' });
  expect(unfinished.html).toContain('aria-invalid');
  const words = 'We have looked, and would like to meet you.';
  const answered = await recruiter.send(list, 'answer', { match_id, outcome: 'changed', answer: words });
  expect(answered.address).toBe('/app/reviews?notice=reviewAnswered');

  const later = await logIn(match.member);
  const text = readText(await later.open(`/app/matches/${match_id}/review`));
  for (const part of ['A person has looked, and decided otherwise', words]) expect(text).toContain(part);
});

it('a member withdraws a request in the console', async () => {
  const match = await createMatch(app);
  const member = await logIn(match.member);
  const address = `/app/matches/${match.match_id}/review`;
  await member.send(await member.open(address), 'ask', { reason: '' });
  const { address: after } = await member.send(await member.open(address), 'withdraw', {});
  expect(after).toBe(`${address}?notice=reviewWithdrawn`);
  expect((await readReviews(app, match, await fetchToken(match.member.email))).body.data[0]).toMatchObject({
    status: 'withdrawn',
    reason: null,
  });
});

const fetchToken = async (email: string): Promise<string> =>
  (await app.request('POST', '/auth/login', { body: { email, password } })).body.access_token;

it('a member reads how matching works, and how to leave it', async () => {
  const { member } = await createMatch(app);
  const page = await (await logIn(member)).open('/app/rights');
  expect(page.html).toContain('href="/app/consent/matching"');
  for (const part of ['What it does not use', 'Stop automated matching', 'human review'])
    expect(readText(page)).toContain(part);
  const newcomer = await app.registerMember();
  expect(readText(await (await logIn(newcomer)).open('/app/rights'))).toContain(
    'You are not matched automatically.',
  );
});

it('a recruiter corrects the first day of a placement', async () => {
  const match = await createPlacement(app, 40);
  const recruiter = await logIn(match.org);
  const list = `/app/jobs/${match.job_id}?status=placed&match=${match.match_id}`;
  const placed_at = new Date(app.clock.now().getTime() - 30 * day_ms).toISOString().slice(0, 10);
  const corrected = await recruiter.send(await recruiter.open(list), 'correct', {
    placed_at,
    reason: 'The contract began later.',
  });
  expect(corrected.address).toBe(`${list}&notice=outcomeSaved`);
  expect(readText(await recruiter.open(list))).toContain('The contract began later.');
  await app.request('GET', `/matches/${match.match_id}/contact`, { token: match.member.token });
  const log = readText(await recruiter.open('/app/audit'));
  expect(log).toMatch(/The contact details of a match were read [^·]*· A member /);
});

/** A match, and another person who is matched with the same job. */
async function createTwoMatches() {
  const org = await app.registerOrgAdmin();
  const strong = { mean: fillSlots(tierMeans.strong) };
  const members = [await app.registerDeployedMember(strong), await app.registerDeployedMember(strong)];
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const [match, other] = await Promise.all(
    members.map(async (member) => {
      const { id: match_id } = await findStoredMatch(app, job_id, member.member_id);
      return { match_id, job_id, org, member };
    }),
  );
  return { match: match!, other: other! };
}

const readStatus = async (match_id: string, token: string): Promise<string> =>
  (await app.request('GET', `/matches/${match_id}`, { token })).body.match_status;

const withdrawMatching = (token: string) =>
  app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'matching', granted: false, version: '1.0' },
  });

it('a link to a person shows that person, whatever part of the shortlist they are in', async () => {
  const { match, other } = await createTwoMatches();
  const recruiter = await logIn(match.org);
  const address = `/app/jobs/${match.job_id}?match=${match.match_id}`;
  await recruiter.send(await recruiter.open(address), 'decide', { choice: 'pass' });
  const passed = await recruiter.open(address);
  expect(readText(passed)).toContain('You have passed.');
  expect(() => findForm(passed, 'decide')).toThrow('decide');
  const next = await recruiter.open(`/app/jobs/${match.job_id}?match=${other.match_id}`);
  expect(findForm(next, 'decide').hidden['match_id']).toBe(other.match_id);
});

it('a link to nobody, or to a person of another job, offers no decision about another person', async () => {
  const { match } = await createTwoMatches();
  const elsewhere = await createMatch(app);
  const recruiter = await logIn(match.org);
  for (const id of [crypto.randomUUID(), 'nobody', elsewhere.match_id]) {
    const page = await recruiter.open(`/app/jobs/${match.job_id}?match=${id}`);
    expect([page.status, readText(page).includes('no longer matched with this job')]).toEqual([200, true]);
    expect(() => findForm(page, 'decide')).toThrow('decide');
  }
});

it('a decision about a person who has opted out says so, and is about nobody else', async () => {
  const { match, other } = await createTwoMatches();
  const recruiter = await logIn(match.org);
  const seen = await recruiter.open(`/app/jobs/${match.job_id}?match=${match.match_id}`);
  await withdrawMatching(match.member.token);
  await app.drainQueue();
  const late = await recruiter.send(seen, 'decide', {});
  expect([late.status, readText(late).includes('came first')]).toEqual([409, true]);
  expect(() => findForm(late, 'decide')).toThrow('decide');
  expect(late.html).not.toContain(`/matches/${match.match_id}/report`);
  expect(await readStatus(other.match_id, match.org.token)).toBe('pending_review');
});

it('an answer to one of two requests is filled in again in its own form, and one that comes too late says so', async () => {
  const { match, other } = await createTwoMatches();
  for (const each of [match, other]) await askForReview(app, each);
  const recruiter = await logIn(match.org);
  const list = await recruiter.open('/app/reviews');
  const words = 'We have looked.';
  const wrong = await recruiter.send(list, 'answer', { match_id: match.match_id, answer: words });
  expect(wrong.status).toBe(422);
  expect(wrong.html.split(words)).toHaveLength(2);
  await withdrawReview(app, match);
  const answer = { match_id: match.match_id, outcome: 'upheld', answer: words };
  const late = await recruiter.send(wrong, 'answer', answer);
  expect([late.status, readText(late).includes('This request is no longer open')]).toEqual([409, true]);
});

it('a member who has opted out can ask for no further review', async () => {
  const match = await createMatch(app);
  await askForReview(app, match);
  await withdrawMatching(match.member.token);
  await app.drainQueue();
  const page = await (await logIn(match.member)).open(`/app/matches/${match.match_id}/review`);
  for (const part of ['Ended, because the consent', 'no review can be asked for'])
    expect(readText(page)).toContain(part);
  expect(() => findForm(page, 'ask')).toThrow('ask');
});
