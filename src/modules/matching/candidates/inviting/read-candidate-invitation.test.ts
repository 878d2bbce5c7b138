import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createCandidateInvitation, inviteCandidate, readEvents } from '#test/modules/candidates.ts';
import { runTask } from '#test/modules/matching.ts';
import { fetchStream, openStream } from '#test/modules/webhooks.ts';
import { logInAgain } from '#test/users.ts';
import { endInvitations } from '../end-invitations.ts';

const app = await startApp();
const day_ms = 86_400_000;

test('an unanswered invitation expires, which deletes the address, sends the event, and is deleted after 30 days', async () => {
  const { org, path, email, job_id, id } = await createCandidateInvitation(app, { external_ref: 'a-1' });
  const stream = await openStream(app, org.token, { events: ['invitation.updated'] });
  app.clock.advance(14 * day_ms);
  const token = await logInAgain(app, org);
  const read = () => app.request('GET', path, { token });
  expect((await read()).body).toMatchObject({ status: 'expired', email: null });
  await runTask(app, endInvitations, {});
  const [row] = await app.sql.list(sql<{ state: string; is_deleted: boolean }>`
    select state, email_sealed is null as is_deleted from candidate_invitations where id = ${id}`);
  expect(row).toEqual({ state: 'expired', is_deleted: true });
  await app.drainQueue();
  const { body: fetched } = await fetchStream(app, token, stream.id);
  const data = { invitation_id: id, job_id, org_id: org.org_id, status: 'expired', external_ref: 'a-1' };
  expect(readEvents(fetched)).toEqual([data]);
  expect((await inviteCandidate(app, { token, job_id }, { email })).status).toBe(201);
  app.clock.advance(30 * day_ms);
  await runTask(app, endInvitations, {});
  expect((await app.request('GET', path, { token: await logInAgain(app, org) })).status).toBe(404);
});
