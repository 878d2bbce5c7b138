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

/** What an identity provider says of itself: unchecked texts, as they stand in its metadata. */
export type IdpDescription = {
  readonly entity_id: string;
  readonly sso_url: string;
  readonly certificates: readonly string[];
};

/**
 * Reads SAML metadata of one identity provider, or says what is wrong with it. Its signature is not checked: nothing vouches for whoever
 * signed it; what is believed is the administrator who names it, and https.
 */
export function readIdpMetadata(xml: string, now: Date): IdpDescription | { readonly fault: string } {
  try {
    return describeIdp(readXml(xml.replace(/^\ufeff/, ''), { remarks: 'skip' }), now);
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
    return { fault: `describes ${providers.length} identity providers where it must describe one` };
  const { entity, role } = provider;
  if ([root, entity, role].some((each) => isExpired(findAttribute(each, 'validUntil'), now)))
    return { fault: 'is out of date by its validUntil' };
  const entity_id = findAttribute(entity, 'entityID');
  const service = listNamedChildren(role, namespaces.metadata, 'SingleSignOnService').find(
    (each) => findAttribute(each, 'Binding') === redirectBinding,
  );
  const sso_url = service && findAttribute(service, 'Location');
  if (!entity_id) return { fault: 'has no entityID' };
  if (!sso_url) return { fault: 'has no SingleSignOnService with the HTTP-Redirect binding' };
  const certificates = listSigningCertificates(role);
  return certificates.length > 0
    ? { entity_id, sso_url, certificates }
    : { fault: 'has no signing certificate' };
}

/** A key without a use is for both uses. */
function listSigningCertificates(role: XmlElement): readonly string[] {
  const texts = listNamedChildren(role, namespaces.metadata, 'KeyDescriptor')
    .filter((key) => findAttribute(key, 'use') !== 'encryption')
    .flatMap((key) => listElements(key))
    .filter(({ name, namespace }) => name === 'X509Certificate' && namespace === namespaces.signature)
    .map((certificate) => (readText(certificate) ?? '').replace(/\s+/g, ''));
  return [...new Set(texts)];
}

function isMetadataElement({ name, namespace }: XmlElement, wanted: string): boolean {
  return name === wanted && namespace === namespaces.metadata;
}

function isExpired(valid_until: string | undefined, now: Date): boolean {
  return valid_until !== undefined && !(new Date(valid_until) > now);
}
