import type { TestReply, TestApp } from './harness.ts';
import type { TestMember } from './users.ts';

/** A member who has consented to be measured. */
export async function registerMeasurableMember(app: TestApp): Promise<TestMember> {
  const member = await app.registerMember();
  await app.request('POST', '/members/me/consent', {
    token: member.token,
    body: { consent_type: 'assessment_data', granted: true, version: '1.0' },
  });
  return member;
}

/** Answers every item; `choose` gives the option's index. @returns the body of the last reply. */
export async function answerAllItems(
  app: TestApp,
  token: string,
  choose: (item: { item_id: string; options: string[] }, answered: number) => number = (item, answered) =>
    answered % item.options.length,
): Promise<TestReply['body']> {
  let { body } = await app.request('POST', '/members/me/assessment', { token, body: {} });
  while (body.next_item) {
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
