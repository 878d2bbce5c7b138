import { randomUUID } from 'node:crypto';
import type { Send } from './send.ts';
import type { WriteLog } from './write-log.ts';

/** What somebody who has registered can go on with. */
export type Account = {
  readonly user_id: string;
  readonly email: string;
  readonly token: string;
  /** Known once the member is measured. */
  readonly member_id?: string;
};

/** Jobs that a client leaves open. It closes the oldest before it creates another. */
const open_jobs_max = 8;

/** How many clients register people. */
const registering = 1;

/** Starts clients: one for each token creates jobs, which queue a task each, and closes them; one registers people, who also get a mail each. */
export function startJobsAndPeople(
  log: WriteLog,
  send: Send,
  tokens: readonly string[],
  onRegistered: (account: Account) => void = () => undefined,
): Promise<unknown> {
  const registerPeople = async () => {
    while (!log.stopping.aborted) {
      const account = await registerPerson(log, send);
      if (account) onRegistered(account);
    }
  };
  return Promise.all([
    ...tokens.map((token) => writeJobs(log, send, token)),
    ...Array.from({ length: registering }, registerPeople),
  ]);
}

/** Registers somebody once. @returns undefined if that was not acknowledged. */
export async function registerPerson(log: WriteLog, send: Send): Promise<Account | undefined> {
  const email = `person-${randomUUID()}@cluster.example`;
  let account: Account | undefined;
  await log.attempt('registrations', async () => {
    const body = { email, password: 'Correct-Horse-9', name: `Person ${email.slice(7, 15)}` };
    const { status, reply } = await send('/auth/register', body);
    const { user, access_token } = reply as { user?: { id: string }; access_token?: string };
    if (status === 201 && user) account = { user_id: user.id, email, token: access_token! };
    return { status, id: account?.user_id };
  });
  return account;
}

/** Repeats each request with its Idempotency-Key until it is acknowledged, so that a job is created once. */
async function writeJobs(log: WriteLog, send: Send, token: string): Promise<void> {
  const open: string[] = [];
  while (!log.stopping.aborted) {
    const id = await createJob(log, send, token);
    if (id !== undefined) open.push(id);
    if (open.length > open_jobs_max) await closeJob(log, send, token, open.shift()!);
  }
}

async function createJob(log: WriteLog, send: Send, token: string): Promise<string | undefined> {
  const key = randomUUID();
  const body = {
    title: `Job ${key}`,
    outcome_description: 'Created while the cluster loses its parts.',
    trait_priorities: { persistence: 0.8, accountability: 0.6 },
  };
  while (!log.stopping.aborted) {
    const { id } = await log.attempt('jobs', async () => {
      const { status, reply } = await send('/orgs/me/jobs', body, token, {
        headers: { 'idempotency-key': key },
      });
      return { status, id: (reply as { id?: string }).id };
    });
    if (id !== undefined) return id;
  }
  return undefined;
}

async function closeJob(log: WriteLog, send: Send, token: string, id: string): Promise<void> {
  while (!log.stopping.aborted) {
    const { status } = await log.attempt('closings', async () => {
      const reply = await send(`/orgs/me/jobs/${id}`, undefined, token, { method: 'DELETE' });
      return { status: reply.status, id: reply.status === 204 ? id : undefined };
    });
    if (status !== 'none' && status < 500) return;
  }
}
