import { refused } from './response-gate.ts';
import { bearer, namespaces } from './saml.ts';
import { attributeOf, childrenNamed, childrenOf, readXml, textOf, XmlError, type XmlElement } from './xml.ts';

/** A time window; null where a side is open. */
export type Window = { readonly not_before: Date | null; readonly not_on_or_after: Date | null };

/** One way in which whoever presents the assertion may be its subject. */
export type Confirmation = Window & {
  readonly recipient: string | undefined;
  readonly in_response_to: string | undefined;
};

/** What an assertion says whose signature has been verified. */
export type Assertion = {
  readonly id: string;
  readonly issuer: string | undefined;
  readonly issued_at: Date;
  readonly conditions: Window;
  /** Each restriction must name the reader. */
  readonly audiences: readonly (readonly string[])[];
  /** Only those of the kind bearer. */
  readonly confirmations: readonly Confirmation[];
  /** When the sessions of the statements end; null where one does not say. None: nobody was authenticated. */
  readonly session_ends: readonly (Date | null)[];
  readonly name_id: string | undefined;
  /** By name; a value that is no text is null. */
  readonly attributes: ReadonlyMap<string, readonly (string | null)[]>;
};

const knownConditions: ReadonlySet<string> = new Set([
  'AudienceRestriction',
  'OneTimeUse',
  'ProxyRestriction',
]);

/**
 * Reads a verified assertion from the very text that was verified.
 *
 * @throws Refusal `sso_response_refused`.
 */
export function readAssertion(verified: string): Assertion {
  const assertion = read(verified);
  if (assertion.name !== 'Assertion' || assertion.namespace !== namespaces.assertion)
    throw refused('What was signed is no assertion.');
  if (attributeOf(assertion, 'Version') !== '2.0') throw refused('The version is not SAML 2.0.');
  const subject = one(assertion, 'Subject');
  const conditions = one(assertion, 'Conditions');
  // SAML core section 2.5.1: a condition that is not understood makes the assertion unusable.
  if (
    childrenOf(conditions).some(
      ({ name, namespace }) => !knownConditions.has(name) || namespace !== namespaces.assertion,
    )
  )
    throw refused('The assertion has a condition of an unknown kind.');
  return {
    id: idOf(assertion),
    issuer: textIn(assertion, 'Issuer'),
    issued_at: time(attributeOf(assertion, 'IssueInstant')) ?? missing('time of issue'),
    conditions: windowOf(conditions),
    audiences: named(conditions, 'AudienceRestriction').map((restriction) =>
      named(restriction, 'Audience').map((audience) => textOf(audience) ?? ''),
    ),
    confirmations: named(subject, 'SubjectConfirmation')
      .filter((confirmation) => attributeOf(confirmation, 'Method') === bearer)
      .flatMap((confirmation) => named(confirmation, 'SubjectConfirmationData'))
      .map((data) => ({
        ...windowOf(data),
        recipient: attributeOf(data, 'Recipient'),
        in_response_to: attributeOf(data, 'InResponseTo'),
      })),
    session_ends: named(assertion, 'AuthnStatement').map((statement) =>
      time(attributeOf(statement, 'SessionNotOnOrAfter')),
    ),
    name_id: textIn(subject, 'NameID'),
    attributes: attributesOf(assertion),
  };
}

function read(verified: string): XmlElement {
  try {
    return readXml(verified);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw refused(`The assertion ${error.message}.`);
  }
}

function named(element: XmlElement, name: string): readonly XmlElement[] {
  return childrenNamed(element, namespaces.assertion, name);
}

function one(element: XmlElement, name: string): XmlElement {
  const found = named(element, name);
  if (found.length !== 1) throw refused(`The assertion has not one ${name}.`);
  return found[0]!;
}

function textIn(element: XmlElement, name: string): string | undefined {
  const found = named(element, name);
  if (found.length > 1) throw refused(`The assertion has more than one ${name}.`);
  return found[0] && textOf(found[0]);
}

function missing(what: string): never {
  throw refused(`The assertion has no ${what}.`);
}

/** Without one, nobody could tell that it was used before. */
function idOf(assertion: XmlElement): string {
  const id = attributeOf(assertion, 'ID') ?? '';
  return /^[A-Za-z_][\w.-]{0,255}$/.test(id) ? id : missing('id');
}

function windowOf(element: XmlElement): Window {
  return {
    not_before: time(attributeOf(element, 'NotBefore')),
    not_on_or_after: time(attributeOf(element, 'NotOnOrAfter')),
  };
}

/** SAML core section 1.3.3: times are in UTC. */
function time(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const date = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,12})?Z$/.test(text) || Number.isNaN(date.getTime()))
    throw refused('The assertion has a time that cannot be read.');
  return date;
}

function attributesOf(assertion: XmlElement): ReadonlyMap<string, readonly (string | null)[]> {
  const attributes = new Map<string, readonly (string | null)[]>();
  for (const statement of named(assertion, 'AttributeStatement')) {
    for (const attribute of named(statement, 'Attribute')) {
      const name = attributeOf(attribute, 'Name') ?? missing('name for an attribute');
      const values = named(attribute, 'AttributeValue').map((value) => textOf(value) ?? null);
      attributes.set(name, [...(attributes.get(name) ?? []), ...values]);
    }
  }
  return attributes;
}
