import { expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '../harness.ts';
import { readInvitationToken } from '../modules/candidates.ts';
import { createJob } from '../modules/jobs.ts';
import { createEmail, password } from '../users.ts';
import { createVisitor, readText, type Visitor } from './visitor.ts';

const app = await startApp();

async function logIn({ email }: { readonly email: string }): Promise<Visitor> {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
}

async function startJob() {
  const org = await app.registerOrgAdmin();
  const { id } = await createJob(app, org.token);
  const recruiter = await logIn(org);
  const address = `/app/jobs/${id}/invitations`;
  const invite = async (email: string) =>
    recruiter.send(await recruiter.open(address), 'invite', { email, external_ref: 'seat 4' });
  const read = async () => readText(await recruiter.open(address));
  return { recruiter, address, job_id: id, invite, read };
}

it('a recruiter invites, and somebody without an account declines and ends all invitations by the link', async () => {
  const { invite, read, recruiter, job_id } = await startJob();
  expect((await recruiter.open(`/app/jobs/${job_id}`)).html).toContain(`/app/jobs/${job_id}/invitations`);
  const email = createEmail();
  expect(readText(await invite(email))).toContain('The invitation is on its way.');
  expect(readText(await invite(email))).toContain('already invited');
  expect(await read()).toMatch(/@example\.org No answer yet seat 4/);
  const stranger = createVisitor(app);
  const page = await stranger.open(`/invitation?token=${await readInvitationToken(app, email)}`);
  expect(readText(page)).toMatch(/invites you.*Night nurse.*If you take part.*Log in to take part/);
  const declined = await stranger.send(page, 'stop', {});
  expect(readText(declined)).toContain('You have declined.');
  expect(await read()).toMatch(/Address deleted.*Declined/);
  expect(await read()).not.toContain(email);
  expect(readText(await invite(email))).toContain('This address wants no further invitations');
});

it('somebody opens an account with the invited address, finds the invitation there, takes part, and is led to the assessment', async () => {
  const { invite, read } = await startJob();
  const email = createEmail();
  await invite(email);
  const member = await app.registerMember({ email });
  await app.sql.run(sql`update members set email_verified = true where id = ${member.member_id}`);
  const visitor = await logIn(member);
  expect(readText(await visitor.open('/app'))).toContain('You are invited to a job');
  const accepted = await visitor.send(await visitor.open('/app/invitations'), 'accept', {});
  expect(readText(accepted)).toMatch(/You take part\..*The next step is the assessment/);
  expect(accepted.html).toContain('href="/app/assessment"');
  expect(await read()).toMatch(/Takes part/);
  const ended = await visitor.send(accepted, 'decline', {});
  expect(readText(ended)).toContain('No longer takes part');
  expect(await read()).toContain('No longer takes part');
});

it('a member with another address comes back from the login to the link, and takes part', async () => {
  const { invite, read } = await startJob();
  const email = createEmail();
  await invite(email);
  const address = `/invitation?token=${await readInvitationToken(app, email)}`;
  const member = await app.registerDeployedMember();
  const visitor = createVisitor(app);
  expect((await visitor.open(address)).html).toContain(`continue=${encodeURIComponent(address)}`);
  const login = await visitor.open(`/sign-in?continue=${encodeURIComponent(address)}`);
  const back = await visitor.send(login, 'send', { email: member.email, password });
  expect(back.address).toBe(address);
  const accepted = await visitor.send(back, 'accept', {});
  expect(readText(accepted)).toContain('If you suit the job, it is among your matches.');
  expect(await read()).toContain('Takes part');
});

it('a recruiter sends again a day later, and cancels', async () => {
  const { invite, recruiter, address, read } = await startJob();
  await invite(createEmail());
  const soon = await recruiter.send(await recruiter.open(address), 'resend', {});
  expect(readText(soon)).toContain('got an email about the job within a day');
  const cancelled = await recruiter.send(await recruiter.open(address), 'cancel', {});
  expect(readText(cancelled)).toContain('The invitation is cancelled.');
  expect(await read()).toMatch(/Address deleted.*Cancelled/);
});
