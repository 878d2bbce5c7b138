import { decodeXml, readCertificate, readIdpMetadata } from '@tessera/saml';
import { parseTime } from '#lib/outside-values.ts';
import { createFieldRefusal } from '#lib/refusal.ts';
import { runAllChecks } from '#lib/run-all-checks.ts';
import { describeOutboundError, OutboundError } from '#platform/outbound/outbound.ts';
import type { Services } from '#platform/platform.ts';
import type { Configuration } from '../rules.ts';

/** An identity provider in one of three forms: the URL of its metadata, metadata XML, or three fields. */
export type IdpInput = {
  readonly idp_metadata_url?: string;
  readonly idp_metadata_xml?: string;
  readonly idp_entity_id?: string;
  readonly idp_sso_url?: string;
  readonly idp_certificates?: readonly string[];
};

type Idp = Pick<Configuration, 'idp_entity_id' | 'idp_sso_url' | 'idp_certificates' | 'idp_metadata_url'>;

const metadata_bytes_max = 1024 * 1024;
const certificates_max = 10;
const accept = 'application/samlmetadata+xml, application/xml;q=0.9, text/xml;q=0.9';

type Checking = Pick<Services, 'config' | 'now'>;

/** What the fields of an identity provider must be, beside their schemas. Metadata at a URL is checked when it is fetched. */
export const idpChecks = [
  requireOneSource,
  requireAllFields,
  ({ idp_entity_id }: IdpInput) => {
    if (idp_entity_id !== undefined) checkEntityId(idp_entity_id, '/idp_entity_id');
  },
  ({ idp_sso_url }: IdpInput, { config }: Checking) => {
    if (idp_sso_url !== undefined) checkLoginAddress(config, idp_sso_url, '/idp_sso_url');
  },
  ({ idp_certificates }: IdpInput) => {
    if (idp_certificates !== undefined) readCertificates(idp_certificates);
  },
  ({ idp_metadata_xml }: IdpInput, services: Checking) => {
    if (idp_metadata_xml !== undefined) buildIdpFromMetadata(services, idp_metadata_xml, '/idp_metadata_xml');
  },
] as const;

function requireOneSource({
  idp_metadata_url,
  idp_metadata_xml,
  idp_entity_id,
  idp_sso_url,
  idp_certificates,
}: IdpInput): void {
  const given = Object.entries({
    idp_metadata_url,
    idp_metadata_xml,
    idp_entity_id,
    idp_sso_url,
    idp_certificates,
  });
  const names = given.flatMap(([name, value]) => (value === undefined ? [] : [name]));
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

/** Each of the three fields needs the others. */
function requireAllFields({ idp_entity_id, idp_sso_url, idp_certificates }: IdpInput): void {
  const fields = Object.entries({ idp_entity_id, idp_sso_url, idp_certificates });
  const missing = fields.filter(([, value]) => value === undefined);
  if (missing.length === fields.length) return;
  runAllChecks(
    ...missing.map(([name]) => () => {
      throw createFieldRefusal('field_invalid', `/${name}`, 'is required');
    }),
  );
}

/**
 * Reads the description of an identity provider that has passed {@link idpChecks}. Metadata at a URL is fetched once.
 *
 * @throws Refusal `field_invalid`.
 */
export async function resolveIdp(services: Services, input: IdpInput): Promise<Idp> {
  const { idp_metadata_url, idp_metadata_xml, idp_entity_id, idp_sso_url, idp_certificates } = input;
  if (idp_metadata_url !== undefined) {
    const xml = await fetchMetadata(services, idp_metadata_url);
    return { ...buildIdpFromMetadata(services, xml, '/idp_metadata_url'), idp_metadata_url };
  }
  if (idp_metadata_xml !== undefined)
    return {
      ...buildIdpFromMetadata(services, idp_metadata_xml, '/idp_metadata_xml'),
      idp_metadata_url: null,
    };
  return {
    idp_entity_id: idp_entity_id!,
    idp_sso_url: idp_sso_url!,
    idp_certificates: readCertificates(idp_certificates!),
    idp_metadata_url: null,
  };
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

/** Every fault of metadata is reported for the field that has it, or its address. */
function buildIdpFromMetadata(
  { config, now }: Checking,
  xml: string,
  pointer: string,
): Omit<Idp, 'idp_metadata_url'> {
  const description = readIdpMetadata(xml, { now: now(), parseTime });
  if ('fault' in description) throw createFieldRefusal('field_invalid', pointer, description.fault);
  const { entity_id, sso_url, certificates } = description;
  runAllChecks(
    () => checkEntityId(entity_id, pointer),
    () => checkLoginAddress(config, sso_url, pointer),
    () => checkCertificateCount(certificates, pointer),
  );
  return { idp_entity_id: entity_id, idp_sso_url: sso_url, idp_certificates: certificates };
}

function checkEntityId(entity_id: string, pointer: string): void {
  if (/^\S{1,1024}$/.test(entity_id)) return;
  const reason = 'must give an entityID of at most 1024 characters without spaces';
  throw createFieldRefusal('field_invalid', pointer, reason);
}

function checkLoginAddress({ outboundPrivate }: Services['config'], sso_url: string, pointer: string): void {
  if (!isLoginAddress(sso_url, outboundPrivate))
    throw createFieldRefusal('field_invalid', pointer, 'must give an https URL as the login address');
}

function checkCertificateCount(certificates: readonly string[], pointer: string): void {
  if (certificates.length > certificates_max)
    throw createFieldRefusal(
      'field_invalid',
      pointer,
      `must not give more than ${certificates_max} certificates`,
    );
}

/** Reads the certificates of a request. @throws Refusal `field_invalid`, which names each that cannot be used. */
function readCertificates(texts: readonly string[]): readonly string[] {
  const read = texts.map(readCertificate);
  runAllChecks(
    ...read.map((certificate, index) => () => {
      if ('fault' in certificate)
        throw createFieldRefusal('field_invalid', `/idp_certificates/${index}`, certificate.fault);
    }),
  );
  return read.flatMap((certificate) => ('pem' in certificate ? [certificate.pem] : []));
}

/** A private host is allowed, because only the user's browser opens the address, possibly inside the organisation's network. */
function isLoginAddress(text: string, allows_http: boolean): boolean {
  if (text.length > 2_000 || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return (
    (protocol === 'https:' || (allows_http && protocol === 'http:')) && username + password + hash === ''
  );
}
