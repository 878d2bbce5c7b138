import { namespaces, redirectBinding } from './saml.ts';
import {
  findAttribute,
  listNamedChildren,
  listElements,
  readXml,
  readText,
  XmlError,
  type XmlElement,
} from './xml.ts';

/** The description of an identity provider, with the unchecked texts of its metadata. */
export type IdpDescription = {
  readonly entity_id: string;
  readonly sso_url: string;
  readonly certificates: readonly string[];
};

/**
 * Reads the SAML metadata of one identity provider, or describes its fault. The signature of metadata is not checked, because the service
 * has no key to trust for it. The trust rests on the administrator who provides it, and on https.
 */
export function readIdpMetadata(xml: string, now: Date): IdpDescription | { readonly fault: string } {
  try {
    return describeIdp(readXml(xml.replace(/^\ufeff/, ''), { comments: 'skip' }), now);
  } catch (error) {
    if (error instanceof XmlError) return { fault: error.message };
    throw error;
  }
}

function describeIdp(root: XmlElement, now: Date): IdpDescription | { readonly fault: string } {
  const entities = listElements(root).filter((each) => isMetadataElement(each, 'EntityDescriptor'));
  const providers = entities.flatMap((entity) =>
    listNamedChildren(entity, namespaces.metadata, 'IDPSSODescriptor').map((role) => ({ entity, role })),
  );
  const [provider] = providers;
  if (provider === undefined || providers.length > 1)
    return { fault: `must describe exactly one identity provider, not ${providers.length}` };
  const { entity, role } = provider;
  if ([root, entity, role].some((each) => isExpired(findAttribute(each, 'validUntil'), now)))
    return { fault: 'must not have expired by its validUntil' };
  const entity_id = findAttribute(entity, 'entityID');
  const service = listNamedChildren(role, namespaces.metadata, 'SingleSignOnService').find(
    (each) => findAttribute(each, 'Binding') === redirectBinding,
  );
  const sso_url = service && findAttribute(service, 'Location');
  if (!entity_id) return { fault: 'must have an entityID' };
  if (!sso_url) return { fault: 'must have a SingleSignOnService with the HTTP-Redirect binding' };
  const certificates = listSigningCertificates(role);
  return certificates.length > 0
    ? { entity_id, sso_url, certificates }
    : { fault: 'must have a signing certificate' };
}

/** A key without `use` is for signing and for encryption. */
function listSigningCertificates(role: XmlElement): readonly string[] {
  const texts = listNamedChildren(role, namespaces.metadata, 'KeyDescriptor')
    .filter((key) => findAttribute(key, 'use') !== 'encryption')
    .flatMap((key) => listElements(key))
    .filter(({ name, namespace }) => name === 'X509Certificate' && namespace === namespaces.signature)
    .map((certificate) => (readText(certificate) ?? '').replace(/\s+/g, ''));
  return [...new Set(texts)];
}

function isMetadataElement({ name, namespace }: XmlElement, expected: string): boolean {
  return name === expected && namespace === namespaces.metadata;
}

function isExpired(valid_until: string | undefined, now: Date): boolean {
  return valid_until !== undefined && !(new Date(valid_until) > now);
}
