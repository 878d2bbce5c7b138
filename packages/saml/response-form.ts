import {
  digestMethods,
  envelopedSignature,
  exclusiveCanonicalisation,
  namespaces,
  signatureMethods,
  successStatus,
} from './saml.ts';
import { SamlError } from './saml-error.ts';
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

/** The content of a response's envelope. It is not authenticated if only the assertion is signed. */
export type Envelope = {
  readonly destination: string | undefined;
  readonly in_response_to: string | undefined;
  /** Undefined if the response has none. */
  readonly issuer: string | undefined;
  readonly signs: { readonly response: boolean; readonly assertion: boolean };
};

/**
 * Elements and attributes. The signature library sorts all of them once for each configured certificate before it checks any signature:
 * with ten certificates, five thousand elements blocked the process for eight seconds.
 */
const response_nodes_max = 1_000;

/**
 * Checks that a response has the one accepted form: exactly one assertion and only signatures of accepted kinds, all in their places. This
 * refuses everything that signature wrapping needs (a second assertion, a misplaced signature, a duplicate id, a transform, an object)
 * before any key is used. It does not verify the signatures.
 *
 * @throws SamlError
 */
export function checkResponseForm(xml: string): Envelope {
  const response = parseXml(xml);
  const elements = listElements(response);
  requireElement(response, 'protocol', 'Response');
  if (findAttribute(response, 'Version') !== '2.0')
    throw new SamlError('malformed', 'The version of the response is not SAML 2.0.');
  requireSuccess(response);
  const assertion = requireOnlyAssertion(response, elements);
  requireOrder(response, responseOrder);
  requireDistinctIds(elements);
  const [issuer] = listNamedChildren(response, namespaces.assertion, 'Issuer');
  return {
    destination: findAttribute(response, 'Destination'),
    in_response_to: findAttribute(response, 'InResponseTo'),
    issuer: issuer && readText(issuer),
    signs: requireSignatures(response, assertion, elements),
  };
}

function parseXml(xml: string): XmlElement {
  try {
    return readXml(xml, { nodes_max: response_nodes_max });
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new SamlError('malformed', `The response ${error.message}.`);
  }
}

function requireElement(element: XmlElement, prefix: keyof typeof namespaces, name: string): void {
  if (element.name !== name || element.namespace !== namespaces[prefix])
    throw new SamlError('malformed', `The root element must be a SAML ${name}.`);
}

function requireSuccess(response: XmlElement): void {
  const statuses = listNamedChildren(response, namespaces.protocol, 'Status');
  const codes = statuses.flatMap((status) => listNamedChildren(status, namespaces.protocol, 'StatusCode'));
  const [code] = codes;
  if (statuses.length !== 1 || code === undefined || codes.length > 1)
    throw new SamlError('malformed', 'The response must have exactly one status.');
  if (findAttribute(code, 'Value') === successStatus) return;
  // Only values that look like status codes of the standard are repeated in the refusal.
  const reasons = listElements(code).flatMap(
    (each) => /:([A-Za-z]{1,50})$/.exec(findAttribute(each, 'Value') ?? '')?.[1] ?? [],
  );
  throw new SamlError(
    'refused',
    `The identity provider did not authenticate the user: ${reasons.slice(0, 2).join(', ') || 'no reason given'}.`,
  );
}

function requireOnlyAssertion(response: XmlElement, elements: readonly XmlElement[]): XmlElement {
  if (elements.some(({ name }) => name.startsWith('Encrypted')))
    throw new SamlError(
      'refused',
      'Encrypted assertions are not supported. Configure the identity provider to sign assertions and not to encrypt them.',
    );
  if (elements.filter(({ name }) => name === 'Assertion').length !== 1)
    throw new SamlError('refused', 'The response must have exactly one assertion.');
  const [assertion] = listNamedChildren(response, namespaces.assertion, 'Assertion');
  if (!assertion) throw new SamlError('refused', 'The assertion is misplaced.');
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

/** Checks that the children are among these, each at most once, in this order. */
function requireOrder(element: XmlElement, order: Order): void {
  let next = 0;
  for (const child of listChildren(element)) {
    const place = order.findIndex(
      ([prefix, name]) => child.name === name && child.namespace === namespaces[prefix],
    );
    if (place < next)
      throw new SamlError('refused', `The ${element.name} has an unexpected or misplaced child element.`);
    next = place + 1;
  }
}

/** Checks every spelling of an id attribute, because a signature's reference might be resolved by any of them. */
function requireDistinctIds(elements: readonly XmlElement[]): void {
  const ids = elements.flatMap(({ attributes }) =>
    attributes.filter(({ name }) => name.toLowerCase() === 'id').map(({ value }) => value),
  );
  if (new Set(ids).size < ids.length) throw new SamlError('refused', 'An id appears twice.');
}

function requireSignatures(
  response: XmlElement,
  assertion: XmlElement,
  elements: readonly XmlElement[],
): Envelope['signs'] {
  const listSignatures = (element: XmlElement) =>
    listNamedChildren(element, namespaces.signature, 'Signature');
  const [ofResponse, ofAssertion] = [listSignatures(response), listSignatures(assertion)];
  const count = ofResponse.length + ofAssertion.length;
  if (count === 0) throw new SamlError('refused', 'Neither the response nor the assertion is signed.');
  for (const name of ['Signature', 'SignedInfo', 'SignatureValue', 'Reference'])
    if (elements.filter((each) => each.name === name).length !== count)
      throw new SamlError('refused', 'A signature or a part of one is missing or misplaced.');
  if (ofResponse.length > 1 || ofAssertion.length > 1)
    throw new SamlError('refused', 'An element has more than one signature.');
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
    throw new SamlError('refused', 'A signature does not refer to the element that contains it.');
  const readAlgorithm = (element: XmlElement) => findAttribute(element, 'Algorithm') ?? '';
  const method = requireSignatureChild(info, 'SignatureMethod');
  const digest = requireSignatureChild(reference, 'DigestMethod');
  const isAccepted =
    readAlgorithm(requireSignatureChild(info, 'CanonicalizationMethod')) === exclusiveCanonicalisation &&
    signatureMethods.has(readAlgorithm(method)) &&
    digestMethods.has(readAlgorithm(digest)) &&
    listChildren(method).length + listChildren(digest).length === 0;
  if (!isAccepted)
    throw new SamlError(
      'refused',
      'A signature must use RSA with SHA-256 or SHA-512 and exclusive canonical XML.',
    );
  const transforms = listChildren(requireSignatureChild(reference, 'Transforms')).map(readAlgorithm);
  if (transforms.join(' ') !== `${envelopedSignature} ${exclusiveCanonicalisation}`)
    throw new SamlError(
      'refused',
      'A signature must use the transforms enveloped-signature and exclusive canonicalisation, and no others.',
    );
}

function requireSignatureChild(parent: XmlElement, name: string): XmlElement {
  const [child, ...others] = listNamedChildren(parent, namespaces.signature, name);
  if (child === undefined || others.length > 0)
    throw new SamlError('refused', `A signature must have exactly one ${name}.`);
  return child;
}
