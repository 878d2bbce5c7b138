import { bearerMethod, namespaces, parseSamlTime, type ParseTime } from './saml.ts';
import { SamlError } from './saml-error.ts';
import {
  findAttribute,
  listNamedChildren,
  listChildren,
  readXml,
  readText,
  XmlError,
  type XmlElement,
} from './xml.ts';

/** A time window; null means unlimited on that side. */
export type TimeWindow = { readonly not_before: Date | null; readonly not_on_or_after: Date | null };

/** A bearer confirmation: the conditions under which the presenter of the assertion counts as its subject. */
export type Confirmation = TimeWindow & {
  readonly recipient: string | undefined;
  readonly in_response_to: string | undefined;
};

/** The content of an assertion with a verified signature. */
export type Assertion = {
  readonly id: string;
  readonly issuer: string | undefined;
  readonly issued_at: Date;
  readonly conditions: TimeWindow;
  /** One list for each restriction; every restriction must name this service. */
  readonly audiences: readonly (readonly string[])[];
  /** Only those with the bearer method. */
  readonly confirmations: readonly Confirmation[];
  /** For each authentication statement, when its session ends, or null if it does not say. */
  readonly session_ends: readonly (Date | null)[];
  readonly name_id: string | undefined;
  /** The values by attribute name; a value that is not plain text is null. */
  readonly attributes: ReadonlyMap<string, readonly (string | null)[]>;
};

const knownConditions: ReadonlySet<string> = new Set([
  'AudienceRestriction',
  'OneTimeUse',
  'ProxyRestriction',
]);

/**
 * Reads an assertion from exactly the text whose signature was verified.
 *
 * @throws SamlError `refused`.
 */
export function readAssertion(verified: string, parseTime: ParseTime): Assertion {
  const assertion = parseXml(verified);
  if (assertion.name !== 'Assertion' || assertion.namespace !== namespaces.assertion)
    throw new SamlError('refused', 'The signed element is not an assertion.');
  if (findAttribute(assertion, 'Version') !== '2.0')
    throw new SamlError('refused', 'The version of the assertion is not SAML 2.0.');
  const subject = requireChild(assertion, 'Subject');
  const conditions = requireChild(assertion, 'Conditions');
  // SAML core section 2.5.1: a condition that is not understood makes the assertion unusable.
  if (
    listChildren(conditions).some(
      ({ name, namespace }) => !knownConditions.has(name) || namespace !== namespaces.assertion,
    )
  )
    throw new SamlError('refused', 'The assertion has an unknown condition.');
  return {
    id: readId(assertion),
    issuer: readChildText(assertion, 'Issuer'),
    issued_at: readTime(findAttribute(assertion, 'IssueInstant'), parseTime) ?? refuseMissing('issue time'),
    conditions: readWindow(conditions, parseTime),
    audiences: listAssertionChildren(conditions, 'AudienceRestriction').map((restriction) =>
      listAssertionChildren(restriction, 'Audience').map((audience) => readText(audience) ?? ''),
    ),
    confirmations: listAssertionChildren(subject, 'SubjectConfirmation')
      .filter((confirmation) => findAttribute(confirmation, 'Method') === bearerMethod)
      .flatMap((confirmation) => listAssertionChildren(confirmation, 'SubjectConfirmationData'))
      .map((data) => ({
        ...readWindow(data, parseTime),
        recipient: findAttribute(data, 'Recipient'),
        in_response_to: findAttribute(data, 'InResponseTo'),
      })),
    session_ends: listAssertionChildren(assertion, 'AuthnStatement').map((statement) =>
      readTime(findAttribute(statement, 'SessionNotOnOrAfter'), parseTime),
    ),
    name_id: readChildText(subject, 'NameID'),
    attributes: readAttributes(assertion),
  };
}

function parseXml(verified: string): XmlElement {
  try {
    return readXml(verified);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new SamlError('refused', `The assertion ${error.message}.`);
  }
}

function listAssertionChildren(element: XmlElement, name: string): readonly XmlElement[] {
  return listNamedChildren(element, namespaces.assertion, name);
}

function requireChild(element: XmlElement, name: string): XmlElement {
  const [child, ...others] = listAssertionChildren(element, name);
  if (child === undefined || others.length > 0)
    throw new SamlError('refused', `The assertion must have exactly one ${name}.`);
  return child;
}

function readChildText(element: XmlElement, name: string): string | undefined {
  const [child, ...others] = listAssertionChildren(element, name);
  if (others.length > 0) throw new SamlError('refused', `The assertion must not have more than one ${name}.`);
  return child && readText(child);
}

function refuseMissing(what: string): never {
  throw new SamlError('refused', `The assertion has no ${what}.`);
}

/** The id is required, because it is what prevents a second use of the assertion. */
function readId(assertion: XmlElement): string {
  const id = findAttribute(assertion, 'ID') ?? '';
  return /^[A-Za-z_][\w.-]{0,255}$/.test(id) ? id : refuseMissing('id');
}

function readWindow(element: XmlElement, parseTime: ParseTime): TimeWindow {
  return {
    not_before: readTime(findAttribute(element, 'NotBefore'), parseTime),
    not_on_or_after: readTime(findAttribute(element, 'NotOnOrAfter'), parseTime),
  };
}

function readTime(text: string | undefined, parseTime: ParseTime): Date | null {
  if (text === undefined) return null;
  const time = parseSamlTime(text, parseTime);
  if (time === undefined) throw new SamlError('refused', 'The assertion has an invalid time.');
  return time;
}

function readAttributes(assertion: XmlElement): ReadonlyMap<string, readonly (string | null)[]> {
  const attributes = new Map<string, readonly (string | null)[]>();
  for (const statement of listAssertionChildren(assertion, 'AttributeStatement')) {
    for (const attribute of listAssertionChildren(statement, 'Attribute')) {
      const name = findAttribute(attribute, 'Name') ?? refuseMissing('name for an attribute');
      const values = listAssertionChildren(attribute, 'AttributeValue').map(
        (value) => readText(value) ?? null,
      );
      attributes.set(name, [...(attributes.get(name) ?? []), ...values]);
    }
  }
  return attributes;
}
