import fc from 'fast-check';
import { expect, test } from 'vitest';
import { domain, idp, buildResponseXml, signXml } from '@tessera/saml/testing';
import { Refusal } from '#lib/refusal.ts';
import { checkLogin, buildServiceProvider, type Configuration } from '../rules.ts';
import { verifySamlResponse } from './verify-saml-response.ts';

const org_id = '5d6b2c39-6f0e-4c51-9a3c-0d3f6f4c7a11';
const service = buildServiceProvider('https://tessera.example', org_id);
const now = new Date('2026-03-02T09:00:00Z');
const configuration: Configuration = {
  org_id,
  enabled: true,
  idp_entity_id: idp.entity_id,
  idp_sso_url: idp.sso_url,
  idp_certificates: [idp.identity.certificate],
  idp_metadata_url: null,
  email_attribute: 'email',
  name_attribute: null,
  email_domains: [domain],
  default_role: 'org_viewer',
  allow_idp_initiated: false,
  created_at: now,
  updated_at: now,
  provider_changed_at: null,
};

const content = { in_response_to: '_request', email: `mallory@${domain}` };
const unsigned = buildResponseXml({ sp: service.sp_entity_id, acs: service.acs_url }, now, content);
const responses = [signXml(unsigned, 'Assertion'), signXml(unsigned, 'Response')];

/** Returns the address that a response logs in, or the code of its refusal. Other errors are thrown. */
async function readOutcome(xml: string): Promise<string> {
  try {
    const { assertion, envelope } = await verifySamlResponse(xml, configuration, service);
    return checkLogin(assertion, envelope, { configuration, service, now }).email;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** Lists the places where a document can be cut: around and inside tags. */
function listCuts(xml: string): readonly number[] {
  return [...xml.matchAll(/<|>|"| /g)].flatMap(({ index }) => [index, index + 1]);
}

const pieces = [
  `<saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>admin@${domain}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`,
  `<saml:Subject><saml:NameID>admin@${domain}</saml:NameID></saml:Subject>`,
  `admin@${domain}`,
  ' xmlns:saml="urn:x"',
  ' ID="_x"',
  '<!-- -->',
  '<a/>',
  '<a>',
  '</a>',
  '&#97;',
  '&',
  '"',
  ' ',
];

const change = fc.record({
  from: fc.nat(),
  length: fc.oneof(fc.constant(0), fc.nat({ max: 400 }), fc.nat({ max: 4_000 })),
  to: fc.nat(),
  piece: fc.option(fc.constantFrom(...pieces)),
  isCopy: fc.boolean(),
});

/** Moves or copies a part of a document, or inserts a piece. */
function changeXml(
  xml: string,
  { from, length, to, piece, isCopy }: typeof change extends fc.Arbitrary<infer T> ? T : never,
) {
  const places = listCuts(xml);
  const start = places[from % places.length]!;
  const end = places.find((place) => place >= start + length) ?? xml.length;
  const rest = isCopy ? xml : xml.slice(0, start) + xml.slice(end);
  const targets = listCuts(rest);
  const at = targets.length === 0 ? 0 : targets[to % targets.length]!;
  return rest.slice(0, at) + (piece ?? xml.slice(start, end)) + rest.slice(at);
}

test('an unaltered response logs in the address that it names', async () => {
  expect(await Promise.all(responses.map(readOutcome))).toEqual([content.email, content.email]);
});

test('an altered response logs in no other address and causes no other error', async () => {
  const expected = [content.email, 'sso_response_malformed', 'sso_response_refused'];
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...responses),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      async (xml, changes) => {
        const outcome = await readOutcome(changes.reduce(changeXml, xml));
        expect(expected).toContain(outcome);
        outcomes.add(outcome);
      },
    ),
    { numRuns: 1_500 },
  );
  expect(outcomes.size).toBe(3);
});
