import { Refusal } from '#lib/refusal.ts';
import {
  digestMethods,
  envelopedSignature,
  exclusiveCanonicalisation,
  namespaces,
  signatureMethods,
  successStatus,
} from './saml.ts';
import {
  findAttribute,
  listNamedChildren,
  listChildren,
  listElements,
  readXml,
  readText,
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
export function createMalformedRefusal(detail: string): Refusal {
  return new Refusal('sso_response_malformed', { detail });
}

/** A response that can be read, and proves nothing. */
export function createResponseRefusal(detail: string): Refusal {
  return new Refusal('sso_response_refused', { detail });
}

/**
 * Lets through only responses of one form: one assertion in its place, signatures in theirs and of the kinds that we take. All that
 * signature wrapping needs (a second assertion, a signature elsewhere, an id twice, a transform, an object) is refused before any key
 * is tried. It says nothing about whether the signatures are right.
 *
 * @throws Refusal `sso_response_malformed`, `sso_response_refused`.
 */
export function checkResponseForm(xml: string): Envelope {
  const response = parseXml(xml);
  const everything = listElements(response);
  requireElement(response, 'protocol', 'Response');
  if (findAttribute(response, 'Version') !== '2.0')
    throw createMalformedRefusal('The version is not SAML 2.0.');
  requireSuccess(response);
  const assertion = requireOnlyAssertion(response, everything);
  requireOrder(response, responseOrder);
  requireDistinctIds(everything);
  const [issuer] = listNamedChildren(response, namespaces.assertion, 'Issuer');
  return {
    destination: findAttribute(response, 'Destination'),
    in_response_to: findAttribute(response, 'InResponseTo'),
    issuer: issuer && readText(issuer),
    signs: requireSignatures(response, assertion, everything),
  };
}

function parseXml(xml: string): XmlElement {
  try {
    return readXml(xml, { nodes_max: response_nodes_max });
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw createMalformedRefusal(`The response ${error.message}.`);
  }
}

function requireElement(element: XmlElement, of: keyof typeof namespaces, name: string): void {
  if (element.name !== name || element.namespace !== namespaces[of])
    throw createMalformedRefusal(`There is no ${name} where it belongs.`);
}

function requireSuccess(response: XmlElement): void {
  const statuses = listNamedChildren(response, namespaces.protocol, 'Status');
  const codes = statuses.flatMap((status) => listNamedChildren(status, namespaces.protocol, 'StatusCode'));
  if (statuses.length !== 1 || codes.length !== 1) throw createMalformedRefusal('There is not one status.');
  if (findAttribute(codes[0]!, 'Value') === successStatus) return;
  // The rest is for people: only what looks like a code of the standard is repeated.
  const told = listElements(codes[0]!).flatMap(
    (code) => /:([A-Za-z]{1,50})$/.exec(findAttribute(code, 'Value') ?? '')?.[1] ?? [],
  );
  throw createResponseRefusal(
    `The identity provider did not sign anybody in: ${told.slice(0, 2).join(', ') || 'no reason given'}.`,
  );
}

function requireOnlyAssertion(response: XmlElement, everything: readonly XmlElement[]): XmlElement {
  if (everything.some(({ name }) => name.startsWith('Encrypted')))
    throw createResponseRefusal('Encrypted assertions are not taken: let them be signed, and not encrypted.');
  if (everything.filter(({ name }) => name === 'Assertion').length !== 1)
    throw createResponseRefusal('There is not one assertion.');
  const [assertion] = listNamedChildren(response, namespaces.assertion, 'Assertion');
  if (!assertion) throw createResponseRefusal('The assertion is not where it belongs.');
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
  for (const child of listChildren(element)) {
    const place = order.findIndex(([of, name]) => child.name === name && child.namespace === namespaces[of]);
    if (place < next)
      throw createResponseRefusal(`There is something in the ${element.name} that does not belong there.`);
    next = place + 1;
  }
}

/** Every spelling of an id that a signature's reference might be resolved by. */
function requireDistinctIds(everything: readonly XmlElement[]): void {
  const ids = everything.flatMap(({ attributes }) =>
    attributes.filter(({ name }) => name.toLowerCase() === 'id').map(({ value }) => value),
  );
  if (new Set(ids).size < ids.length) throw createResponseRefusal('An id stands twice.');
}

function requireSignatures(
  response: XmlElement,
  assertion: XmlElement,
  everything: readonly XmlElement[],
): Envelope['signs'] {
  const listSignatures = (element: XmlElement) =>
    listNamedChildren(element, namespaces.signature, 'Signature');
  const [ofResponse, ofAssertion] = [listSignatures(response), listSignatures(assertion)];
  const inPlace = ofResponse.length + ofAssertion.length;
  if (inPlace === 0) throw createResponseRefusal('Neither the response nor the assertion is signed.');
  for (const name of ['Signature', 'SignedInfo', 'SignatureValue', 'Reference'])
    if (everything.filter((each) => each.name === name).length !== inPlace)
      throw createResponseRefusal('There is a signature, or a part of one, where none belongs.');
  if (ofResponse.length > 1 || ofAssertion.length > 1)
    throw createResponseRefusal('There is more than one signature over the same.');
  for (const signature of ofResponse) requireAcceptedSignature(signature, response);
  for (const signature of ofAssertion) requireAcceptedSignature(signature, assertion);
  return { response: ofResponse.length === 1, assertion: ofAssertion.length === 1 };
}

function requireAcceptedSignature(signature: XmlElement, signed: XmlElement): void {
  requireOrder(signature, signatureOrder);
  const info = requireSignatureChild(signature, 'SignedInfo');
  requireOrder(info, signedInfoOrder);
  requireSignatureChild(signature, 'SignatureValue');
  const reference = requireSignatureChild(info, 'Reference');
  requireOrder(reference, referenceOrder);
  const id = findAttribute(signed, 'ID');
  if (
    id === undefined ||
    !/^[A-Za-z_][\w.-]{0,255}$/.test(id) ||
    findAttribute(reference, 'URI') !== `#${id}`
  )
    throw createResponseRefusal('A signature is not over what it stands in.');
  const readAlgorithm = (element: XmlElement) => findAttribute(element, 'Algorithm') ?? '';
  const method = requireSignatureChild(info, 'SignatureMethod');
  const digest = requireSignatureChild(reference, 'DigestMethod');
  const taken =
    readAlgorithm(requireSignatureChild(info, 'CanonicalizationMethod')) === exclusiveCanonicalisation &&
    signatureMethods.has(readAlgorithm(method)) &&
    digestMethods.has(readAlgorithm(digest)) &&
    listChildren(method).length + listChildren(digest).length === 0;
  if (!taken)
    throw createResponseRefusal(
      'A signature is not RSA with SHA-256 or SHA-512 over exclusive canonical XML.',
    );
  const transforms = listChildren(requireSignatureChild(reference, 'Transforms')).map(readAlgorithm);
  if (transforms.join(' ') !== `${envelopedSignature} ${exclusiveCanonicalisation}`)
    throw createResponseRefusal('A signature transforms what it signs.');
}

function requireSignatureChild(parent: XmlElement, name: string): XmlElement {
  const found = listNamedChildren(parent, namespaces.signature, name);
  if (found.length !== 1) throw createResponseRefusal(`A signature has not one ${name}.`);
  return found[0]!;
}
