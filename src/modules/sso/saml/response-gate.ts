import { Refusal } from '#lib/refusal.ts';
import {
  digestMethods,
  envelopedSignature,
  exclusiveCanonicalisation,
  namespaces,
  signatureMethods,
  success,
} from './saml.ts';
import {
  attributeOf,
  childrenNamed,
  childrenOf,
  elementsOf,
  readXml,
  textOf,
  XmlError,
  type XmlElement,
} from './xml.ts';

/** What the envelope of a response says. Where only the assertion is signed, nobody vouches for it. */
export type Envelope = {
  readonly destination: string | undefined;
  readonly in_response_to: string | undefined;
  /** Undefined where the response does not name one. */
  readonly issuer: string | undefined;
  readonly signs: { readonly response: boolean; readonly assertion: boolean };
};

export const response_bytes_max = 128 * 1024;

/**
 * Elements and attributes. The library that checks signatures sorts them all, once for every configured certificate, before it knows
 * whether anybody signed: with ten certificates, five thousand elements held the process for eight seconds.
 */
const response_nodes_max = 1_000;

/** A response that is not as SAML has it. */
export function malformed(detail: string): Refusal {
  return new Refusal('sso_response_malformed', { detail });
}

/** A response that can be read, and proves nothing. */
export function refused(detail: string): Refusal {
  return new Refusal('sso_response_refused', { detail });
}

/**
 * Lets through only responses of one form: one assertion in its place, signatures in theirs and of the kinds that we take. All that
 * signature wrapping needs (a second assertion, a signature elsewhere, an id twice, a transform, an object) is refused before any key
 * is tried. It says nothing about whether the signatures are right.
 *
 * @throws Refusal `sso_response_malformed`, `sso_response_refused`.
 */
export function gateResponse(xml: string): Envelope {
  const response = read(xml);
  const everything = elementsOf(response);
  requireKind(response, 'protocol', 'Response');
  if (attributeOf(response, 'Version') !== '2.0') throw malformed('The version is not SAML 2.0.');
  requireSuccess(response);
  const assertion = onlyAssertion(response, everything);
  requireOrder(response, responseOrder);
  requireDistinctIds(everything);
  const [issuer] = childrenNamed(response, namespaces.assertion, 'Issuer');
  return {
    destination: attributeOf(response, 'Destination'),
    in_response_to: attributeOf(response, 'InResponseTo'),
    issuer: issuer && textOf(issuer),
    signs: requireSignatures(response, assertion, everything),
  };
}

function read(xml: string): XmlElement {
  try {
    return readXml(xml, { nodes_max: response_nodes_max });
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw malformed(`The response ${error.message}.`);
  }
}

function requireKind(element: XmlElement, of: keyof typeof namespaces, name: string): void {
  if (element.name !== name || element.namespace !== namespaces[of])
    throw malformed(`There is no ${name} where it belongs.`);
}

function requireSuccess(response: XmlElement): void {
  const statuses = childrenNamed(response, namespaces.protocol, 'Status');
  const codes = statuses.flatMap((status) => childrenNamed(status, namespaces.protocol, 'StatusCode'));
  if (statuses.length !== 1 || codes.length !== 1) throw malformed('There is not one status.');
  if (attributeOf(codes[0]!, 'Value') === success) return;
  // The rest is for people: only what looks like a code of the standard is repeated.
  const told = elementsOf(codes[0]!).flatMap(
    (code) => /:([A-Za-z]{1,50})$/.exec(attributeOf(code, 'Value') ?? '')?.[1] ?? [],
  );
  throw refused(
    `The identity provider did not sign anybody in: ${told.slice(0, 2).join(', ') || 'no reason given'}.`,
  );
}

function onlyAssertion(response: XmlElement, everything: readonly XmlElement[]): XmlElement {
  if (everything.some(({ name }) => name.startsWith('Encrypted')))
    throw refused('Encrypted assertions are not taken: let them be signed, and not encrypted.');
  if (everything.filter(({ name }) => name === 'Assertion').length !== 1)
    throw refused('There is not one assertion.');
  const [assertion] = childrenNamed(response, namespaces.assertion, 'Assertion');
  if (!assertion) throw refused('The assertion is not where it belongs.');
  return assertion;
}

type Order = readonly (readonly [namespace: keyof typeof namespaces, name: string])[];

const responseOrder: Order = [
  ['assertion', 'Issuer'],
  ['signature', 'Signature'],
  ['protocol', 'Extensions'],
  ['protocol', 'Status'],
  ['assertion', 'Assertion'],
];
const signatureOrder: Order = [
  ['signature', 'SignedInfo'],
  ['signature', 'SignatureValue'],
  ['signature', 'KeyInfo'],
];
const signedInfoOrder: Order = [
  ['signature', 'CanonicalizationMethod'],
  ['signature', 'SignatureMethod'],
  ['signature', 'Reference'],
];
const referenceOrder: Order = [
  ['signature', 'Transforms'],
  ['signature', 'DigestMethod'],
  ['signature', 'DigestValue'],
];

/** The children are some of these, each once at most, in this order. */
function requireOrder(element: XmlElement, order: Order): void {
  let next = 0;
  for (const child of childrenOf(element)) {
    const place = order.findIndex(([of, name]) => child.name === name && child.namespace === namespaces[of]);
    if (place < next) throw refused(`There is something in the ${element.name} that does not belong there.`);
    next = place + 1;
  }
}

/** Every spelling of an id that a signature's reference might be resolved by. */
function requireDistinctIds(everything: readonly XmlElement[]): void {
  const ids = everything.flatMap(({ attributes }) =>
    attributes.filter(({ name }) => name.toLowerCase() === 'id').map(({ value }) => value),
  );
  if (new Set(ids).size < ids.length) throw refused('An id stands twice.');
}

function requireSignatures(
  response: XmlElement,
  assertion: XmlElement,
  everything: readonly XmlElement[],
): Envelope['signs'] {
  const over = (element: XmlElement) => childrenNamed(element, namespaces.signature, 'Signature');
  const [ofResponse, ofAssertion] = [over(response), over(assertion)];
  const inPlace = ofResponse.length + ofAssertion.length;
  if (inPlace === 0) throw refused('Neither the response nor the assertion is signed.');
  for (const name of ['Signature', 'SignedInfo', 'SignatureValue', 'Reference'])
    if (everything.filter((each) => each.name === name).length !== inPlace)
      throw refused('There is a signature, or a part of one, where none belongs.');
  if (ofResponse.length > 1 || ofAssertion.length > 1)
    throw refused('There is more than one signature over the same.');
  for (const signature of ofResponse) requireTakenSignature(signature, response);
  for (const signature of ofAssertion) requireTakenSignature(signature, assertion);
  return { response: ofResponse.length === 1, assertion: ofAssertion.length === 1 };
}

function requireTakenSignature(signature: XmlElement, signed: XmlElement): void {
  requireOrder(signature, signatureOrder);
  const info = only(signature, 'SignedInfo');
  requireOrder(info, signedInfoOrder);
  only(signature, 'SignatureValue');
  const reference = only(info, 'Reference');
  requireOrder(reference, referenceOrder);
  const id = attributeOf(signed, 'ID');
  if (id === undefined || !/^[A-Za-z_][\w.-]{0,255}$/.test(id) || attributeOf(reference, 'URI') !== `#${id}`)
    throw refused('A signature is not over what it stands in.');
  const algorithm = (element: XmlElement) => attributeOf(element, 'Algorithm') ?? '';
  const method = only(info, 'SignatureMethod');
  const digest = only(reference, 'DigestMethod');
  const taken =
    algorithm(only(info, 'CanonicalizationMethod')) === exclusiveCanonicalisation &&
    signatureMethods.has(algorithm(method)) &&
    digestMethods.has(algorithm(digest)) &&
    childrenOf(method).length + childrenOf(digest).length === 0;
  if (!taken) throw refused('A signature is not RSA with SHA-256 or SHA-512 over exclusive canonical XML.');
  const transforms = childrenOf(only(reference, 'Transforms')).map(algorithm);
  if (transforms.join(' ') !== `${envelopedSignature} ${exclusiveCanonicalisation}`)
    throw refused('A signature transforms what it signs.');
}

function only(parent: XmlElement, name: string): XmlElement {
  const found = childrenNamed(parent, namespaces.signature, name);
  if (found.length !== 1) throw refused(`A signature has not one ${name}.`);
  return found[0]!;
}
