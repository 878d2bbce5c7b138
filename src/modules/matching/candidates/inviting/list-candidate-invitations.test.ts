import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createCandidateInvitation, inviteCandidate } from '#test/modules/candidates.ts';
import { createEmail } from '#test/users.ts';

const app = await startApp();
test('the list has pages, and filters by status, reference and change', async () => {
  const { org, job_id, path } = await createCandidateInvitation(app, { external_ref: 'first' });
  const { token } = org;
  app.clock.advance(1_000);
  const since = app.clock.now().toISOString();
  await inviteCandidate(app, { token, job_id }, { email: createEmail(), external_ref: 'second' });
  const list = async (query: string) => {
    const { body } = await app.request('GET', `/orgs/me/jobs/${job_id}/invitations?${query}`, { token });
    return [body.data.map((each: { external_ref: string }) => each.external_ref), body.pagination] as const;
  };
  const [[newest], { next_cursor, total_count }] = await list('limit=1');
  expect([newest, total_count]).toEqual(['second', 2]);
  expect((await list(`limit=1&cursor=${next_cursor}`))[0]).toEqual(['first']);
  expect((await list('external_ref=first'))[0]).toEqual(['first']);
  expect((await list(`updated_since=${since}`))[0]).toEqual(['second']);
  await app.request('POST', `${path}/cancel`, { token });
  expect((await list(`updated_since=${since}`))[0]).toEqual(['second', 'first']);
  expect((await list('status=sent'))[0]).toEqual(['second']);
  expect((await list('status=cancelled'))[0]).toEqual(['first']);
});
