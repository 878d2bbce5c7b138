import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { cleanUpAfterFile } from '../clean-up.ts';
import { sql } from '#platform/database/database.ts';
import { fillSandbox } from '../../src/demo/fill-sandbox.ts';
import { startApp, type TestApp } from '../harness.ts';
import { canBrowse, openBrowser } from '../web/open-browser.ts';
import { createServiceKey } from '../modules/service-keys.ts';
import { emitProposal, listDeliveries, openStream } from '../modules/webhooks.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { listGuideSections, readSteps, runSteps } from './guide-steps.ts';
import { compileFile, installPackedClient, runProgram } from './pack-client.ts';
import { interrupt, openBreakableWay, runTessera, startListener } from './run-listener.ts';
import { stranger, strangerPermissions } from './stranger.ts';

/** A program of a stranger who has the packed client alone. */
const journey = `
import { createClient, hasCode, waitForTask, type OperationOutput } from '@tessera/client';

const [url = '', email = '', password = ''] = (globalThis as any).process.argv.slice(2);
const stranger = createClient({ url });
const login = await stranger.accounts.logIn({ body: { email, password } });
if (!('access_token' in login)) throw new Error('MFA is on');
const administrator = createClient({ url, token: login.access_token });
const permissions = ['POST /orgs/me/jobs', 'GET /orgs/me/jobs', 'POST /orgs/me/jobs/{job_id}/recompute-matches', 'GET /tasks/{task_id}'];
const { key } = await administrator.serviceKeys.createServiceKey({ body: { name: 'Applicant tracking', permissions } });
const client = createClient({ url, token: () => key });
for (const title of ['Nurse', 'Midwife', 'Pharmacist'])
  await client.jobs.createJob({ body: { title, outcome_description: 'Patients recover.', trait_priorities: { persistence: 1 } } });
const input = { body: { title: 'Cook', outcome_description: 'Meals arrive warm.', trait_priorities: { persistence: 1 } } };
const once = await client.jobs.createJob(input, { idempotencyKey: 'cook-1' });
const twice = await client.jobs.createJob.fetchReply(input, { idempotencyKey: 'cook-1' });
const status: 'active' | 'closed' | 'draft' = once.status;
const titles: string[] = [];
for await (const job of client.jobs.listJobs.readAll({ limit: 1, status: 'active' })) titles.push(job.title);
const page: OperationOutput<'jobs.listJobs'> = await client.jobs.listJobs();
const { task_id } = await client.matches.recomputeMatches({ job_id: once.id });
const task = await waitForTask(client, { task_id });
const refusals: unknown[] = [];
try {
  await administrator.jobs.readJob({ job_id: '5b0c2f5e-1f1e-4c8e-9a3f-000000000000' });
} catch (error) {
  if (!hasCode(error, 'job_not_found')) throw error;
  refusals.push(error.status, error.request_id.length > 0);
}
try {
  await client.jobs.createJob({ body: { title: '', outcome_description: 'x', trait_priorities: {} } });
} catch (error) {
  if (hasCode(error, 'field_invalid')) refusals.push(error.errors.map(({ pointer }) => pointer));
}
const file = await administrator.exports.exportMatches({ org_id: once.org_id, format: 'csv' });
if (!(file instanceof Response)) throw new Error('no file');
const text = await new Response(file.body).text();
const read = await administrator.jobs.readJob.fetchReply({ job_id: once.id });
const unchanged = await administrator.jobs.readJob.fetchReply({ job_id: once.id }, { headers: { 'If-None-Match': read.headers.get('etag') ?? '' } });
console.log(JSON.stringify({ status, titles: titles.sort(), total: page.pagination.total_count, same: once.id === twice.data.id,
  task: task.status, refusals, csv: text.split(',')[0], unchanged: [unchanged.status, unchanged.data ?? null] }));
`;

let app: TestApp;
let url: string;
let folder: string;
beforeAll(async () => {
  app = await startApp({ TESSERA_RATE_LIMITS: 'off', TESSERA_ACCESS_TOKEN_SECONDS: '99999999' });
  url = await app.server.listen({ port: 0, host: '127.0.0.1' });
  await app.platform.queue.startWorkers(app.platform);
  folder = await installPackedClient();
});

test('a program with the packed client alone goes from a key to jobs, pages, tasks, refusals and files', async () => {
  const { email, password } = await app.registerOrgAdmin();
  await writeFile(path.join(folder, 'journey.ts'), journey);
  await compileFile(folder, 'journey.ts');
  const result = await runProgram(folder, 'journey.ts', url, email, password);
  expect(result).toMatchObject({
    status: 'active',
    titles: ['Cook', 'Midwife', 'Nurse', 'Pharmacist'],
    total: 4,
    same: true,
    task: 'succeeded',
    refusals: [404, true, expect.arrayContaining(['/title'])],
    unchanged: [304, null],
  });
});

test.each([
  ['a misspelt field of a reply', "const { state } = await client.jobs.readJob({ job_id: 'x' });", 'state'],
  ['a misspelt field of a body', "await client.jobs.createJob({ body: { titel: 'x' } });", 'titel'],
  ['a missing parameter of a path', 'await client.jobs.readJob({});', 'job_id'],
  ['a code that does not exist', "hasCode(new Error(), 'job_lost');", 'job_lost'],
  ['all items of what is not a list', "client.jobs.readJob.readAll({ job_id: 'x' });", "'readAll'"],
])('the compiler refuses %s', async (_, line, named) => {
  const program = `import { createClient, hasCode } from '@tessera/client';\nconst client = createClient({ url: '' });\n${line}\nhasCode(client);\nexport {};`;
  await writeFile(path.join(folder, 'wrong.ts'), program);
  await expect(compileFile(folder, 'wrong.ts')).rejects.toThrow(named);
});

test('the example of its README compiles with the strictest settings', async () => {
  const readme = await readFile(path.join(folder, 'node_modules/@tessera/client/README.md'), 'utf8');
  const [, example] = /```ts\n([^]*?)```/.exec(readme)!;
  const environment =
    'declare const process: { readonly env: Readonly<Record<string, string | undefined>> };\n';
  await writeFile(path.join(folder, 'example.ts'), environment + example!);
  await expect(compileFile(folder, 'example.ts')).resolves.toBeUndefined();
});

/** A page of an integrator, which creates a job and shows its title. */
const buildPage = (service: string, token: string) => `<!doctype html><title>-</title><script type="module">
  import { createClient } from './index.js';
  const client = createClient(${JSON.stringify({ url: service, token })});
  const body = { title: 'Nurse', outcome_description: 'Patients recover.', trait_priorities: { persistence: 1 } };
  const job = await client.jobs.createJob({ body });
  document.title = job.title;
</script>`;

/** Serves the page and the files of the package at an origin of their own. */
async function servePage(token: string): Promise<string> {
  const dist = path.join(folder, 'node_modules/@tessera/client/dist');
  const server = createServer((request, response) => {
    const name = path.basename(request.url ?? '');
    if (name === '') return response.setHeader('content-type', 'text/html').end(buildPage(url, token));
    response.setHeader('content-type', 'text/javascript');
    return createReadStream(path.join(dist, name)).pipe(response);
  });
  cleanUpAfterFile(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test.runIf(canBrowse)('a page of another origin uses the client in a browser', async () => {
  const { token } = await app.registerOrgAdmin();
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(await servePage(token));
    await expect.poll(() => page.title()).toBe('Nurse');
  } finally {
    await browser.close();
  }
});

test('the package has no dependency, and less than 30 KB of code besides the command line', async () => {
  const installed = path.join(folder, 'node_modules/@tessera/client');
  const description = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as object;
  expect(description).not.toHaveProperty('dependencies');
  const files = (await readdir(path.join(installed, 'dist'))).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(files.map((name) => readFile(path.join(installed, 'dist', name))));
  expect(texts.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(30 * 1024);
});

const steps = readSteps();

test('the page of steps has the sections of the guide that have commands, in its order', () => {
  const sections = [...new Set(steps.map(({ title }) => title))];
  const guide = listGuideSections();
  expect(sections.filter((title) => guide.includes(title))).toEqual(guide);
  for (const step of steps)
    expect([step.title, step.ts === '', step.py === '']).toEqual([step.title, false, false]);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) process.stderr.write('python3 is missing: the steps in Python are NOT tested here\n');

test.for([
  ['ts', true],
  ['py', hasPython],
] as const)(
  'every step of the guide prints in %s what its page says',
  async ([language, canRun], { skip }) => {
    if (!canRun) skip('python3 is missing');
    const client = path.join(folder, 'node_modules/@tessera/client');
    const printed = await runSteps(steps, language, client);
    const shown = steps.map(({ title, printed: text }, index) => [title, text, printed[index]] as const);
    for (const [title, text, actual] of shown) expect([title, actual?.trim()]).toEqual([title, text.trim()]);
  },
);

const listening = [
  'POST /webhooks/streams',
  'POST /webhooks/streams/{subscription_id}/deliveries',
  'POST /webhooks/streams/{subscription_id}/outcomes',
  'GET /webhooks/',
  'POST /webhooks/{subscription_id}/test',
];

/** An organisation with a service key that may listen, and the stream that is called `dev`. */
async function prepareStream() {
  const { token, org_id } = await app.registerOrgAdmin();
  const { key } = await createServiceKey(app, token, { permissions: listening });
  const { id, secret } = await openStream(app, token, { name: 'dev' });
  return { token, org_id, id, secret, connection: { url, key } };
}

const countByStatus = async (token: string, id: string) =>
  Object.fromEntries(
    [...Map.groupBy(await listDeliveries(app, token, id), ({ status }) => status as string)].map(
      ([status, { length }]) => [status, length],
    ),
  );

test('tessera listen sends events on with their signatures, prints and reports each, and ends at once', async () => {
  const { token, org_id, id, secret, connection } = await prepareStream();
  const receiver = await startWebhookReceiver();
  receiver.secrets = [secret];
  const listener = await startListener(folder, connection, receiver.url, '--name', 'dev');
  expect(listener.readOutput()).toContain(secret);
  await emitProposal(app, org_id, { count: 12 });
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(12);
  expect(receiver.received.every(({ event }) => event?.type === 'match.proposed')).toBe(true);
  await expect.poll(() => countByStatus(token, id)).toEqual({ delivered: 12 });
  expect(listener.readOutput().match(/match\.proposed {2}[0-9a-f-]{36} {2}200 {2}\d+ ms/g)).toHaveLength(12);
  const trigger = runTessera(folder, connection, 'trigger', 'job.closed', '--name', 'dev');
  await once(trigger.process, 'exit');
  expect(trigger.readOutput()).toMatch(/^job\.closed {2}[0-9a-f-]{36}/);
  await expect.poll(() => receiver.received.at(-1)?.event?.type).toBe('job.closed');
  expect(await interrupt(listener)).toBe(0);
});

/**
 * Ends all claims before it reads how far the deliveries are: what was fetched and not reported is due again. Repeat it, because the last request
 * of a program that has gone may still reach the service and claim deliveries.
 */
function endClaims<Result>(read: () => Promise<Result>): Promise<Result> {
  app.clock.advance(41_000);
  return read();
}
const pollClaims = { interval: 1_000, timeout: 30_000 };

test('nothing is lost while connections break amid deliveries, and two programs of one name share them', async () => {
  const { token, org_id, id, secret, connection } = await prepareStream();
  const receiver = await startWebhookReceiver();
  receiver.secrets = [secret];
  const way = await openBreakableWay(Number(new URL(url).port));
  const near = { ...connection, url: way.url };
  const listeners = [
    await startListener(folder, near, `${receiver.url}/one`, '--name', 'dev'),
    await startListener(folder, near, `${receiver.url}/two`, '--name', 'dev'),
  ];
  const all = 60;
  receiver.reply = (response) => {
    if (receiver.received.length === 10) way.cut();
    setImmediate(() => response.end('ok'));
  };
  await emitProposal(app, org_id, { count: all });
  await expect
    .poll(() => listeners.every((each) => /Trying again/.test(each.readOutput())), { timeout: 20_000 })
    .toBe(true);
  way.mend();
  await expect.poll(() => endClaims(() => countByStatus(token, id)), pollClaims).toEqual({ delivered: all });
  const reached = receiver.received.map(({ headers }) => headers['x-service-delivery']);
  expect(new Set(reached).size).toBe(all);
  expect(new Set(receiver.received.map(({ path: each }) => each))).toEqual(new Set(['/one', '/two']));
  for (const each of listeners) await interrupt(each);
});

test('what the local server refuses comes again later, and what it leaves unanswered reaches another program', async () => {
  const { token, org_id, id, connection } = await prepareStream();
  const receiver = await startWebhookReceiver();
  receiver.reply = (response) => response.writeHead(500).end('no');
  const first = await startListener(folder, connection, receiver.url, '--name', 'dev');
  await emitProposal(app, org_id);
  await expect
    .poll(() => listDeliveries(app, token, id))
    .toMatchObject([{ status: 'pending', attempt: 1, response_status: 500, response_excerpt: 'no' }]);
  // The second attempt is never answered, and the program dies with it.
  receiver.reply = () => undefined;
  app.clock.advance(60_000);
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(2);
  first.process.kill('SIGKILL');
  receiver.reply = (response) => response.writeHead(204).end();
  const second = await startListener(folder, connection, receiver.url, '--name', 'dev');
  await expect
    .poll(() => endClaims(() => listDeliveries(app, token, id)), pollClaims)
    .toMatchObject([{ status: 'delivered', attempt: 2 }]);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await interrupt(second);
});

test('a key that may not listen, or that is revoked while it listens, ends the program with the reason', async () => {
  const { token, connection } = await prepareStream();
  const { key } = await createServiceKey(app, token, { permissions: ['GET /orgs/me/jobs'] });
  const refused = runTessera(folder, { ...connection, key }, 'listen', 'http://127.0.0.1:9/');
  const [code] = (await once(refused.process, 'exit')) as [number];
  expect([code, refused.readOutput()]).toEqual([
    1,
    expect.stringContaining('not permitted POST /webhooks/streams'),
  ]);
  const listener = await startListener(folder, connection, 'http://127.0.0.1:9/', '--name', 'dev');
  const keys = (await app.request('GET', '/orgs/me/service-keys', { token })).body.data;
  for (const each of keys) await app.request('DELETE', `/orgs/me/service-keys/${each.id}`, { token });
  await emitProposal(app, (await app.request('GET', '/orgs/me', { token })).body.id);
  await once(listener.process, 'exit');
  expect(listener.readOutput()).toContain('This service key is unknown.');
});

test('a program with a service key alone goes from a job to a shortlist, events, a paid read and a refund, in a sandbox', async () => {
  const sandbox = await startApp({ TESSERA_SANDBOX: 'on' });
  // The client compares the times of signatures with the clock of the system, as other receivers do.
  sandbox.clock.set(new Date());
  const filled = await fillSandbox(sandbox, { members: '40' }, { write: () => true });
  const address = await sandbox.server.listen({ port: 0, host: '127.0.0.1' });
  await sandbox.platform.queue.startWorkers(sandbox.platform);
  const { access_token: token } = (
    await sandbox.request('POST', '/auth/login', {
      body: { email: filled?.administrator, password: filled?.password },
    })
  ).body;
  const { key } = await createServiceKey(sandbox, token, { permissions: strangerPermissions });
  await writeFile(path.join(folder, 'stranger.ts'), stranger);
  expect(stranger.split('\n').length).toBeLessThan(100);
  await compileFile(folder, 'stranger.ts');
  const result = await runProgram(folder, 'stranger.ts', address, key);
  expect(result).toMatchObject({
    people: expect.any(Number),
    events: ['match.proposed', 'match.reopened'],
    found: true,
    paid: 'x402',
    refusals: ['consent_withdrawn', 'payment_refunded'],
    passed: 'succeeded',
    played: 'succeeded',
    year: 'cancelled',
  });
  const refunds = await sandbox.sql.list(sql`select status, rail from payouts where kind = 'refund'`);
  expect(refunds).toEqual([{ status: 'paid', rail: 'mock' }]);
});
