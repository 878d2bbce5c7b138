import { isFields, VcApiError, type Fields } from './vc-api-error.ts';

/** The first context of every document that follows the Verifiable Credentials Data Model 2.0. */
export const v2_context = 'https://www.w3.org/ns/credentials/v2';

/**
 * Checks the shapes, identifiers and dates of a credential against the Verifiable Credentials Data Model 2.0, section 4, but not its
 * proof.
 *
 * @throws VcApiError that names the rule.
 */
export function checkCredential(credential: Fields): void {
  checkContext(credential);
  checkTypes(credential, 'VerifiableCredential');
  checkIdentifier(credential['id'], 'id');
  checkIssuer(credential['issuer']);
  checkSubjects(credential['credentialSubject']);
  checkPeriod(credential);
  checkTexts(credential, 'name');
  checkTexts(credential, 'description');
  for (const [name, needsId] of typedProperties) checkTypedProperty(credential, name, needsId);
  checkRelatedResources(credential['relatedResource']);
}

/** Checks a presentation in the same way (section 4.13), but not the credentials in it. @throws VcApiError */
export function checkPresentation(presentation: Fields): void {
  checkContext(presentation);
  checkTypes(presentation, 'VerifiablePresentation');
  checkIdentifier(presentation['id'], 'id');
  const { holder } = presentation;
  if (holder !== undefined) checkIdentifier(isFields(holder) ? holder['id'] : holder, 'holder', true);
  for (const each of toList(presentation['verifiableCredential']))
    requireCondition(isFields(each), 'verifiableCredential must contain objects');
}

/** The value or values of a property. */
export function toList(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** The identifier of an issuer or holder, which is either a text or an object with an id. */
export function readId(party: unknown): string | undefined {
  const id = isFields(party) ? party['id'] : party;
  return typeof id === 'string' ? id : undefined;
}

/** The properties whose values must have a type, and whether they must also have an id. */
const typedProperties: readonly (readonly [name: string, needsId: boolean])[] = [
  ['credentialStatus', false],
  ['credentialSchema', true],
  ['refreshService', false],
  ['termsOfUse', false],
  ['evidence', false],
  ['proof', false],
];

function requireCondition(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new VcApiError(rule);
}

function checkContext({ '@context': context }: Fields): void {
  requireCondition(
    Array.isArray(context) && context[0] === v2_context,
    `@context must be a list that begins with ${v2_context}`,
  );
  requireCondition(
    context.every((each) => isFields(each) || isUrl(each)),
    '@context must contain only URLs and objects',
  );
}

function checkTypes({ type }: Fields, wanted: string): void {
  const types = toList(type);
  requireCondition(
    types.length > 0 && types.every((each) => typeof each === 'string' && each !== ''),
    'type must contain one or more names',
  );
  requireCondition(types.includes(wanted), `type must include ${wanted}`);
}

function checkIssuer(issuer: unknown): void {
  requireCondition(issuer !== undefined && issuer !== null, 'issuer is missing');
  checkIdentifier(isFields(issuer) ? issuer['id'] : issuer, 'issuer', true);
  if (isFields(issuer)) {
    checkTexts(issuer, 'name');
    checkTexts(issuer, 'description');
  }
}

function checkSubjects(subject: unknown): void {
  const subjects = toList(subject);
  requireCondition(subjects.length > 0, 'credentialSubject is missing');
  for (const each of subjects) {
    requireCondition(
      isFields(each) && Object.keys(each).length > 0,
      'credentialSubject must contain a claim',
    );
    checkIdentifier(each['id'], 'credentialSubject.id');
  }
}

function checkIdentifier(id: unknown, name: string, required = false): void {
  if (id === undefined && !required) return;
  requireCondition(isUrl(id), `${name} must be a single URL`);
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(value) && URL.canParse(value);
}

/** XML Schema 1.1 part 2, dateTimeStamp: the time zone is required. */
const dateTimeStamp =
  /^-?\d{4,}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?|24:00:00(\.0+)?)(Z|[+-](0\d|1[0-3]):[0-5]\d|[+-]14:00)$/;

function checkPeriod({ validFrom, validUntil }: Fields): void {
  for (const time of [validFrom, validUntil])
    requireCondition(
      time === undefined || (typeof time === 'string' && dateTimeStamp.test(time)),
      'validFrom and validUntil must be dateTimeStamp values',
    );
  if (typeof validFrom === 'string' && typeof validUntil === 'string')
    requireCondition(
      Date.parse(validUntil) >= Date.parse(validFrom),
      'validUntil must not be before validFrom',
    );
}

const languageMembers = new Set(['@value', '@language', '@direction']);

/** Text, or one or more language value objects (section 11.1). */
function checkTexts(holder: Fields, name: string): void {
  for (const each of toList(holder[name])) {
    const isText = typeof each === 'string' || isLanguageValue(each);
    requireCondition(isText, `${name} must be text or language value objects`);
  }
}

function isLanguageValue(value: unknown): boolean {
  if (!isFields(value) || typeof value['@value'] !== 'string') return false;
  const { '@language': language, '@direction': direction } = value;
  return (
    Object.keys(value).every((name) => languageMembers.has(name)) &&
    (language === undefined ||
      (typeof language === 'string' && /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(language))) &&
    (direction === undefined || direction === 'ltr' || direction === 'rtl')
  );
}

function checkTypedProperty(credential: Fields, name: string, needsId: boolean): void {
  if (name in credential) requireCondition(credential[name] !== null, `${name} must be an object`);
  for (const each of toList(credential[name])) {
    requireCondition(isFields(each), `${name} must be an object`);
    requireCondition(
      toList(each['type']).length > 0 && toList(each['type']).every((type) => typeof type === 'string'),
      `${name} must have a type`,
    );
    checkIdentifier(each['id'], `${name}.id`, needsId);
  }
}

/** Section 5.3: each resource appears once and has a digest. */
function checkRelatedResources(resources: unknown): void {
  const seen = new Set<unknown>();
  for (const each of toList(resources)) {
    requireCondition(isFields(each), 'relatedResource must contain objects');
    checkIdentifier(each['id'], 'relatedResource.id', true);
    requireCondition(!seen.has(each['id']), 'relatedResource must name each resource once');
    seen.add(each['id']);
    requireCondition(
      typeof each['digestSRI'] === 'string' || typeof each['digestMultibase'] === 'string',
      'relatedResource must have a digest',
    );
  }
}
