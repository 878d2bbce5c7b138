import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createAcceptedMatch, createPlacement, sendOutcome } from '#test/modules/feedback.ts';

const app = await startApp();

const listOutcomes = (match_id: string, token?: string) =>
  app.request('GET', `/matches/${match_id}/outcomes`, { ...(token && { token }) });

test('both sides and platform administrators list what became of a match, the oldest first', async () => {
  const match = await createPlacement(app);
  await sendOutcome(app, match, { outcome: 'left', reason: 'Moved away.' });
  const auditor = await createColleague(app, match.org.org_id, 'auditor');
  for (const { token } of [match.member, match.org, auditor, await app.registerPlatformAdmin()]) {
    const { status, body } = await listOutcomes(match.match_id, token);
    const shown = body.data.map(({ outcome, reason }: Record<string, unknown>) => [outcome, reason]);
    expect([status, shown]).toEqual([
      200,
      [
        ['placed', null],
        ['left', 'Moved away.'],
      ],
    ]);
    expect(JSON.stringify(body)).not.toContain(match.member.member_id);
  }
});

test('a match without an outcome has an empty list', async () => {
  const { match_id, member } = await createAcceptedMatch(app);
  expect((await listOutcomes(match_id, member.token)).body).toEqual({ data: [] });
});

test('for anyone else the match does not exist', async () => {
  const { match_id, org } = await createPlacement(app);
  for (const { token } of [await app.registerMember(), await app.registerOrgAdmin()])
    expect((await listOutcomes(match_id, token)).body.code).toBe('match_not_found');
  expect((await listOutcomes(unknownId, org.token)).status).toBe(404);
  expect((await listOutcomes('x', org.token)).status).toBe(422);
  expect((await listOutcomes(match_id)).status).toBe(401);
});
