import { createFieldRefusal } from '#lib/refusal.ts';
import { describeOutboundError, OutboundError } from '#platform/outbound/outbound.ts';
import type { Services } from '#platform/platform.ts';
import type { Configuration } from '../rules.ts';
import { readCertificate } from '../saml/certificates.ts';
import { decodeXml } from '../saml/decode-xml.ts';
import { readIdpMetadata, type IdpDescription } from '../saml/idp-metadata.ts';

/** An identity provider in one of three forms: the URL of its metadata, metadata XML, or three fields. */
export type IdpInput = {
  readonly idp_metadata_url?: string;
  readonly idp_metadata_xml?: string;
  readonly idp_entity_id?: string;
  readonly idp_sso_url?: string;
  readonly idp_certificates?: readonly string[];
};

type Idp = Pick<Configuration, 'idp_entity_id' | 'idp_sso_url' | 'idp_certificates' | 'idp_metadata_url'>;

/** The request field that each fault is reported for. With metadata, it is the metadata field for all faults. */
type Pointers = {
  readonly entity_id: string;
  readonly sso_url: string;
  readonly buildCertificatePointer: (index: number) => string;
};

const metadata_bytes_max = 1024 * 1024;
const certificates_max = 10;
const accept = 'application/samlmetadata+xml, application/xml;q=0.9, text/xml;q=0.9';

/**
 * Reads the description of an identity provider, and checks its certificates and login address. Metadata at a URL is fetched once.
 *
 * @throws Refusal `field_invalid`.
 */
export async function resolveIdp(services: Services, input: IdpInput): Promise<Idp> {
  const { idp_metadata_url, idp_metadata_xml } = input;
  requireOneSource(input);
  if (idp_metadata_url !== undefined) {
    const xml = await fetchMetadata(services, idp_metadata_url);
    return { ...buildIdpFromMetadata(services, xml, '/idp_metadata_url'), idp_metadata_url };
  }
  if (idp_metadata_xml !== undefined)
    return {
      ...buildIdpFromMetadata(services, idp_metadata_xml, '/idp_metadata_xml'),
      idp_metadata_url: null,
    };
  return { ...buildIdpFromFields(services, input), idp_metadata_url: null };
}

function requireOneSource({ idp_metadata_url, idp_metadata_xml, ...fields }: IdpInput): void {
  const names = Object.entries({ idp_metadata_url, idp_metadata_xml, ...fields }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  const fieldNames = names.filter((name) => !name.startsWith('idp_metadata'));
  const sources = names.length - fieldNames.length + Math.min(fieldNames.length, 1);
  if (sources === 0)
    throw createFieldRefusal(
      'field_invalid',
      '/idp_metadata_url',
      'is required, unless idp_metadata_xml or the three fields idp_entity_id, idp_sso_url and idp_certificates are given',
    );
  if (sources > 1)
    throw createFieldRefusal(
      'field_invalid',
      `/${names.at(-1)}`,
      'must not describe the identity provider a second time',
    );
}

async function fetchMetadata({ fetchOutbound, config }: Services, url: string): Promise<string> {
  const createRefusal = (reason: string) => createFieldRefusal('field_invalid', '/idp_metadata_url', reason);
  const request = {
    headers: { accept },
    timeout_ms: 10_000,
    max_bytes: metadata_bytes_max,
    redirects_max: 3,
  };
  const { status, body } = await fetchOutbound(url, request).catch((error: unknown) => {
    throw error instanceof OutboundError ? createRefusal(describeOutboundError(error, config)) : error;
  });
  if (status !== 200) throw createRefusal(`replies with status ${status}`);
  const xml = decodeXml(body);
  if (xml === undefined) throw createRefusal('must be text in UTF-8, or in the encoding that it declares');
  return xml;
}

function buildIdpFromMetadata(
  services: Services,
  xml: string,
  pointer: string,
): Omit<Idp, 'idp_metadata_url'> {
  const description = readIdpMetadata(xml, services.now());
  if ('fault' in description) throw createFieldRefusal('field_invalid', pointer, description.fault);
  return checkIdp(services, description, {
    entity_id: pointer,
    sso_url: pointer,
    buildCertificatePointer: () => pointer,
  });
}

function buildIdpFromFields(
  services: Services,
  { idp_entity_id, idp_sso_url, idp_certificates }: IdpInput,
): Omit<Idp, 'idp_metadata_url'> {
  const requireField = <Value>(value: Value | undefined, pointer: string): Value => {
    if (value === undefined) throw createFieldRefusal('field_invalid', pointer, 'is required');
    return value;
  };
  const description = {
    entity_id: requireField(idp_entity_id, '/idp_entity_id'),
    sso_url: requireField(idp_sso_url, '/idp_sso_url'),
    certificates: requireField(idp_certificates, '/idp_certificates'),
  };
  return checkIdp(services, description, {
    entity_id: '/idp_entity_id',
    sso_url: '/idp_sso_url',
    buildCertificatePointer: (index) => `/idp_certificates/${index}`,
  });
}

function checkIdp(
  { config }: Services,
  idp: IdpDescription,
  pointers: Pointers,
): Omit<Idp, 'idp_metadata_url'> {
  if (!/^\S{1,1024}$/.test(idp.entity_id))
    throw createFieldRefusal(
      'field_invalid',
      pointers.entity_id,
      'must give an entityID of at most 1024 characters without spaces',
    );
  if (!isLoginAddress(idp.sso_url, config.outboundPrivate))
    throw createFieldRefusal(
      'field_invalid',
      pointers.sso_url,
      'must give an https URL as the login address',
    );
  if (idp.certificates.length > certificates_max)
    throw createFieldRefusal(
      'field_invalid',
      pointers.buildCertificatePointer(certificates_max),
      `must not give more than ${certificates_max} certificates`,
    );
  const idp_certificates = idp.certificates.map((text, index) => {
    const certificate = readCertificate(text);
    if ('fault' in certificate)
      throw createFieldRefusal('field_invalid', pointers.buildCertificatePointer(index), certificate.fault);
    return certificate.pem;
  });
  return { idp_entity_id: idp.entity_id, idp_sso_url: idp.sso_url, idp_certificates };
}

/** A private host is allowed, because only the user's browser opens the address, possibly inside the organisation's network. */
function isLoginAddress(text: string, allows_http: boolean): boolean {
  if (text.length > 2_000 || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return (
    (protocol === 'https:' || (allows_http && protocol === 'http:')) && username + password + hash === ''
  );
}
