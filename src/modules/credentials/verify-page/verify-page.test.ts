import { createHash } from 'node:crypto';
import jsqr from 'jsqr';
import { expect, test } from 'vitest';
import { buildQrCode, formatQrSvg, quiet_modules } from '@tessera/pdf/qr-code';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  createCredential,
  createOrgValidation,
  registerSharingMember,
  requestRevocation,
  setConsent,
  type IssuedCredential,
} from '#test/modules/credentials.ts';
import { readPdfText } from '#test/read-pdf-text.ts';
import { proves } from '#test/requirements.ts';
import { findMachineWords } from '#test/web/list-machine-words.ts';
import { colours } from './page-style.ts';

const app = await startApp();
const day_ms = 86_400_000;

const fetchPage = (id: string) => app.request('GET', `//verify/${id}`);
const fetchPdf = (id: string) => app.server.inject({ url: `/verify/${id}/pdf` });

async function createPublicCredential(overrides: Readonly<Record<string, unknown>> = {}) {
  const member = await registerSharingMember(app);
  const credential = await createCredential(app, member.token, overrides);
  await setVisibility(member.token, credential, 'public');
  return { member, credential };
}

async function createPublicValidation(claims: object) {
  const member = await registerSharingMember(app);
  const credential = await createOrgValidation(app, member.member_id, claims);
  await setVisibility(member.token, credential, 'public');
  return { member, credential };
}

const setVisibility = (token: string, { id }: IssuedCredential, visibility: 'public' | 'private') =>
  app.request('PUT', `/credentials/${id}/visibility`, { token, body: { visibility } });

test('the page says that a credential is valid and shows its content if the member shares it', async () => {
  proves(
    'credential-verify-by-id-endpoint-public',
    'credential-verify-by-id-checks-signature-expiry-revocation',
  );
  const { credential } = await createPublicValidation({ organisation_name: 'Harbour Health' });
  const { status, body, headers } = await fetchPage(credential.id);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  for (const words of [
    'class="verdict good"',
    'Genuine. Harbour Health says this.',
    'You can rely on',
    'The organisation Harbour Health.',
    '1 April 2026',
  ])
    expect(body).toContain(words);
  expect(body).not.toContain(credential.member_id);
});

test('an archetype that was stated before any measurement is shown as the word of the holder alone', async () => {
  const member = await registerSharingMember(app);
  await app.sql.run(sql`delete from trait_vectors where member_id = ${member.member_id}`);
  const credential = await createCredential(app, member.token, { claims: { archetype_family: 'craft' } });
  await setVisibility(member.token, credential, 'public');
  const { body } = await fetchPage(credential.id);
  expect(body).toContain('Not stated: the archetype is the word of the holder alone.');
});

test('a self-attested credential is genuine, self-declared, in amber, with its content shown or hidden', async () => {
  const { member, credential } = await createPublicCredential();
  const { body: shown } = await fetchPage(credential.id);
  for (const words of ['craft', '100% of the twenty traits', '1 April 2026']) expect(shown).toContain(words);
  const text = readPdfText((await fetchPdf(credential.id)).rawPayload);
  expect(text).toContain('You cannot rely on');
  expect(text).toContain('100% of the twenty traits');
  expect(findMachineWords(text)).toEqual([]);
  await setVisibility(member.token, credential, 'private');
  const { body: hidden } = await fetchPage(credential.id);
  expectNothingShown(hidden);
  for (const body of [shown, hidden]) {
    for (const words of [
      'class="verdict caution"',
      'Genuine, but only its holder says this.',
      'nobody has checked what it says',
      'Not checked: it is the holder’s own statement.',
    ])
      expect(body).toContain(words);
    for (const words of ['verdict good', credential.member_id]) expect(body).not.toContain(words);
  }
});

test('the page says that a private credential is valid and does not show its content', async () => {
  const { member_id } = await registerSharingMember(app);
  const credential = await createOrgValidation(app, member_id, { organisation_name: 'Harbour Health' });
  const { body } = await fetchPage(credential.id);
  expect(body).toContain('Genuine. An organisation says this.');
  expect(body).toContain('does not share its content');
  expect(body).toContain('Stated by an organisation');
  expect(body).not.toContain('Harbour Health');
  expectNothingShown(body);
});

test('the content is hidden as soon as the credential is private or consent is withdrawn', async () => {
  const { member, credential } = await createPublicCredential();
  await setVisibility(member.token, credential, 'private');
  expectNothingShown((await fetchPage(credential.id)).body);
  await setVisibility(member.token, credential, 'public');
  expect((await fetchPage(credential.id)).body).toContain('craft');
  await setConsent(app, member.token, 'credential_sharing', false);
  expectNothingShown((await fetchPage(credential.id)).body);
});

test('the page of a revoked credential shows neither its content nor the reason', async () => {
  const { member, credential } = await createPublicCredential();
  await requestRevocation(app, member.token, credential.id, { reason: 'a private matter' });
  const { status, body } = await fetchPage(credential.id);
  expect(status).toBe(200);
  expect(body).toContain('Revoked. Do not rely on it.');
  expect(body).not.toContain('a private matter');
  expectNothingShown(body);
});

test('the page of an expired credential shows its former content', async () => {
  const { credential } = await createPublicCredential({ expiry_days: 1 });
  app.clock.advance(2 * day_ms);
  const { body } = await fetchPage(credential.id);
  expect(body).toContain('Expired on 3 March 2026.');
  expect(body).toContain('What it said while it was valid');
});

test('a credential with an altered signature is not valid', async () => {
  const { credential } = await createPublicCredential();
  const { vc_jwt } = credential.formats;
  const altered = vc_jwt.slice(0, -10) + (vc_jwt.at(-10) === 'A' ? 'B' : 'A') + vc_jwt.slice(-9);
  await app.sql.run(sql`update credentials set vc_jwt = ${altered} where id = ${credential.id}`);
  const { body } = await fetchPage(credential.id);
  expect(body).toContain('Changed, or not issued by this service.');
  expectNothingShown(body);
});

test.each([unknownId, 'nonsense', "'; drop table credentials", '<script>alert(1)</script>'])(
  'the page and the PDF of an unknown number say that it was not found: %s',
  async (id) => {
    for (const reply of [await fetchPage(encodeURIComponent(id)), await fetchPdf(encodeURIComponent(id))].map(
      readReply,
    )) {
      expect(reply.status).toBe(404);
      expect(reply.text).toContain('No such credential.');
      expect(reply.text).not.toContain('<script');
      expect(reply.text).not.toContain('QR code');
    }
  },
);

test('an id in capital letters is accepted', async () => {
  const { credential } = await createPublicCredential();
  expect((await fetchPage(credential.id.toUpperCase())).body).toContain(
    'Genuine, but only its holder says this.',
  );
});

test('text by a member is escaped and cannot change the direction of the text around it', async () => {
  const { credential } = await createPublicValidation({
    organisation_name: '<img src=x onerror=alert(1)>"\'&',
    statement: 'not \u202e valid\u2066',
  });
  const { body } = await fetchPage(credential.id);
  expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
  expect(body).not.toMatch(/<img|[\u202a-\u202e\u2066-\u2069]/);
});

test('the page runs no script, loads nothing but its fonts, sends nothing, and cannot be framed, cached or indexed', async () => {
  const { credential } = await createPublicCredential();
  const { body, headers } = await fetchPage(credential.id);
  const style = /<style>([\s\S]*?)<\/style>/.exec(body as string)![1]!;
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
  );
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['set-cookie']).toBeUndefined();
  expect(body).toContain('<meta name="robots" content="noindex">');
  expect(body).not.toMatch(/<script|<img|<link|<iframe|<form| style=| on\w+=|@import/);
  const addresses = [...(body as string).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  const { publicUrl } = app.platform.config;
  expect(addresses.every((each) => each === '/verify' || each!.startsWith(`${publicUrl}/verify/`))).toBe(
    true,
  );
  const loaded = [...(body as string).matchAll(/url\('([^']*)'\)/g)].map(([, address]) => address);
  expect(loaded).toEqual(['/assets/marcellus.woff2', '/assets/figtree.woff2']);
});

test('the page has a language, one main element, ordered headings and a label for its QR code', async () => {
  const { credential } = await createPublicCredential();
  const body = (await fetchPage(credential.id)).body as string;
  expect(body).toMatch(/<html lang="en">/);
  expect(body.match(/<main[ >]/g)).toHaveLength(1);
  expect([...body.matchAll(/<h(\d)/g)].map(([, level]) => level)).toEqual(['1', '2', '2', '2', '2']);
  expect(body).toMatch(/<svg [^>]*role="img" aria-label="QR code with the address of this page"/);
});

test.each(Object.entries(colours))(
  'every colour of the %s page has a contrast of at least 7 to 1 on its background',
  (_, palette) => {
    const { paper, ...inks } = palette;
    const contrasts = Object.values(inks).map((ink) => computeContrast(ink, paper));
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(7);
  },
);

test('an independent decoder reads the URL of the page from its QR code', async () => {
  const { credential } = await createPublicCredential();
  const address = `${app.platform.config.publicUrl}/verify/${credential.id}`;
  expect((await fetchPage(credential.id)).body).toContain(
    formatQrSvg(buildQrCode(address), 'QR code with the address of this page'),
  );
  expect(readQr(address)).toBe(address);
});

test('the PDF is named after the credential and tagged for screen readers', async () => {
  const { credential } = await createPublicValidation({
    organisation_name: '東京 Łódź',
    statement: 'Long. '.repeat(80).trim(),
  });
  const { statusCode, headers, rawPayload } = await fetchPdf(credential.id);
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('application/pdf');
  expect(headers['content-disposition']).toBe(`inline; filename="credential-${credential.id}.pdf"`);
  expect(rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  const content = rawPayload.toString('latin1');
  for (const mark of ['/Marked true', '/StructTreeRoot', '/DisplayDocTitle true', 'pdfuaid'])
    expect(content).toContain(mark);
});

test('requests for pages count towards the rate limit', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const statuses = [];
  for (let count = 0; count < 200; count++)
    statuses.push((await limited.request('GET', '//verify/x')).status);
  expect(statuses[0]).toBe(404);
  expect(statuses.at(-1)).toBe(429);
});

function expectNothingShown(body: string): void {
  for (const words of ['craft', '90%', 'Archetype', 'Type of credential', 'Valid until'])
    expect(body).not.toContain(words);
}

function readReply(reply: { status?: number; body: unknown; statusCode?: number }) {
  return { status: reply.status ?? reply.statusCode, text: String(reply.body) };
}

/** WCAG 2.2, relative luminance and contrast ratio. */
function computeContrast(one: string, other: string): number {
  const [light, dark] = [computeLuminance(one), computeLuminance(other)].toSorted((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

function computeLuminance(colour: string): number {
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
  // At run time the default import is the function itself, which the package's types do not say.
  return (jsqr as unknown as typeof jsqr.default)(pixels, size, size)?.data;
}
