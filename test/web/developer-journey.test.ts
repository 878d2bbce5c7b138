import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { installPackedClient } from '../client/pack-client.ts';
import { createColleague } from '../colleague.ts';
import { findFreePort } from '../free-port.ts';
import { startApp } from '../harness.ts';
import { generateSigningKey } from '../modules/assertions.ts';
import { callByKey, callByOperatorKey } from '../modules/service-keys.ts';
import { password } from '../users.ts';
import { createVisitor, readText, unescapeHtml, type SeenPage, type Visitor } from './visitor.ts';

const port = await findFreePort();
const url = `http://localhost:${port}`;
const app = await startApp({ TESSERA_PUBLIC_URL: url, TESSERA_PORT: String(port) });
await app.server.listen({ port, host: '127.0.0.1' });
const run = promisify(execFile);

async function logIn(email: string): Promise<Visitor> {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
}

/** The codes of a page that can be copied. */
const listCodes = ({ html }: SeenPage) =>
  [...html.matchAll(/<pre class="copied"[^>]*><code>([\s\S]*?)<\/code>/g)].map(([, code]) =>
    unescapeHtml(code!),
  );

const given = { name: 'Reports', purpose: 'own', permissions: 'GET /orgs/me/jobs', expiry_days: '90' };

describe('an administrator', () => {
  it(
    'creates a key, and the first steps of each language run as the page shows them',
    { timeout: 180_000 },
    async () => {
      const admin = await app.registerOrgAdmin();
      const visitor = await logIn(admin.email);
      const created = await visitor.send(await visitor.open('/app/keys/new'), 'send', given);
      const [key = '', shell = '', curl = '', typescript = '', python = ''] = listCodes(created);
      expect(key).toMatch(/^tsk_/);
      const folder = await installPackedClient();
      await writeFile(path.join(folder, 'first.ts'), typescript);
      await writeFile(path.join(folder, 'first.py'), python);
      const node = path.dirname(process.execPath);
      const script = [shell, curl, 'echo', 'node first.ts', 'python3 first.py'].join('\n');
      const options = { cwd: folder, env: { ...process.env, PATH: `${node}:${process.env['PATH']}` } };
      const { stdout } = await run('sh', ['-ec', script], options);
      expect(stdout.match(/"?total_count"?: ?0/g)).toHaveLength(3);
      const list = await visitor.open('/app/keys');
      expect(list.html).not.toContain(key);
      expect(listCodes(list)[0]).toContain(`TESSERA_KEY=tsk_…${key.slice(-4)}`);
      const page = await visitor.open(/href="(\/app\/keys\/[0-9a-f-]{36})"/.exec(list.html)![1]!);
      expect(page.html).not.toContain(key);
      expect(readText(page).match(/GET \/orgs\/me\/jobs 200/g)).toHaveLength(3);
    },
  );

  it('registers a public key, and replaces it', async () => {
    const admin = await app.registerOrgAdmin();
    const visitor = await logIn(admin.email);
    const form = await visitor.open('/app/keys/new');
    const refused = await visitor.send(form, 'send', { ...given, public_key: 'ssh-ed25519 AAAA' });
    expect([refused.status, readText(refused)]).toEqual([422, expect.stringContaining('public key as JWK')]);
    const public_key = JSON.stringify((await generateSigningKey()).public_key);
    const created = await visitor.send(form, 'send', { ...given, public_key });
    for (const words of ['private_key_jwt', `${url}/oauth/token`, 'TESSERA_KEY=tst_…'])
      expect(readText(created)).toContain(words);
    const address = /href="(\/app\/keys\/[0-9a-f-]{36})"/.exec(created.html)![1]!;
    const page = await visitor.open(address);
    const next = JSON.stringify((await generateSigningKey('EdDSA')).public_key);
    const fields = { public_key: next, overlap_seconds: '0' };
    expect(readText(await visitor.send(page, 'replace', fields))).toContain('The public key is replaced.');
    expect((await visitor.send(page, 'replace', { overlap_seconds: '0' })).status).toBe(422);
  });

  it('replaces a key, revokes it, and sees why a program is refused', async () => {
    const admin = await app.registerOrgAdmin();
    const visitor = await logIn(admin.email);
    const created = await visitor.send(await visitor.open('/app/keys/new'), 'send', {
      ...given,
      networks: '203.0.113.0/24',
    });
    const [key = ''] = listCodes(created);
    await callByKey(app, key);
    const address = /href="(\/app\/keys\/[0-9a-f-]{36})"/.exec(created.html)![1]!;
    const page = await visitor.open(address);
    expect(readText(page)).toContain('GET /orgs/me/jobs 403 network_not_allowed');
    const rotated = await visitor.send(page, 'rotate', { overlap_seconds: '0' });
    expect(await callByKey(app, key)).toEqual([401, 'token_invalid']);
    expect(listCodes(rotated)[1]).toContain(`TESSERA_KEY=${listCodes(rotated)[0]}`);
    const list = await visitor.send(page, 'revoke');
    expect(readText(list)).toContain('The key is revoked.');
    expect((await visitor.open(address)).status).toBe(404);
  });

  it('after a while confirms who they are before they change a key, but not to read about it', async () => {
    const admin = await app.registerOrgAdmin();
    const visitor = await logIn(admin.email);
    const created = await visitor.send(await visitor.open('/app/keys/new'), 'send', given);
    const address = /href="(\/app\/keys\/[0-9a-f-]{36})"/.exec(created.html)![1]!;
    app.clock.advance(901_000);
    const page = await visitor.open(address);
    expect([page.status, page.html]).toEqual([200, expect.not.stringContaining('value="revoke"')]);
    expect(page.html).toContain('/app/account/confirm');
  });

  it('connects an applicant tracking system, and disconnects it', async () => {
    const admin = await app.registerOrgAdmin();
    const visitor = await logIn(admin.email);
    const page = await visitor.open('/app/partners');
    for (const words of [`${url}/partners/greenhouse/send_test`, `${url}/partners/ashby`, 'Not connected'])
      expect(readText(page).toLowerCase()).toContain(words.toLowerCase());
    const refused = await visitor.send(page, 'connect-ashby', { key: 'a:b', origin: '' });
    expect([refused.status, readText(refused)]).toEqual([422, expect.stringContaining('without a colon')]);
    const inward = await visitor.send(page, 'connect-ashby', { key: 'of-ashby', origin: 'https://10.0.0.1' });
    expect(inward.status).toBe(422);
    const connected = await visitor.send(page, 'connect-ashby', { key: 'key-of-ashby', origin: '' });
    expect(readText(connected)).toContain('The system is connected.');
    expect(connected.html).not.toContain('key-of-ashby');
    const { body } = await app.request('GET', '/orgs/me/partners', { token: admin.token });
    expect(body.data).toMatchObject([{ partner: 'ashby', origin: 'https://api.ashbyhq.com' }]);
    const disconnected = await visitor.send(connected, 'disconnect-ashby');
    expect(readText(disconnected)).toContain('The system is disconnected.');
  });
});

describe('who may do what', () => {
  it('an auditor reads about keys and their requests, and changes nothing', async () => {
    const admin = await app.registerOrgAdmin();
    const owner = await logIn(admin.email);
    const created = await owner.send(await owner.open('/app/keys/new'), 'send', given);
    const address = /href="(\/app\/keys\/[0-9a-f-]{36})"/.exec(created.html)![1]!;
    const auditor = await logIn((await createColleague(app, admin.org_id, 'auditor')).email);
    const page = await auditor.open(address);
    expect([page.status, readText(page)]).toEqual([200, expect.stringContaining('Recent requests')]);
    expect(page.html).not.toContain('<form');
    expect((await (await logIn((await app.registerOrgAdmin()).email)).open(address)).status).toBe(404);
    const systems = await auditor.open('/app/partners');
    expect(readText(systems)).toContain('Administrators of your organisation connect');
    expect(systems.html).not.toContain('<form');
  });

  it('the operator makes keys of the operator on the same pages, and no organisation sees them', async () => {
    const operator = await app.registerPlatformAdmin();
    const visitor = await logIn(operator.email);
    const fields = { name: 'Monitoring', purpose: 'monitoring', expiry_days: '90' };
    const form = await visitor.open('/app/operator/service-keys/new');
    const created = await visitor.send(form, 'send', fields);
    const [key = '', , curl = ''] = listCodes(created);
    expect(curl).toContain('/operator/health');
    expect(await callByOperatorKey(app, key)).toEqual([200, undefined]);
    const address = /href="(\/app\/operator\/service-keys\/[0-9a-f-]{36})"/.exec(created.html)![1]!;
    const page = await visitor.open(address);
    expect(readText(page)).toContain('GET /operator/health 200');
    const stranger = await logIn((await app.registerOrgAdmin()).email);
    for (const each of [address, address.replace('operator/service-', '')])
      expect([403, 404]).toContain((await stranger.open(each)).status);
    expect(readText(await visitor.send(page, 'revoke'))).toContain('The key is revoked.');
    expect(await callByOperatorKey(app, key)).toEqual([401, 'token_invalid']);
  });
});
