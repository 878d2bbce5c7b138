import type { Static } from 'typebox';
import type { TestApp } from '#test/harness.ts';
import type { mirrorWire } from '../../src/modules/measurement/traits/mirror/mirror-reply.ts';
import { itemBank } from '../../src/modules/measurement/traits/items/item-bank.ts';
import { isGraded } from '../../src/modules/measurement/traits/items/item.ts';
import { computePublicId } from '../../src/modules/measurement/traits/items/public-id.ts';

export type MirrorBody = Static<typeof mirrorWire>;

const statements = new Map(
  [...itemBank.itemsById.values()].filter(isGraded).map((item) => [computePublicId(item.id), item]),
);

/** Answers as somebody who has much of every trait would. */
export function agreeWithEverything(item_id: string): number {
  return statements.get(item_id)?.reversed ? 0 : 4;
}

/** Begins a mirror and answers statements, each five seconds after it was shown, until `count` are answered or none is asked. */
export async function answerMirror(
  app: TestApp,
  count = Infinity,
  choose: (item_id: string, answered: number) => number = agreeWithEverything,
): Promise<MirrorBody> {
  let { body } = await app.request('POST', '/first-mirror', { body: {} });
  while (body.next_item && body.answered < count) {
    app.clock.advance(5_000);
    const option = choose(body.next_item.item_id, body.answered);
    const reply = await app.request('POST', '/first-mirror', { body: { mirror: body.mirror, option } });
    if (reply.status !== 200) throw new Error(`answering failed: ${JSON.stringify(reply.body)}`);
    body = reply.body;
  }
  return body;
}

/** Asks for the link of a mirror, and reads it from the email. */
export async function requestLink(app: TestApp, mirror: string, email: string): Promise<string> {
  const { status, body } = await app.request('POST', '/first-mirror/send', { body: { mirror, email } });
  if (status !== 200) throw new Error(`sending failed: ${JSON.stringify(body)}`);
  await app.drainQueue();
  const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
  const token = /keep-mirror\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error(`no link was emailed to ${email}`);
  return token;
}
