import { describe, expect, test } from 'vitest';
import { checkResponseForm } from './response-form.ts';
import { buildResponseXml, signXml } from '#test/modules/sso.ts';

/** Without the verifier behind it, so that each of its own checks is seen to hold. */
const service = { sp: 'https://tessera.example/sp', acs: 'https://tessera.example/acs' };
const now = new Date('2026-03-02T09:00:00Z');
const said = { in_response_to: '_request', response_id: '_response', assertion_id: '_assertion' };
const whole = signXml(buildResponseXml(service, now, said), 'Response');
const part = signXml(buildResponseXml(service, now, said), 'Assertion');

test('it tells what the envelope says, and what is signed', () => {
  const envelope = {
    destination: service.acs,
    in_response_to: '_request',
    issuer: 'https://idp.harbour.example/metadata',
  };
  expect(checkResponseForm(whole)).toEqual({ ...envelope, signs: { response: true, assertion: false } });
  expect(checkResponseForm(part)).toEqual({ ...envelope, signs: { response: false, assertion: true } });
  expect(checkResponseForm(signXml(part, 'Response')).signs).toEqual({ response: true, assertion: true });
});

describe('it refuses', () => {
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['an id twice', part.replace('<samlp:Status>', '<samlp:Status ID="_assertion">'), /id stands twice/],
    [
      'an id twice, in another case',
      part.replace('<samlp:Status>', '<samlp:Status id="_response">'),
      /id stands twice/,
    ],
    [
      'an id twice, as xml:id',
      part.replace('<samlp:Status>', '<samlp:Status xml:id="_assertion">'),
      /id stands twice/,
    ],
    [
      'a stranger in the response',
      part.replace('<samlp:Status>', '<samlp:Other/><samlp:Status>'),
      /does not belong/,
    ],
    [
      'a stranger in the signature',
      part.replace('</ds:Signature>', '<ds:Object/></ds:Signature>'),
      /does not belong/,
    ],
    [
      'another order',
      part.replace('</samlp:Response>', '<saml:Issuer/></samlp:Response>'),
      /does not belong/,
    ],
    [
      'a signature under another namespace',
      part.replace('<samlp:StatusCode', '<Signature/><samlp:StatusCode'),
      /where none belongs/,
    ],
    [
      'an assertion under another namespace',
      part.replace('<samlp:StatusCode', '<Assertion/><samlp:StatusCode'),
      /not one assertion/,
    ],
    ['no assertion', part.replace(/<saml:Assertion[^]*<\/saml:Assertion>/, ''), /not one assertion/],
    [
      'an assertion elsewhere',
      part
        .replace('<saml:Assertion', '<x><saml:Assertion')
        .replace('</saml:Assertion>', '</saml:Assertion></x>'),
      /not where it belongs/,
    ],
    ['two statuses', part.replace('<samlp:Status>', '<samlp:Status/><samlp:Status>'), /not one status/],
    [
      'parameters of an algorithm',
      part.replace(
        /(<ds:SignatureMethod [^>]*)\/>/,
        '$1><ds:HMACOutputLength>1</ds:HMACOutputLength></ds:SignatureMethod>',
      ),
      /is not RSA/,
    ],
    [
      'a signature without a value',
      part.replace(/<ds:SignatureValue>[^<]*<\/ds:SignatureValue>/, ''),
      /where none belongs|not one/,
    ],
    [
      'a reference to the other one',
      part.replace('URI="#_assertion"', 'URI="#_response"'),
      /not over what it stands in/,
    ],
    [
      'another kind of message',
      part.replaceAll('samlp:Response', 'samlp:LogoutResponse'),
      /no Response where/,
    ],
    [
      'a response under another namespace',
      part.replace('oasis:names:tc:SAML:2.0:protocol', 'oasis:names:tc:SAML:1.0:protocol'),
      /no Response where/,
    ],
    [
      'more elements than the verifier reads in no time',
      part.replace('<saml:AttributeStatement>', `<saml:Advice>${'<a/>'.repeat(1_000)}</saml:Advice>$&`),
      /too many elements/,
    ],
    [
      'three transforms',
      part.replace(
        '<ds:Transforms>',
        '<ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>',
      ),
      /transforms what it signs/,
    ],
  ];

  test.each(refused)('%s', (_, xml, reason) => {
    expect(xml).not.toBe(part);
    expect(() => checkResponseForm(xml)).toThrow(reason);
  });
});
