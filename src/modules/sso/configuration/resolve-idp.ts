import { createFieldRefusal } from '#lib/refusal.ts';
import { OutboundError } from '#platform/outbound/outbound.ts';
import type { Services } from '#platform/platform.ts';
import { readCertificate } from '../saml/certificates.ts';
import { readIdpMetadata, type IdpDescription } from '../saml/idp-metadata.ts';
import type { Configuration } from '../rules.ts';

/** An identity provider as an administrator tells of it, in one of three ways. */
export type IdpInput = {
  readonly idp_metadata_url?: string;
  readonly idp_metadata_xml?: string;
  readonly idp_entity_id?: string;
  readonly idp_sso_url?: string;
  readonly idp_certificates?: readonly string[];
};

type Idp = Pick<Configuration, 'idp_entity_id' | 'idp_sso_url' | 'idp_certificates' | 'idp_metadata_url'>;

/** Which field a fault is of: with metadata, all faults are the metadata's. */
type Pointers = {
  readonly entity_id: string;
  readonly sso_url: string;
  readonly buildCertificatePointer: (index: number) => string;
};

const metadata_bytes_max = 1024 * 1024;
const certificates_max = 10;
const accept = 'application/samlmetadata+xml, application/xml;q=0.9, text/xml;q=0.9';

/**
 * The identity provider that an administrator means, with its certificates read and its address checked; metadata is fetched now, once.
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
  const present = Object.entries({ idp_metadata_url, idp_metadata_xml, ...fields }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  const byFields = present.filter((name) => !name.startsWith('idp_metadata'));
  const ways = present.length - byFields.length + Math.min(byFields.length, 1);
  if (ways === 0)
    throw createFieldRefusal(
      'field_invalid',
      '/idp_metadata_url',
      'is required, or idp_metadata_xml, or the three fields',
    );
  if (ways > 1)
    throw createFieldRefusal(
      'field_invalid',
      `/${present.at(-1)}`,
      'tells of the identity provider a second time',
    );
}

async function fetchMetadata({ fetchOutbound }: Services, url: string): Promise<string> {
  const fault = (reason: string) => createFieldRefusal('field_invalid', '/idp_metadata_url', reason);
  const request = {
    headers: { accept },
    timeout_ms: 10_000,
    max_bytes: metadata_bytes_max,
    redirects_max: 3,
  };
  const { status, body } = await fetchOutbound(url, request).catch((error: unknown) => {
    throw error instanceof OutboundError ? fault(error.message) : error;
  });
  if (status !== 200) throw fault(`answers with status ${status}`);
  return body.toString('utf8');
}

function buildIdpFromMetadata(
  services: Services,
  xml: string,
  pointer: string,
): Omit<Idp, 'idp_metadata_url'> {
  const found = readIdpMetadata(xml, services.now());
  if ('fault' in found) throw createFieldRefusal('field_invalid', pointer, found.fault);
  return checkIdp(services, found, {
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
      'has an entityID with spaces, or longer than 1024 characters',
    );
  if (!isLoginAddress(idp.sso_url, config.outboundPrivate))
    throw createFieldRefusal(
      'field_invalid',
      pointers.sso_url,
      'has a login address that is not an https URL',
    );
  if (idp.certificates.length > certificates_max)
    throw createFieldRefusal(
      'field_invalid',
      pointers.buildCertificatePointer(certificates_max),
      'is one certificate too many',
    );
  const idp_certificates = idp.certificates.map((text, index) => {
    const read = readCertificate(text);
    if ('fault' in read)
      throw createFieldRefusal('field_invalid', pointers.buildCertificatePointer(index), read.fault);
    return read.pem;
  });
  return { idp_entity_id: idp.entity_id, idp_sso_url: idp.sso_url, idp_certificates };
}

/** The browser goes there, not we: it may well be inside the organisation's own network. */
function isLoginAddress(text: string, http_too: boolean): boolean {
  if (text.length > 2_000 || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return (protocol === 'https:' || (http_too && protocol === 'http:')) && username + password + hash === '';
}
