import { namespaces, redirectBinding } from './saml.ts';
import { attributeOf, childrenNamed, elementsOf, readXml, textOf, XmlError, type XmlElement } from './xml.ts';

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
    return described(readXml(xml.replace(/^\ufeff/, ''), { remarks: 'skip' }), now);
  } catch (error) {
    if (error instanceof XmlError) return { fault: error.message };
    throw error;
  }
}

function described(root: XmlElement, now: Date): IdpDescription | { readonly fault: string } {
  const entities = elementsOf(root).filter((each) => isMetadata(each, 'EntityDescriptor'));
  const providers = entities.flatMap((entity) =>
    childrenNamed(entity, namespaces.metadata, 'IDPSSODescriptor').map((role) => ({ entity, role })),
  );
  const [provider] = providers;
  if (provider === undefined || providers.length > 1)
    return { fault: `describes ${providers.length} identity providers where it must describe one` };
  const { entity, role } = provider;
  if ([root, entity, role].some((each) => isOver(attributeOf(each, 'validUntil'), now)))
    return { fault: 'is out of date by its validUntil' };
  const entity_id = attributeOf(entity, 'entityID');
  const service = childrenNamed(role, namespaces.metadata, 'SingleSignOnService').find(
    (each) => attributeOf(each, 'Binding') === redirectBinding,
  );
  const sso_url = service && attributeOf(service, 'Location');
  if (!entity_id) return { fault: 'has no entityID' };
  if (!sso_url) return { fault: 'has no SingleSignOnService with the HTTP-Redirect binding' };
  const certificates = signingCertificates(role);
  return certificates.length > 0
    ? { entity_id, sso_url, certificates }
    : { fault: 'has no signing certificate' };
}

/** A key without a use is for both uses. */
function signingCertificates(role: XmlElement): readonly string[] {
  const texts = childrenNamed(role, namespaces.metadata, 'KeyDescriptor')
    .filter((key) => attributeOf(key, 'use') !== 'encryption')
    .flatMap((key) => elementsOf(key))
    .filter(({ name, namespace }) => name === 'X509Certificate' && namespace === namespaces.signature)
    .map((certificate) => (textOf(certificate) ?? '').replace(/\s+/g, ''));
  return [...new Set(texts)];
}

function isMetadata({ name, namespace }: XmlElement, wanted: string): boolean {
  return name === wanted && namespace === namespaces.metadata;
}

function isOver(valid_until: string | undefined, now: Date): boolean {
  return valid_until !== undefined && !(new Date(valid_until) > now);
}
