import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import {
  createCredential,
  createOrgValidation,
  registerSharingMember,
  requestRevocation,
} from '#test/modules/credentials.ts';

const app = await startApp();
const origin = 'http://localhost:8420';

const fetchBadge = (id: string) => app.server.inject({ url: `/verify/${id}/badge` });
const fetchPage = async (id: string) => (await app.server.inject({ url: `/verify/${id}` })).body;

async function createShown(claims: object = { organisation_name: 'Harbour Health' }) {
  const member = await registerSharingMember(app);
  const credential = await createOrgValidation(app, member.member_id, claims);
  await app.request('PUT', `/credentials/${credential.id}/visibility`, {
    token: member.token,
    body: { visibility: 'public' },
  });
  return { member, id: credential.id };
}

/** The Open Graph properties of a page. */
function readCard(page: string): Readonly<Record<string, string>> {
  const rows = page.matchAll(/<meta property="og:([\w:]+)" content="([^"]*)">/g);
  return Object.fromEntries([...rows].map(([, name, content]) => [name!, content!]));
}

test('any site may frame the badge, which has no script, no cookie, no form and no other source', async () => {
  const { id } = await createShown();
  const { statusCode, headers, body } = await fetchBadge(id);
  expect(statusCode).toBe(200);
  const style = /<style>([^]*)<\/style>/.exec(body)![1]!;
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; img-src ${origin}; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors *`,
  );
  expect(headers).toMatchObject({
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=60',
    'referrer-policy': 'no-referrer',
  });
  expect(headers['set-cookie']).toBeUndefined();
  expect(headers['x-frame-options']).toBeUndefined();
  expect(body).not.toMatch(/<script|<form|<iframe|\son\w+=|style="/);
  for (const words of [
    'Statement of an organisation',
    'Harbour Health says so.',
    'Genuine. Harbour Health says this.',
    `${origin}/achievements/org_validation/org_validated/badge.svg`,
    `<a href="${origin}/verify/${id}" target="_blank" rel="noopener">`,
  ])
    expect(body).toContain(words);
});

test('no other page may be framed', async () => {
  const { id } = await createShown();
  for (const path of [`/verify/${id}`, `/verify/${id}/pdf`, '/', '/docs']) {
    const { headers } = await app.server.inject({ url: path });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  }
});

test('a private, a revoked and an unknown credential show no content in a badge or on a card', async () => {
  const { member, id } = await createShown();
  const { id: hidden } = await createCredential(app, member.token);
  await requestRevocation(app, member.token, id);
  for (const each of [id, hidden, unknownId, 'nonsense', '../../etc']) {
    const badge = await fetchBadge(each);
    for (const text of [badge.body, await fetchPage(each)]) {
      expect(text).not.toMatch(/Harbour Health|Statement of|Measured traits|<img/);
      expect(text).not.toContain(member.member_id);
    }
    expect(badge.statusCode).toBe(each === id || each === hidden ? 200 : 404);
  }
  expect((await fetchBadge(id)).body).toContain('Revoked. Do not rely on it.');
  expect(readCard(await fetchPage(hidden))).toMatchObject({
    title: 'Genuine, but only its holder says this.',
    image: `${origin}/achievements/card.png`,
  });
});

test('a link to a shown credential has the card of its achievement', async () => {
  const { id } = await createShown({ organisation_name: 'Harbour Health', job_title: 'Night nurse' });
  expect(readCard(await fetchPage(id))).toEqual({
    type: 'website',
    site_name: 'Tessera',
    title: 'Statement of an organisation · Night nurse',
    description: 'Harbour Health says so. Anyone can check it here, free and without an account.',
    image: `${origin}/achievements/org_validation/org_validated/card.png`,
    'image:width': '1200',
    'image:height': '630',
    'image:alt': 'Statement of an organisation · Night nurse',
    url: `${origin}/verify/${id}`,
  });
});

test('a self-attested credential says in its badge that nobody has checked it', async () => {
  const member = await registerSharingMember(app);
  const { id } = await createCredential(app, member.token);
  const body = { visibility: 'public' };
  await app.request('PUT', `/credentials/${id}/visibility`, { token: member.token, body });
  const badge = (await fetchBadge(id)).body;
  for (const words of [
    'Measured traits (self-declared)',
    'has not checked it',
    'class="caution"',
    'Genuine, but only its holder says this.',
  ])
    expect(badge).toContain(words);
  expect(badge).not.toContain('✓');
});

test('text of strangers stays text', async () => {
  const { id } = await createShown({
    organisation_name: '"><script>alert(1)</script>\u202e',
    job_title: '"><img src=x onerror=alert(1)>',
  });
  for (const text of [(await fetchBadge(id)).body, await fetchPage(id)]) {
    expect(text).not.toMatch(/<script|<img src=x|\u202e/);
    expect(text).toContain('&quot;&gt;&lt;img src=x');
  }
});
