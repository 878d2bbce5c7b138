import { sql } from '#platform/database/database.ts';
import { findItem, isGraded, traitCodes } from '#modules/measurement/traits';
import type { TestReply, TestApp } from './harness.ts';
import type { TestMember } from './users.ts';
import { shiftTime } from './shift-time.ts';

/** A member who has consented to be measured. */
export async function registerMeasurableMember(app: TestApp): Promise<TestMember> {
  const member = await app.registerMember();
  await app.request('POST', '/members/me/consent', {
    token: member.token,
    body: { consent_type: 'assessment_data', granted: true, version: '1.0' },
  });
  return member;
}

type Choice = (item: { item_id: string; options: string[] }, answered: number) => number;

/** Answers every item; `choose` gives the option's index. @returns the body of the last reply. */
export function answerAllItems(app: TestApp, token: string, choose?: Choice): Promise<TestReply['body']> {
  return answerItems(app, token, ({ stage }) => stage !== 'complete', choose);
}

/** Answers the items of the first stage. @returns the body of the last reply, which offers the deepening. */
export function answerFirstStage(app: TestApp, token: string, choose?: Choice): Promise<TestReply['body']> {
  return answerItems(app, token, ({ stage }) => stage === 'first', choose);
}

/**
 * Starts or resumes the assessment and answers items while `goesOn` says so of the last reply, also those of the deepening.
 *
 * @returns the body of that reply.
 */
export async function answerItems(
  app: TestApp,
  token: string,
  goesOn: (body: TestReply['body']) => boolean,
  choose: Choice = answerHonestly,
): Promise<TestReply['body']> {
  let { body } = await app.request('POST', '/members/me/assessment', { token, body: {} });
  while (goesOn(body)) {
    if (body.deepening !== null) {
      ({ body } = await app.request('POST', '/members/me/assessment', { token, body: { deepen: true } }));
      continue;
    }
    const option = choose(body.next_item, body.progress.answered);
    const reply = await app.request('POST', '/members/me/assessment/answers', {
      token,
      body: { item_id: body.next_item.item_id, option },
    });
    if (reply.status !== 200) throw new Error(`an answer was refused: ${JSON.stringify(reply.body)}`);
    body = reply.body;
  }
  return body;
}

/** Chooses an option like a member who is high, low or average on each trait, and who answers slightly differently each time. */
export function answerHonestly({ item_id }: { readonly item_id: string }, answered: number): number {
  const item = findItem(item_id);
  if (!item || !isGraded(item)) return answered % 5;
  const level = (traitCodes.indexOf(item.trait) % 3) - 1;
  const agreement = level + (answered % 4 === 0 ? 1 : 0);
  return 2 + (item.reversed ? -agreement : agreement);
}

/** Makes the member's last assessment older, so that another may start. Tokens would expire if the clock advanced. */
export async function endCoolingOff(app: TestApp, member_id: string, days = 30): Promise<void> {
  await app.sql.run(sql`
    update assessments set completed_at = ${shiftTime('completed_at', -days)} where member_id = ${member_id}`);
}
