import { describe, expect, test } from 'vitest';
import { checkResponseForm } from './response-form.ts';
import { buildResponseXml, signXml } from './testing.ts';

// These tests call the form check without the signature verification after it, so that each of its checks is tested alone.
const service = { sp: 'https://tessera.example/sp', acs: 'https://tessera.example/acs' };
const now = new Date('2026-03-02T09:00:00Z');
const content = { in_response_to: '_request', response_id: '_response', assertion_id: '_assertion' };
const signedResponse = signXml(buildResponseXml(service, now, content), 'Response');
const signedAssertion = signXml(buildResponseXml(service, now, content), 'Assertion');

test('returns the content of the envelope, and which elements are signed', () => {
  const envelope = {
    destination: service.acs,
    in_response_to: '_request',
    issuer: 'https://idp.harbour.example/metadata',
  };
  expect(checkResponseForm(signedResponse)).toEqual({
    ...envelope,
    signs: { response: true, assertion: false },
  });
  expect(checkResponseForm(signedAssertion)).toEqual({
    ...envelope,
    signs: { response: false, assertion: true },
  });
  expect(checkResponseForm(signXml(signedAssertion, 'Response')).signs).toEqual({
    response: true,
    assertion: true,
  });
});

describe('refuses', () => {
  const refused: readonly (readonly [string, string, RegExp])[] = [
    [
      'a duplicate id',
      signedAssertion.replace('<samlp:Status>', '<samlp:Status ID="_assertion">'),
      /id appears twice/,
    ],
    [
      'a duplicate id in lower case',
      signedAssertion.replace('<samlp:Status>', '<samlp:Status id="_response">'),
      /id appears twice/,
    ],
    [
      'a duplicate id as xml:id',
      signedAssertion.replace('<samlp:Status>', '<samlp:Status xml:id="_assertion">'),
      /id appears twice/,
    ],
    [
      'an unknown element in the response',
      signedAssertion.replace('<samlp:Status>', '<samlp:Other/><samlp:Status>'),
      /unexpected or misplaced child/,
    ],
    [
      'an unknown element in the signature',
      signedAssertion.replace('</ds:Signature>', '<ds:Object/></ds:Signature>'),
      /unexpected or misplaced child/,
    ],
    [
      'elements in another order',
      signedAssertion.replace('</samlp:Response>', '<saml:Issuer/></samlp:Response>'),
      /unexpected or misplaced child/,
    ],
    [
      'a signature under another namespace',
      signedAssertion.replace('<samlp:StatusCode', '<Signature/><samlp:StatusCode'),
      /missing or misplaced/,
    ],
    [
      'an assertion under another namespace',
      signedAssertion.replace('<samlp:StatusCode', '<Assertion/><samlp:StatusCode'),
      /exactly one assertion/,
    ],
    [
      'no assertion',
      signedAssertion.replace(/<saml:Assertion[^]*<\/saml:Assertion>/, ''),
      /exactly one assertion/,
    ],
    [
      'a misplaced assertion',
      signedAssertion
        .replace('<saml:Assertion', '<x><saml:Assertion')
        .replace('</saml:Assertion>', '</saml:Assertion></x>'),
      /assertion is misplaced/,
    ],
    [
      'two statuses',
      signedAssertion.replace('<samlp:Status>', '<samlp:Status/><samlp:Status>'),
      /exactly one status/,
    ],
    [
      'a signature algorithm with parameters',
      signedAssertion.replace(
        /(<ds:SignatureMethod [^>]*)\/>/,
        '$1><ds:HMACOutputLength>1</ds:HMACOutputLength></ds:SignatureMethod>',
      ),
      /must use RSA/,
    ],
    [
      'a signature without a value',
      signedAssertion.replace(/<ds:SignatureValue>[^<]*<\/ds:SignatureValue>/, ''),
      /missing or misplaced/,
    ],
    [
      'a reference to another element',
      signedAssertion.replace('URI="#_assertion"', 'URI="#_response"'),
      /does not refer to the element that contains it/,
    ],
    [
      'another kind of message',
      signedAssertion.replaceAll('samlp:Response', 'samlp:LogoutResponse'),
      /must be a SAML Response/,
    ],
    [
      'a response under another namespace',
      signedAssertion.replace('oasis:names:tc:SAML:2.0:protocol', 'oasis:names:tc:SAML:1.0:protocol'),
      /must be a SAML Response/,
    ],
    [
      'more elements than the signature library can process quickly',
      signedAssertion.replace(
        '<saml:AttributeStatement>',
        `<saml:Advice>${'<a/>'.repeat(1_000)}</saml:Advice>$&`,
      ),
      /too many elements/,
    ],
    [
      'three transforms',
      signedAssertion.replace(
        '<ds:Transforms>',
        '<ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>',
      ),
      /must use the transforms/,
    ],
  ];

  test.each(refused)('%s', (_, xml, reason) => {
    expect(xml).not.toBe(signedAssertion);
    expect(() => checkResponseForm(xml)).toThrow(reason);
  });
});
