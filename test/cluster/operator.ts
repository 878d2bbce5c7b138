import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { sendUntilFinal } from './load/send-until-final.ts';
import { openMailbox } from './load/mailbox.ts';
import type { ReadingOrganisation } from './load/money.ts';
import type { Send } from './load/send.ts';
import { waitFor } from './programs.ts';

/** Runs a command of the operator. @returns what it printed. @throws Error if its exit code is not 0. */
export type Operator = (...words: readonly string[]) => Promise<string>;

const run = promisify(execFile);

/** Creates what runs the operator's commands with these variables. */
export function createOperator(environment: Readonly<Record<string, string>>): Operator {
  return async (...words) => {
    const { stdout } = await run(process.execPath, ['src/app/main.js', 'cli', ...words], {
      cwd: path.join(import.meta.dirname, '../..'),
      env: { PATH: process.env['PATH'], ...environment },
    });
    return stdout;
  };
}

/** Registers organisations that create jobs. @returns the tokens of their administrators. */
export async function registerOrganisations(send: Send, count: number): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let number = 1; number <= count; number++) tokens.push((await register(send, `org-${number}`)).token);
  return tokens;
}

/** Registers organisations that pay for reads, each with a verified administrator, a filled balance and a job. */
export async function registerReaders(
  send: Send,
  operator: Operator,
  mailFolders: readonly string[],
  count: number,
): Promise<readonly ReadingOrganisation[]> {
  const mailbox = openMailbox(mailFolders);
  const registerReader = async (number: number): Promise<ReadingOrganisation> => {
    const { token, email } = await register(send, `reader-${number}`);
    const ask = async (path: string, body?: object) =>
      (await sendUntilFinal(neverStopping, send, [path, body, token, body ? {} : { method: 'GET' }])).reply;
    const mailed = await waitFor('the mail', 60, () => mailbox.findToken(email));
    await ask('/auth/verify-email', { token: mailed });
    const { id: org_id } = (await ask('/orgs/me')) as { id: string };
    await operator('org', 'set-tier', org_id, 'partner');
    await operator('balance', 'record', `order-${number}`, '5000', '--org', org_id);
    const { id: job_id } = (await ask('/orgs/me/jobs', readerJob)) as { id: string };
    return { token, org_id, job_id };
  };
  return Promise.all(Array.from({ length: count }, (_, position) => registerReader(position + 1)));
}

const neverStopping = new AbortController().signal;

const readerJob = {
  title: 'Ward coordinator',
  outcome_description: 'The ward runs calmly at night.',
  trait_priorities: { persistence: 1, collaborative_orientation: 0.5 },
};

async function register(
  send: Send,
  name: string,
): Promise<{ readonly token: string; readonly email: string }> {
  const email = `${name}@cluster.example`;
  const body = { email, password: 'Correct-Horse-9', name: `Organisation ${name}`, role: 'org_admin' };
  const { reply } = await sendUntilFinal(neverStopping, send, ['/auth/register', body]);
  return { email, token: (reply as { access_token: string }).access_token };
}
