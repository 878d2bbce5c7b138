import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Assertion } from './saml/assertion.ts';
import type { Envelope } from './saml/response-form.ts';
import {
  computeDaysLeft,
  checkLogin,
  relayStatePattern,
  buildServiceProvider,
  hasSsoTier,
  type Configuration,
} from './rules.ts';

const relayState = new RegExp(relayStatePattern);

test('a RelayState that is taken never leaves the origin, whatever a browser makes of it', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    ':',
    '@',
    'evil.example',
    '\t',
    '\n',
    '%2f',
    '%5c',
    '?',
    '#',
    'a',
    '//',
    ' ',
    'javascript:',
    '\u0000',
    'é',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('', '/'), (pieces, start) => {
      const text = start + pieces.join('');
      if (!relayState.test(text)) return;
      expect(new URL(text, 'https://tessera.example/api/v1/auth/sso/1/acs').origin).toBe(
        'https://tessera.example',
      );
    }),
    { numRuns: 5_000 },
  );
});

test.each(['', '/', '/a/b', '/a/b/', '/?a=b&c=%2F#d', '/~user/a.b-c_d'])('a path is taken: %j', (text) => {
  expect(relayState.test(text)).toBe(true);
});

test.each(['/a//b', '/.', '/..', '/./', '/.//b', '/a/../b', '/..?a', '/a/.#b'])(
  'a path that others could tidy into another one is not: %j',
  (text) => {
    expect(relayState.test(text)).toBe(false);
  },
);

test('single sign-on begins at E3 Operator', () => {
  const tiers = ['E1 Explorer', 'E2 Builder', 'E3 Operator', 'partner'] as const;
  expect(tiers.map(hasSsoTier)).toEqual([false, false, true, true]);
});

test('each organisation has an audience of its own', () => {
  const [one, other] = ['1', '2'].map((org_id) => buildServiceProvider('https://tessera.example', org_id));
  for (const key of Object.keys(one!) as (keyof typeof one)[]) expect(one![key]).not.toBe(other![key]);
});

test('days are counted whole, and never below none', () => {
  const now = new Date('2026-03-02T09:00:00Z');
  const after = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  expect([-100, 0, 23, 24, 47, 48].map((hours) => computeDaysLeft(after(hours), now))).toEqual([
    0, 0, 0, 1, 1, 2,
  ]);
});

describe('a verified assertion', () => {
  const now = new Date('2026-03-02T09:00:00Z');
  const service = buildServiceProvider('https://tessera.example', '1');
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  const configuration: Configuration = {
    org_id: '1',
    enabled: true,
    idp_entity_id: 'urn:idp',
    idp_sso_url: 'https://idp.example/',
    idp_certificates: [],
    idp_metadata_url: null,
    email_attribute: 'email',
    name_attribute: null,
    email_domains: ['harbour.example'],
    default_role: 'org_viewer',
    allow_idp_initiated: false,
    created_at: now,
    updated_at: now,
  };
  const confirmation = {
    not_before: null,
    not_on_or_after: after(300),
    recipient: service.acs_url,
    in_response_to: '_1',
  };
  const assertion: Assertion = {
    id: '_a',
    issuer: 'urn:idp',
    issued_at: now,
    conditions: { not_before: after(-60), not_on_or_after: after(300) },
    audiences: [[service.sp_entity_id, 'urn:other']],
    confirmations: [confirmation],
    session_ends: [null],
    name_id: undefined,
    attributes: new Map([['email', ['Ada@Harbour.example']]]),
  };
  const envelope: Envelope = {
    destination: service.acs_url,
    in_response_to: '_1',
    issuer: 'urn:idp',
    signs: { response: true, assertion: false },
  };
  const proven = (changed: Partial<Assertion> = {}, around: Partial<Envelope> = {}, at = now) =>
    checkLogin({ ...assertion, ...changed }, { ...envelope, ...around }, { configuration, service, now: at });

  test('tells who signs in, and until when it must not be used again', () => {
    expect(proven()).toEqual({
      email: 'ada@harbour.example',
      assertion_id: '_a',
      assertion_expires_at: after(660),
      in_response_to: '_1',
    });
  });

  test('may confirm its bearer in several ways, of which one holds', () => {
    const others = [
      { ...confirmation, recipient: 'https://other.example/' },
      { ...confirmation, not_on_or_after: after(-600) },
      { ...confirmation, not_on_or_after: null },
    ];
    expect(proven({ confirmations: [...others, confirmation] }).assertion_id).toBe('_a');
    expect(() => proven({ confirmations: others })).toThrow('recipient');
  });

  const wrong: readonly (readonly [string, Partial<Assertion>, Partial<Envelope>, RegExp])[] = [
    ['for nobody in particular', { audiences: [] }, {}, /audience/],
    ['for somebody else', { audiences: [['urn:other']] }, {}, /audience/],
    [
      'for us only in one of two restrictions',
      { audiences: [[service.sp_entity_id], ['urn:other']] },
      {},
      /audience/,
    ],
    ['from somebody else', { issuer: 'urn:evil' }, {}, /issuer/],
    ['from nobody', { issuer: undefined }, {}, /issuer/],
    ['in somebody else’s response', {}, { issuer: 'urn:evil' }, /issuer/],
    ['sent elsewhere', {}, { destination: 'https://other.example/' }, /destination/],
    ['unconfirmed', { confirmations: [] }, {}, /bearer/],
    [
      'not asked for',
      { confirmations: [{ ...confirmation, in_response_to: undefined }] },
      { in_response_to: undefined },
      /started here/,
    ],
    ['of another request', {}, { in_response_to: '_2' }, /same request/],
    ['about nobody', { attributes: new Map() }, {}, /e-mail/],
    [
      'about two',
      { attributes: new Map([['email', ['a@harbour.example', 'b@harbour.example']]]) },
      {},
      /e-mail/,
    ],
    ['about something with elements in it', { attributes: new Map([['email', [null]]]) }, {}, /e-mail/],
  ];

  test.each(wrong)('%s proves nothing', (_, changed, around, reason) => {
    expect(() => proven(changed, around)).toThrow(reason);
  });

  test('holds in its window and a minute around it, and nowhere else', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3_600, max: 3_600 }), (seconds) => {
        const holds = seconds >= -60 && seconds < 360;
        const attempt = () => proven({}, {}, after(seconds));
        expect(outcome(attempt)).toBe(holds ? 'ada@harbour.example' : 'refused');
      }),
    );
  });

  test('is too old ten minutes after its issue, however long it says that it holds', () => {
    const long = { not_before: null, not_on_or_after: after(1e6) };
    const changed = { conditions: long, confirmations: [{ ...confirmation, ...long }] };
    expect(outcome(() => proven(changed, {}, after(659)))).toBe('ada@harbour.example');
    expect(outcome(() => proven(changed, {}, after(660)))).toBe('refused');
  });
});

function outcome(attempt: () => { readonly email: string }): string {
  try {
    return attempt().email;
  } catch {
    return 'refused';
  }
}
