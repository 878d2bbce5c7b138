import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createCredential, createOrgValidation, requestRevocation } from '#test/modules/credentials.ts';
import {
  addDidWeb,
  buildForeignCredential,
  createForeignKey,
  startForeignServer,
} from '#test/modules/foreign-issuer.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const server = await startForeignServer();
const key = createForeignKey();
const { did, kid } = addDidWeb(server, key);

const sign = (overrides: object = {}) =>
  key.signJwt({ typ: 'vc+jwt', kid }, buildForeignCredential(did, overrides));

async function give(credential: string) {
  const reply = await app.server.inject({
    method: 'POST',
    url: '/verify',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ credential }).toString(),
  });
  return { status: reply.statusCode, headers: reply.headers, body: reply.payload };
}

test('the empty page has a form, a script by its hash, and sets no cookie', async () => {
  const { status, body, headers } = await app.request('GET', '//verify');
  expect(status).toBe(200);
  for (const words of ['Check a credential', '<textarea', 'is checked and not stored'])
    expect(body).toContain(words);
  const [, code = ''] = /<script>([\s\S]*?)<\/script>/.exec(body as string)!;
  const hash = createHash('sha256').update(code).digest('base64');
  expect(headers['content-security-policy']).toContain(`script-src 'sha256-${hash}'; form-action 'self'`);
  expect(headers['set-cookie']).toBeUndefined();
});

test.each([
  ['good', 'Genuine. 127.0.0.1:', {}],
  ['caution', 'Genuine, but only its holder says this.', { attestation_tier: 'self_attested' }],
  ['bad', 'Expired on 1 February 2026.', { validUntil: '2026-02-01T00:00:00Z' }],
  ['bad', 'Not valid before 1 February 2027.', { validFrom: '2027-02-01T00:00:00Z' }],
  ['open', 'Could not be checked.', { credentialStatus: { type: 'Unknown' } }],
])('a credential of another issuer is shown as %s: %s', async (tone, headline, overrides) => {
  const { status, body } = await give(sign(overrides));
  expect([status, body.includes(`verdict ${tone}`)]).toEqual([200, true]);
  expect(body).toContain(headline);
  expect(body).toContain(
    'Its issuer calls itself “Harbour Health”. Only its domain is proven, not this name.',
  );
});

test('a changed credential is bad, one of a key alone is a caution, and neither names a domain', async () => {
  const forged = createForeignKey().signJwt({ typ: 'vc+jwt', kid }, buildForeignCredential(did));
  const changed = (await give(forged)).body;
  expect(changed).toContain('Changed, or not signed by the issuer that it names.');
  expect(changed).not.toContain('Night nurse');
  const id = `did:key:${key.multibase}`;
  const unknown = (await give(key.signJwt({ kid: id }, buildForeignCredential(id)))).body;
  expect(unknown).toContain('verdict caution');
  expect(unknown).toContain('Unchanged, but nobody can tell who says this.');
});

test('a token of this service is described like the stored credential', async () => {
  const member = await app.registerMember();
  const { formats } = await createOrgValidation(app, member.member_id, {
    organisation_name: 'Harbour Health',
  });
  for (const token of Object.values(formats))
    expect((await give(token!)).body).toContain('Genuine. Harbour Health says this.');
  const own = await createCredential(app, member.token);
  await requestRevocation(app, member.token, own.id);
  expect((await give(own.formats.vc_jwt)).body).toContain('Revoked. Do not rely on it.');
});

test('the link or the number of a credential of this service leads to its page', async () => {
  const { credential_id: id } = { credential_id: '7d1f6c1e-0000-4000-8000-00000000000a' };
  const { publicUrl } = app.platform.config;
  for (const text of [id, ` ${publicUrl}/verify/${id.toUpperCase()} `]) {
    const { status, headers } = await give(text);
    expect([status, headers['location']]).toEqual([303, `/verify/${id}`]);
  }
  expect((await give(`https://other.example/verify/${id}`)).body).toContain('This is a link.');
});

test('a text that is no credential stays in the form with the reason, and nothing of it runs', async () => {
  const { status, body } = await give('</textarea><script>alert(1)</script>');
  expect(status).toBe(422);
  expect(body).toContain('This is not a credential in a form that is known here');
  expect(body).toContain('&lt;/textarea&gt;&lt;script&gt;alert(1)');
  const hostile = '<img src=x onerror=alert(1)>\u202e';
  const shown = await give(
    sign({ credentialSubject: { name: hostile, [hostile]: 1 }, issuer: { id: did, name: hostile } }),
  );
  expect(shown.body).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(shown.body).not.toMatch(/<img|\u202e/);
});

test('a form without a credential, or with one that is too long, is refused', async () => {
  expect((await give('')).status).toBe(422);
  const long = await give(sign({ credentialSubject: { name: 'x'.repeat(65_537) } }));
  expect([long.status, long.body.includes('is too large')]).toEqual([422, true]);
  expect((await give('x'.repeat(300_000))).status).toBe(413);
});
