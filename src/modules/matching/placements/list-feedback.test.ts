import { expect, it } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { createAcceptedMatch, createPlacement, readFeedback, sendFeedback } from '#test/modules/feedback.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const comment = 'The handover could be better prepared.';

it('is empty, without stages, before a placement', async () => {
  const match = await createAcceptedMatch(app);
  const { status, body } = await readFeedback(app, match, match.member.token);
  expect([status, body]).toEqual([200, { data: [], stages: [] }]);
});

it('does not exist for strangers, and needs a login', async () => {
  proves('feedback-get-participants-and-admins-only');
  const match = await createPlacement(app, 31);
  for (const { token } of [await app.registerOrgAdmin(), await app.registerMember()])
    expect((await readFeedback(app, match, token)).body.code).toBe('match_not_found');
  expect((await readFeedback(app, { ...match, match_id: unknownId }, match.org.token)).status).toBe(404);
  expect((await readFeedback(app, { ...match, match_id: 'x' }, match.org.token)).status).toBe(422);
  expect((await app.request('GET', `/matches/${match.match_id}/feedback`)).status).toBe(401);
});

it('after a withdrawal the member still answers, and the organisation neither answers nor reads the member’s comments', async () => {
  const match = await createPlacement(app, 100);
  const { member, org } = match;
  await sendFeedback(app, match, member.token, { stage_days: 30, overall_rating: 4, comment });
  await sendFeedback(app, match, org.token, { stage_days: 30, overall_rating: 4, comment });
  await app.request('POST', '/members/me/consent', {
    token: member.token,
    body: { consent_type: 'matching', granted: false, version: '1.0' },
  });
  const body = { stage_days: 90, overall_rating: 2 };
  expect((await sendFeedback(app, match, org.token, body)).body.code).toBe('match_ended');
  expect((await sendFeedback(app, match, member.token, body)).status).toBe(201);
  const readComments = async (token: string) =>
    (await readFeedback(app, match, token)).body.data.map(({ comment }: Record<string, unknown>) => comment);
  expect(await readComments(org.token)).toEqual([null, comment, null]);
  expect(await readComments(member.token)).toEqual([comment, comment, null]);
});

it('what a platform administrator and an organisation read does not name the member', async () => {
  const match = await createPlacement(app, 31);
  await sendFeedback(app, match, match.member.token, { stage_days: 30, overall_rating: 3 });
  const { body } = await readFeedback(app, match, match.org.token);
  expect(JSON.stringify(body)).not.toContain(match.member.member_id);
});
