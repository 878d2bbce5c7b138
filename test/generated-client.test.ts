import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cleanUpAfterFile } from './clean-up.ts';
import { startApp } from './harness.ts';

const root = path.dirname(import.meta.dirname);
const resolveCommand = (name: string) => path.join(root, 'node_modules/.bin', name);
const runNode = (folder: string, ...arguments_: string[]) =>
  promisify(execFile)(process.execPath, arguments_, { cwd: folder, timeout: 120_000 });

/** A program of someone who has only the generated client. */
const journey = `
import * as api from './client.ts';

api.defaults.baseUrl = process.argv[2]!;
const credentials = { email: 'mira.okafor@example.org', password: 'Correct-Horse-7-Battery' };
const registered = await api.accountsRegisterUser({ ...credentials, name: 'Harbour Health', role: 'org_admin' });
if (registered.status !== 201) throw new Error(JSON.stringify(registered.data));
const loggedIn = await api.accountsLogIn(credentials);
if (loggedIn.status !== 200 || !('access_token' in loggedIn.data)) throw new Error('no token');
api.defaults.headers = { authorization: \`Bearer \${loggedIn.data.access_token}\` };
for (const title of ['Nurse', 'Midwife', 'Pharmacist']) {
  const created = await api.jobsCreateJob(
    { title, outcome_description: 'Patients recover.', trait_priorities: { persistence: 1 } },
    { idempotencyKey: \`create-\${title}\` },
  );
  if (created.status !== 201) throw new Error(JSON.stringify(created.data));
  const status: 'active' | 'closed' | 'draft' = created.data.status;
  if (status !== 'active') throw new Error(status);
}
const titles: string[] = [];
let cursor: string | undefined;
let pages = 0;
do {
  const page = await api.jobsListJobs({ limit: 2, ...(cursor && { cursor }) });
  if (page.status !== 200) throw new Error(page.data.code);
  titles.push(...page.data.data.map((job) => job.title));
  cursor = page.data.pagination.next_cursor ?? undefined;
  pages++;
} while (cursor !== undefined);
const unlimited = await api.jobsListJobs();
const missing = await api.jobsReadJob(registered.data.user.id);
console.log(JSON.stringify({
  pages,
  titles: titles.sort(),
  total: unlimited.status === 200 ? unlimited.data.pagination.total_count : 0,
  refusal: missing.status === 404 ? missing.data.code : missing.status,
}));
`;

/** The program with a field that no operation has: proof that the types of the client are not \`any\`. */
const wrongJourney = journey.replace('created.data.status', 'created.data.state');

test('a client generated from the document compiles strictly and completes a journey on a real server', async () => {
  const app = await startApp();
  const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const folder = await mkdtemp(path.join(tmpdir(), 'tessera-client-'));
  cleanUpAfterFile(() => rm(folder, { recursive: true, force: true }));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const document = await (await fetch(`${url}/openapi.json`)).text();
  await writeFile(path.join(folder, 'openapi.json'), document);
  await runNode(folder, resolveCommand('oazapfts'), 'openapi.json', 'client.ts');
  await writeFile(path.join(folder, 'journey.ts'), journey);
  await writeFile(path.join(folder, 'wrong.ts'), wrongJourney);
  const settings = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--skipLibCheck',
    '--allowImportingTsExtensions',
    '--types',
    'node',
  ];
  const compile = (file: string) => runNode(folder, resolveCommand('tsc'), ...settings, file);
  await compile('journey.ts');
  await expect(compile('wrong.ts')).rejects.toMatchObject({
    stdout: expect.stringContaining("Property 'state' does not exist"),
  });
  const { stdout } = await runNode(folder, 'journey.ts', url);
  expect(JSON.parse(stdout)).toEqual({
    pages: 2,
    titles: ['Midwife', 'Nurse', 'Pharmacist'],
    total: 3,
    refusal: 'job_not_found',
  });
});
