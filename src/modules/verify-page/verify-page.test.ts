import { createHash } from 'node:crypto';
import jsqr from 'jsqr';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { proves } from '#test/requirements.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { colours } from './verify-html.ts';
import { buildQrCode, formatQrSvg, quiet_modules } from '#lib/qr-code.ts';
import {
  createCredential,
  registerSharingMember,
  requestRevocation,
  setConsent,
  type IssuedCredential,
} from '#test/modules/credentials.ts';

const app = await startApp();
const day_ms = 86_400_000;

const page = (id: string) => app.request('GET', `//verify/${id}`);
const pdf = (id: string) => app.server.inject({ url: `/verify/${id}/pdf` });

async function shownCredential(overrides: object = {}) {
  const member = await registerSharingMember(app);
  const credential = await createCredential(app, member.token, overrides);
  await show(member.token, credential, 'public');
  return { member, credential };
}

const show = (token: string, { id }: IssuedCredential, visibility: 'public' | 'private') =>
  app.request('PUT', `/credentials/${id}/visibility`, { token, body: { visibility } });

test('the page says in plain words that a credential is valid, and what it says where the member shows it', async () => {
  proves(
    'credential-verify-by-id-endpoint-public',
    'credential-verify-by-id-checks-signature-expiry-revocation',
  );
  const { credential } = await shownCredential();
  const { status, body, headers } = await page(credential.id);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  for (const words of [
    'This credential is valid',
    'craft',
    '90 % of the twenty traits',
    '1 April 2026',
    'own word',
  ])
    expect(body).toContain(words);
  expect(body).not.toContain(credential.member_id);
});

test('a private credential is said to be valid, and nothing of it is shown', async () => {
  const member = await registerSharingMember(app);
  const credential = await createCredential(app, member.token);
  const { body } = await page(credential.id);
  expect(body).toContain('This credential is valid');
  expect(body).toContain('has chosen not to show');
  expectNothingShown(body);
});

test('what was public is hidden the moment it is made private, or consent is withdrawn', async () => {
  const { member, credential } = await shownCredential();
  await show(member.token, credential, 'private');
  expectNothingShown((await page(credential.id)).body);
  await show(member.token, credential, 'public');
  expect((await page(credential.id)).body).toContain('craft');
  await setConsent(app, member.token, 'credential_sharing', false);
  expectNothingShown((await page(credential.id)).body);
});

test('a revoked credential is called revoked, and neither what it said nor why is shown', async () => {
  const { member, credential } = await shownCredential();
  await requestRevocation(app, member.token, credential.id, { reason: 'a private matter' });
  const { status, body } = await page(credential.id);
  expect(status).toBe(200);
  expect(body).toContain('This credential was revoked');
  expect(body).not.toContain('a private matter');
  expectNothingShown(body);
});

test('an expired credential is called expired, with what it said while it was valid', async () => {
  const { credential } = await shownCredential({ expiry_days: 1 });
  app.clock.advance(2 * day_ms);
  const { body } = await page(credential.id);
  expect(body).toContain('This credential has expired');
  expect(body).toContain('What it said while it was valid');
});

test('a credential whose stored form was altered is not called valid', async () => {
  const { credential } = await shownCredential();
  const { vc_jwt } = credential.formats;
  const altered = vc_jwt.slice(0, -10) + (vc_jwt.at(-10) === 'A' ? 'B' : 'A') + vc_jwt.slice(-9);
  await app.sql.run(sql`update credentials set vc_jwt = ${altered} where id = ${credential.id}`);
  const { body } = await page(credential.id);
  expect(body).toContain('could not be verified');
  expectNothingShown(body);
});

test.each([unknownId, 'nonsense', "'; drop table credentials", '<script>alert(1)</script>'])(
  'an unknown number is answered in plain words: %s',
  async (id) => {
    for (const answer of [await page(encodeURIComponent(id)), await pdf(encodeURIComponent(id))].map(
      textOf,
    )) {
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('There is no such credential');
      expect(answer.text).not.toContain('<script');
      expect(answer.text).not.toContain('<svg');
    }
  },
);

test('an id in capitals is the same id', async () => {
  const { credential } = await shownCredential();
  expect((await page(credential.id.toUpperCase())).body).toContain('This credential is valid');
});

test('what a member writes is text on the page, whatever it is, and cannot turn the sentences around it', async () => {
  const { credential } = await shownCredential({
    credential_type: 'org_validation',
    claims: { organisation_name: '<img src=x onerror=alert(1)>"\'&', statement: 'not \u202e valid\u2066' },
  });
  const { body } = await page(credential.id);
  expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
  expect(body).not.toMatch(/<img|[\u202a-\u202e\u2066-\u2069]/);
});

test('the page runs no script, loads nothing, sends nothing, is framed nowhere, kept nowhere and listed nowhere', async () => {
  const { credential } = await shownCredential();
  const { body, headers } = await page(credential.id);
  const style = /<style>([\s\S]*?)<\/style>/.exec(body as string)![1]!;
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['set-cookie']).toBeUndefined();
  expect(body).toContain('<meta name="robots" content="noindex">');
  expect(body).not.toMatch(/<script|<img|<link|<iframe|<form| style=| on\w+=|url\(|@import/);
  const addresses = [...(body as string).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses.every((address) => address!.startsWith(`${app.platform.config.publicUrl}/verify/`))).toBe(
    true,
  );
});

test('the page has one language, one main part, one first heading, headings in order and a name for its picture', async () => {
  const { credential } = await shownCredential();
  const body = (await page(credential.id)).body as string;
  expect(body).toMatch(/<html lang="en">/);
  expect(body.match(/<main[ >]/g)).toHaveLength(1);
  expect([...body.matchAll(/<h(\d)/g)].map(([, level]) => level)).toEqual(['1', '2', '2', '2']);
  expect(body).toMatch(/<svg [^>]*role="img" aria-label="QR code with the address of this page"/);
});

test.each(Object.entries(colours))(
  'every colour of the %s page has a contrast of 7 to 1 on its paper',
  (_, palette) => {
    const { paper, ...inks } = palette;
    const contrasts = Object.values(inks).map((ink) => contrast(ink, paper));
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(7);
  },
);

test('the QR code of the page is read as its address by code that we did not write', async () => {
  const { credential } = await shownCredential();
  const address = `${app.platform.config.publicUrl}/verify/${credential.id}`;
  expect((await page(credential.id)).body).toContain(
    formatQrSvg(buildQrCode(address), 'QR code with the address of this page'),
  );
  expect(readQr(address)).toBe(address);
});

test('the PDF is one, has the same state in its title, and says � for what its font lacks', async () => {
  const { credential } = await shownCredential({
    credential_type: 'org_validation',
    claims: { organisation_name: '東京 Łódź', statement: 'Long. '.repeat(80).trim() },
  });
  const { statusCode, headers, rawPayload } = await pdf(credential.id);
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('application/pdf');
  expect(headers['content-disposition']).toBe(`inline; filename="credential-${credential.id}.pdf"`);
  expect(rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  expect(rawPayload.toString('latin1')).toContain('/MarkInfo');
  expect(rawPayload.toString('latin1')).toContain('pdfuaid');
});

test('pages count against the rate limits of their reader', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const answers = [];
  for (let count = 0; count < 200; count++) answers.push((await limited.request('GET', '//verify/x')).status);
  expect(answers[0]).toBe(404);
  expect(answers.at(-1)).toBe(429);
});

function expectNothingShown(body: string): void {
  for (const words of ['craft', '90 %', 'Archetype', 'Kind of credential', 'Valid until'])
    expect(body).not.toContain(words);
}

function textOf(answer: { status?: number; body: unknown; statusCode?: number }) {
  return { status: answer.status ?? answer.statusCode, text: String(answer.body) };
}

/** WCAG 2.2, relative luminance and contrast ratio. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function readQr(text: string): string | undefined {
  const code = buildQrCode(text);
  const scale = 4;
  const size = (code.length + 2 * quiet_modules) * scale;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++)
      if (code[Math.floor(y / scale) - quiet_modules]?.[Math.floor(x / scale) - quiet_modules])
        pixels.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
  return (jsqr as unknown as typeof jsqr.default)(pixels, size, size)?.data;
}
