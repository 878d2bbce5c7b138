import { describe, expect, test } from 'vitest';
import { answerAllItems, answerFirstStage, answerItems, registerMeasurableMember } from '#test/assessment.ts';
import { startApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { personalData } from '../personal-data.ts';

const app = await startApp();

const sendBack = (token: string, body: unknown = {}) =>
  app.request('POST', '/members/me/assessment/back', { token, body });

/** Answers so many items. @returns the member and the body of the last reply. */
async function answerSome(count: number) {
  const member = await registerMeasurableMember(app);
  const last = await answerItems(app, member.token, ({ progress }) => progress.answered < count);
  return { ...member, last };
}

test('deletes the last answer and asks its item again, whose new answer counts', async () => {
  const { token, member_id } = await registerMeasurableMember(app);
  const first = await app.request('POST', '/members/me/assessment', { token });
  expect(first.body.can_go_back).toBe(false);
  const sendAnswer = (option: number) =>
    app.request('POST', '/members/me/assessment/answers', {
      token,
      body: { item_id: first.body.next_item.item_id, option },
    });
  expect((await sendAnswer(0)).body.can_go_back).toBe(true);
  const { status, body } = await sendBack(token);
  expect([status, body]).toEqual([200, first.body]);
  expect((await app.request('POST', '/members/me/assessment', { token })).body).toEqual(first.body);
  await sendAnswer(1);
  const [, answers] = await personalData.exportPersonalData(app.sql, member_id, noAccounts);
  expect(answers!.rows).toEqual([expect.objectContaining({ position: 0, option: 1 })]);
});

test('goes back several steps, one with each request, to the first item', async () => {
  const { token } = await answerSome(3);
  const steps = [await sendBack(token), await sendBack(token), await sendBack(token)];
  expect(steps.map(({ body }) => body.progress.answered)).toEqual([2, 1, 0]);
  const refused = await sendBack(token);
  expect([refused.status, refused.body.code]).toEqual([409, 'no_answer_to_undo']);
});

test('a request with the id of the current item that is sent twice goes back one step', async () => {
  const { token, last } = await answerSome(3);
  const { item_id } = last.next_item;
  expect((await sendBack(token, { item_id })).body.progress.answered).toBe(2);
  const again = await sendBack(token, { item_id });
  expect([again.status, again.body.code]).toEqual([409, 'item_not_asked']);
});

describe('rejects', () => {
  test('to undo an answer that a result is based on', async () => {
    const { token } = await registerMeasurableMember(app);
    const { can_go_back } = await answerFirstStage(app, token);
    const refused = await sendBack(token);
    expect([can_go_back, refused.status, refused.body.code]).toEqual([false, 409, 'no_answer_to_undo']);
    await answerAllItems(app, token);
    expect((await sendBack(token)).body.code).toBe('assessment_complete');
  });

  test('going back before the assessment starts, and after the consent is withdrawn', async () => {
    const { token } = await registerMeasurableMember(app);
    expect((await sendBack(token)).body.code).toBe('assessment_not_found');
    await app.request('POST', '/members/me/consent', {
      token,
      body: { consent_type: 'assessment_data', granted: false, version: '1.0' },
    });
    expect((await sendBack(token)).body.code).toBe('consent_required');
  });

  test('an unknown field and an empty item', async () => {
    const { token } = await answerSome(1);
    expect((await sendBack(token, { steps: 2 })).body.errors[0].pointer).toBe('/steps');
    expect((await sendBack(token, { item_id: '' })).body.errors[0].pointer).toBe('/item_id');
  });

  test('callers who are not members', async () => {
    expect((await app.request('POST', '/members/me/assessment/back', { body: {} })).status).toBe(401);
    expect((await sendBack((await app.registerOrgAdmin()).token)).status).toBe(403);
  });
});
