import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import type { Static } from 'typebox';
import type { TestApp } from '#test/harness.ts';
import type { volunteerWire } from '../../src/modules/measurement/traits/volunteers/volunteer-reply.ts';
import { findItem } from '../../src/modules/measurement/traits/items/public-id.ts';
import {
  simulateMember,
  simulateOption,
} from '../../src/modules/measurement/traits/measurement/simulated-member.ts';
import { agreeWithEverything } from './first-mirror.ts';

/** A simulated person of the population, who answers as the model says. */
export function simulatePerson(seed: number): (item_id: string) => number {
  const random = createSeededRandom(seed);
  const person = simulateMember(random);
  return (item_id) => simulateOption(person, findItem(item_id)!, random);
}

export type VolunteerBody = Static<typeof volunteerWire>;

/** Begins a test for science. `invitation` is the token of an invitation to a second one. */
export async function startVolunteer(
  app: Pick<TestApp, 'request'>,
  invitation?: string,
): Promise<VolunteerBody> {
  const { status, body } = await app.request('POST', '/volunteers', {
    body: { agreed_version: '1.0', ...(invitation !== undefined && { invitation }) },
  });
  if (status !== 201) throw new Error(`beginning failed: ${JSON.stringify(body)}`);
  return body;
}

/** Answers items, each `pace_ms` after it was shown, until `count` are answered or none is asked. */
export async function answerForScience(
  app: Pick<TestApp, 'request' | 'clock'>,
  started: VolunteerBody,
  count = Infinity,
  choose: (item_id: string, answered: number) => number = agreeWithEverything,
  pace_ms = 5_000,
): Promise<VolunteerBody> {
  let body = started;
  while (body.next_item && body.answered < count) {
    app.clock.advance(pace_ms);
    const { item_id, options } = body.next_item;
    const option = Math.min(choose(item_id, body.answered), options.length - 1);
    const reply = await app.request('POST', `/volunteers/${body.code}/answers`, {
      body: { item_id, option },
    });
    if (reply.status !== 200) throw new Error(`answering failed: ${JSON.stringify(reply.body)}`);
    body = reply.body;
  }
  return body;
}

/** Asks for the invitation to a second test, and reads the token from the email that confirms the address. */
export async function requestRetest(app: TestApp, code: string, email: string): Promise<string> {
  const { status, body } = await app.request('POST', `/volunteers/${code}/retest`, { body: { email } });
  if (status !== 200) throw new Error(`asking failed: ${JSON.stringify(body)}`);
  await app.drainQueue();
  return readVolunteerLink(app, email);
}

/** Reads the token of the link in the last email to a volunteer. */
export async function readVolunteerLink(app: TestApp, email: string): Promise<string> {
  const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
  const token = /[?&](?:token|invitation)=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error(`no link was emailed to ${email}`);
  return token;
}
