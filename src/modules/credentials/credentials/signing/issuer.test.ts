import { expect, test } from 'vitest';
import { buildIssuer } from './issuer.ts';

test.each([
  ['https://tessera.example', 'did:web:tessera.example'],
  ['https://tessera.example:8443', 'did:web:tessera.example%3A8443'],
  ['https://xn--mnchen-3ya.example', 'did:web:xn--mnchen-3ya.example'],
  ['http://192.0.2.1:8420', 'did:web:192.0.2.1%3A8420'],
  ['http://[2001:db8::1]', 'did:web:%5B2001%3Adb8%3A%3A1%5D'],
  ['http://[::1]:8420', 'did:web:%5B%3A%3A1%5D%3A8420'],
])('%s is the did:web %s, which leads back to the same host', (url, did) => {
  const issuer = buildIssuer(url);
  expect(issuer.did).toBe(did);
  // DID Core 1.0, section 3.1: colons separate parts, and a part has letters, digits, `.`, `-`, `_` and percent-encoded octets.
  expect(did).toMatch(/^did:web:(?:[\w.-]|%[0-9A-F]{2})+$/);
  // did:web, section 3.2: a resolver decodes the one part and requests its host.
  expect(decodeURIComponent(issuer.did.slice('did:web:'.length))).toBe(new URL(url).host);
});
