import { readCertificate } from './certificates.ts';
import { namespaces, parseSamlTime, redirectBinding, type ParseTime } from './saml.ts';
import {
  findAttribute,
  listNamedChildren,
  listElements,
  readXml,
  readText,
  XmlError,
  type XmlElement,
} from './xml.ts';

/** The description of an identity provider. Its addresses are not checked. */
export type IdpDescription = {
  readonly entity_id: string;
  readonly sso_url: string;
  /** In metadata, those that can be used. */
  readonly certificates: readonly string[];
};

/** The current time, and how times are read. */
type Clock = { readonly now: Date; readonly parseTime: ParseTime };

/**
 * Reads the SAML metadata of one identity provider, or describes its fault. The signature of metadata is not checked, because the service
 * has no key to trust for it. The trust rests on the administrator who provides it, and on https.
 */
export function readIdpMetadata(xml: string, clock: Clock): IdpDescription | { readonly fault: string } {
  const kind = findOtherKind(xml.replace(/^[\s\ufeff]+/, ''));
  if (kind !== undefined) return { fault: `must be SAML metadata, and is ${kind}` };
  try {
    return describeIdp(readXml(xml, { form: 'lenient' }), clock);
  } catch (error) {
    if (error instanceof XmlError) return { fault: error.message };
    throw error;
  }
}

/** What an administrator often gives instead of metadata. */
function findOtherKind(text: string): string | undefined {
  if (text === '') return 'empty';
  if (/^<(?:!doctype\s+)?html\b/i.test(text)) return 'a web page';
  if (/^[{[]/.test(text)) return 'JSON, such as OpenID Connect providers publish';
  return text.startsWith('-----BEGIN ') ? 'a certificate or a key' : undefined;
}

function describeIdp(root: XmlElement, clock: Clock): IdpDescription | { readonly fault: string } {
  const entities = listElements(root).filter((each) => isMetadataElement(each, 'EntityDescriptor'));
  const providers = entities.flatMap((entity) =>
    listNamedChildren(entity, namespaces.metadata, 'IDPSSODescriptor').map((role) => ({ entity, role })),
  );
  const [provider] = providers;
  if (provider === undefined || providers.length > 1)
    return { fault: `must describe exactly one identity provider, not ${providers.length}` };
  const { entity, role } = provider;
  const expiry = findExpiryFault([root, entity, role], clock);
  if (expiry !== undefined) return { fault: expiry };
  const entity_id = findAttribute(entity, 'entityID')?.trim();
  const service = listNamedChildren(role, namespaces.metadata, 'SingleSignOnService').find(
    (each) => findAttribute(each, 'Binding') === redirectBinding,
  );
  const sso_url = service && findAttribute(service, 'Location')?.trim();
  if (!entity_id) return { fault: 'must have an entityID' };
  if (!sso_url) return { fault: 'must have a SingleSignOnService with the HTTP-Redirect binding' };
  const certificates = readSigningCertificates(role);
  return 'fault' in certificates ? certificates : { entity_id, sso_url, certificates: certificates.usable };
}

/**
 * Reads the certificates that can be used, once each. Providers list keys of other kinds, and remains of earlier ones, beside the one that they sign with.
 * A key without `use` is for signing and for encryption.
 */
function readSigningCertificates(
  role: XmlElement,
): { readonly usable: readonly string[] } | { readonly fault: string } {
  const read = listNamedChildren(role, namespaces.metadata, 'KeyDescriptor')
    .filter((key) => findAttribute(key, 'use') !== 'encryption')
    .flatMap((key) => listElements(key))
    .filter(({ name, namespace }) => name === 'X509Certificate' && namespace === namespaces.signature)
    .map((certificate) => readCertificate(readText(certificate) ?? ''));
  const usable = new Set(read.flatMap((each) => ('pem' in each ? [each.pem] : [])));
  if (usable.size > 0) return { usable: [...usable] };
  const faults = new Set(read.flatMap((each) => ('fault' in each ? [each.fault] : [])));
  const reason = faults.size > 0 ? `, which ${[...faults].join(' and ')}` : '';
  return { fault: `must have a signing certificate${reason}` };
}

function isMetadataElement({ name, namespace }: XmlElement, expected: string): boolean {
  return name === expected && namespace === namespaces.metadata;
}

function findExpiryFault(elements: readonly XmlElement[], { now, parseTime }: Clock): string | undefined {
  for (const element of elements) {
    const text = findAttribute(element, 'validUntil');
    if (text === undefined) continue;
    const until = parseSamlTime(text, parseTime);
    if (until === undefined) return 'must have a time as its validUntil';
    if (until <= now) return `must not have expired, as it did at ${until.toISOString()} by its validUntil`;
  }
  return undefined;
}
