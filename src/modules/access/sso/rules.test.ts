import type { Assertion, Envelope } from '@tessera/saml';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  computeDaysLeft,
  checkLogin,
  relayStatePattern,
  buildServiceProvider,
  hasSsoTier,
  type Configuration,
} from './rules.ts';

const relayState = new RegExp(relayStatePattern);

test('an accepted RelayState never leads a browser to another origin', () => {
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

test.each(['', '/', '/a/b', '/a/b/', '/?a=b&c=%2F#d', '/~user/a.b-c_d'])('accepts the path %j', (text) => {
  expect(relayState.test(text)).toBe(true);
});

test.each(['/a//b', '/.', '/..', '/./', '/.//b', '/a/../b', '/..?a', '/a/.#b'])(
  'rejects the path %j, which a proxy could normalise into another one',
  (text) => {
    expect(relayState.test(text)).toBe(false);
  },
);

test('single sign-on requires tier E3 Operator or above', () => {
  const tiers = ['E1 Explorer', 'E2 Builder', 'E3 Operator', 'partner'] as const;
  expect(tiers.map(hasSsoTier)).toEqual([false, false, true, true]);
});

test('each organisation has its own audience and addresses', () => {
  const listValues = (org_id: string) =>
    Object.values(buildServiceProvider('https://tessera.example', org_id));
  const ofOther = new Set(listValues('2'));
  expect(listValues('1').filter((value) => ofOther.has(value))).toEqual([]);
});

test('computes whole days, and never less than zero', () => {
  const now = new Date('2026-03-02T09:00:00Z');
  const addHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  expect([-100, 0, 23, 24, 47, 48].map((hours) => computeDaysLeft(addHours(hours), now))).toEqual([
    0, 0, 0, 1, 1, 2,
  ]);
});

describe('a verified assertion', () => {
  const now = new Date('2026-03-02T09:00:00Z');
  const service = buildServiceProvider('https://tessera.example', '1');
  const addSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
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
    provider_changed_at: null,
  };
  const confirmation = {
    not_before: null,
    not_on_or_after: addSeconds(300),
    recipient: service.acs_url,
    in_response_to: '_1',
  };
  const assertion: Assertion = {
    id: '_a',
    issuer: 'urn:idp',
    issued_at: now,
    conditions: { not_before: addSeconds(-60), not_on_or_after: addSeconds(300) },
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
  const check = (changes: Partial<Assertion> = {}, envelopeChanges: Partial<Envelope> = {}, at = now) =>
    checkLogin(
      { ...assertion, ...changes },
      { ...envelope, ...envelopeChanges },
      { configuration, service, now: at },
    );

  test('proves who logs in, and says until when its id must be stored', () => {
    expect(check()).toEqual({
      email: 'ada@harbour.example',
      assertion_id: '_a',
      assertion_expires_at: addSeconds(660),
      in_response_to: '_1',
    });
  });

  test('is accepted if one of several confirmations is valid', () => {
    const others = [
      { ...confirmation, recipient: 'https://other.example/' },
      { ...confirmation, not_on_or_after: addSeconds(-600) },
      { ...confirmation, not_on_or_after: null },
    ];
    expect(check({ confirmations: [...others, confirmation] }).assertion_id).toBe('_a');
    expect(() => check({ confirmations: others })).toThrow('recipient');
  });

  const wrong: readonly (readonly [string, Partial<Assertion>, Partial<Envelope>, RegExp])[] = [
    ['without an audience', { audiences: [] }, {}, /audience/],
    ['for another audience', { audiences: [['urn:other']] }, {}, /audience/],
    [
      'for this service in only one of two restrictions',
      { audiences: [[service.sp_entity_id], ['urn:other']] },
      {},
      /audience/,
    ],
    ['of another issuer', { issuer: 'urn:evil' }, {}, /issuer/],
    ['without an issuer', { issuer: undefined }, {}, /issuer/],
    ['in a response of another issuer', {}, { issuer: 'urn:evil' }, /issuer/],
    ['in a response for another destination', {}, { destination: 'https://other.example/' }, /destination/],
    ['without a confirmation', { confirmations: [] }, {}, /bearer/],
    [
      'without a request',
      { confirmations: [{ ...confirmation, in_response_to: undefined }] },
      { in_response_to: undefined },
      /start at this service/,
    ],
    ['in a response to another request', {}, { in_response_to: '_2' }, /different requests/],
    ['without an email address', { attributes: new Map() }, {}, /email/],
    [
      'with two email addresses',
      { attributes: new Map([['email', ['a@harbour.example', 'b@harbour.example']]]) },
      {},
      /email/,
    ],
    ['with elements in the email address', { attributes: new Map([['email', [null]]]) }, {}, /email/],
  ];

  test.each(wrong)('%s is refused', (_, changes, envelopeChanges, reason) => {
    expect(() => check(changes, envelopeChanges)).toThrow(reason);
  });

  test('is valid in its time window and one minute on either side, and at no other time', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3_600, max: 3_600 }), (seconds) => {
        const isValid = seconds >= -60 && seconds < 360;
        const attempt = () => check({}, {}, addSeconds(seconds));
        expect(readOutcome(attempt)).toBe(isValid ? 'ada@harbour.example' : 'refused');
      }),
    );
  });

  test('is refused ten minutes after its issue, even if it is valid for longer', () => {
    const long = { not_before: null, not_on_or_after: addSeconds(1e6) };
    const changes = { conditions: long, confirmations: [{ ...confirmation, ...long }] };
    expect(readOutcome(() => check(changes, {}, addSeconds(659)))).toBe('ada@harbour.example');
    expect(readOutcome(() => check(changes, {}, addSeconds(660)))).toBe('refused');
  });
});

function readOutcome(attempt: () => { readonly email: string }): string {
  try {
    return attempt().email;
  } catch {
    return 'refused';
  }
}
