import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { createVouchedMatch, listOffers, sendAnswer, sendAttestation } from '#test/modules/offers.ts';
import { forgetOffers } from './forget-offers.ts';
import { shiftTime } from '#test/shift-time.ts';

const app = await startApp();

test('an offer is deleted a year after it ended without a credential, and then can be made again', async () => {
  const match = await createVouchedMatch(app);
  const offer = async (text: string) =>
    (await sendAttestation(app, match, { claims: { statement: text } })).body.id as string;
  const [declined, accepted, expired] = [await offer('One.'), await offer('Two.'), await offer('Three.')];
  await sendAnswer(app, match, declined, { decision: 'decline' });
  await sendAnswer(app, match, accepted);
  const moveOffersBack = (days: number) =>
    app.sql.run(sql`
      update credential_offers set ended_at = ${shiftTime('ended_at', -days)}, opens_at = ${shiftTime('opens_at', -days)},
        closes_at = ${shiftTime('closes_at', -days)}`);
  await moveOffersBack(364);
  await runTask(app, forgetOffers, {});
  expect(await listOffers(app, match.member.token)).toHaveLength(3);
  await moveOffersBack(92);
  await runTask(app, forgetOffers, {});
  expect((await listOffers(app, match.member.token)).map(({ id }) => id)).toEqual([accepted]);
  expect(expired).not.toBe(await offer('Three.'));
});

test('offers about a match end when its member withdraws', async () => {
  const match = await createVouchedMatch(app);
  await sendAttestation(app, match);
  const { token } = match.member;
  await app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'matching', granted: false, version: '1.0' },
  });
  await app.drainQueue();
  expect(await listOffers(app, token)).toMatchObject([
    { status: 'withdrawn', reason: 'You have withdrawn from the match.' },
  ]);
});
