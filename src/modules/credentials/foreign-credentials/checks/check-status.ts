import { gunzipSync, inflateSync } from 'node:zlib';
import { buildIssuer, isRevoked } from '#modules/credentials/credentials';
import type { Services } from '#platform/platform.ts';
import { UncheckedError } from '../faults.ts';
import { document_bytes_max, type ReadDocument } from '../issuers/read-document.ts';
import { isFields, toList, toText, type Fields } from '../reading/json.ts';
import { decodeCanonical } from '../reading/jws.ts';
import { readCredentialText, type ReadCredential } from '../reading/read-text.ts';
import { computePeriodCheck } from './rules.ts';

/** What a status list says about a credential. `none`: its issuer publishes no status for it. */
type StatusCheck = 'passed' | 'revoked' | 'suspended' | 'none';

/** What is needed to read a status list: it must be signed by the issuer of the credential. */
type StatusReader = {
  readonly services: Services;
  readonly readDocument: ReadDocument;
  /** @throws UncheckedError if the list is not signed by the issuer. */
  readonly verifySigned: (list: ReadCredential) => Promise<void>;
};

/** A list of four million bits. A compressed one that is longer is refused while it is being unpacked. */
const list_bytes_max = 524_288;
const entries_max = 2;

/** Reads the status of a credential from its Bitstring Status List or its Token Status List. @throws UncheckedError */
export async function checkStatus(reader: StatusReader, content: Fields): Promise<StatusCheck> {
  const { status, credentialStatus } = content;
  const token_entry = isFields(status) ? status['status_list'] : undefined;
  if (isFields(token_entry)) return checkTokenList(reader, token_entry);
  const entries = toList(credentialStatus);
  if (entries.length === 0) {
    if (status === undefined) return 'none';
    throw new UncheckedError('status_unsupported');
  }
  if (entries.length > entries_max) throw new UncheckedError('status_unsupported');
  const results: StatusCheck[] = [];
  for (const entry of entries) results.push(await checkBitstringEntry(reader, entry));
  return (['revoked', 'suspended', 'passed'] as const).find((each) => results.includes(each)) ?? 'none';
}

const purposes: Readonly<Record<string, StatusCheck>> = { revocation: 'revoked', suspension: 'suspended' };

/** Bitstring Status List 1.0, section 3.2. */
async function checkBitstringEntry(reader: StatusReader, entry: unknown): Promise<StatusCheck> {
  if (!isFields(entry) || entry['type'] !== 'BitstringStatusListEntry')
    throw new UncheckedError('status_unsupported');
  const [purpose, url] = [toText(entry['statusPurpose']) ?? '', toText(entry['statusListCredential'])];
  const meaning = purposes[purpose];
  const index = readIndex(entry['statusListIndex']);
  if (meaning === undefined) return 'none';
  if (url === undefined || index === undefined) throw new UncheckedError('status_invalid');
  const own = await checkOwnList(reader.services, url, index);
  if (own !== undefined) return own ? meaning : 'passed';
  const content = await readList(reader, url, 'application/vc+jwt, application/vc, application/json;q=0.9');
  const subject = content['credentialSubject'];
  if (!isFields(subject) || !toList(subject['statusPurpose']).includes(purpose))
    throw new UncheckedError('status_invalid');
  const bits = unpack(toText(subject['encodedList'])?.replace(/^u/, ''), gunzipSync);
  // The first bit of a byte is the most significant one.
  return readBits(bits, index, 1, 7 - (index % 8)) === 1 ? meaning : 'passed';
}

/** The status of a credential of this service, which needs no request; undefined for the list of another one. */
async function checkOwnList(services: Services, url: string, index: number): Promise<boolean | undefined> {
  const prefix = `${buildIssuer(services.config.publicUrl).url}/api/v1/credentials/status-lists/`;
  if (!url.startsWith(prefix)) return undefined;
  const revoked = await isRevoked(services, {
    status_list_id: url.slice(prefix.length),
    status_index: index,
  });
  if (revoked === undefined) throw new UncheckedError('status_invalid');
  return revoked;
}

/** Token Status List, section 8.3. */
async function checkTokenList(reader: StatusReader, entry: Fields): Promise<StatusCheck> {
  const [url, index] = [toText(entry['uri']), readIndex(entry['idx'])];
  if (url === undefined || index === undefined) throw new UncheckedError('status_invalid');
  const content = await readList(reader, url, 'application/statuslist+jwt');
  const list = content['status_list'];
  if (content['sub'] !== url || !isFields(list)) throw new UncheckedError('status_invalid');
  const width = Number(list['bits']);
  if (![1, 2, 4, 8].includes(width)) throw new UncheckedError('status_invalid');
  const bits = unpack(toText(list['lst']), inflateSync);
  const value = readBits(bits, index * width, width, (index * width) % 8);
  if (value === 0) return 'passed';
  return value === 2 ? 'suspended' : 'revoked';
}

/** Reads a list and verifies that it is signed and in force. */
async function readList(
  { readDocument, verifySigned, services }: StatusReader,
  url: string,
  accept: string,
): Promise<Fields> {
  const list = readCredentialText(await readDocument(url, { whose: 'status', accept }), document_bytes_max);
  if ('unreadable' in list) throw new UncheckedError('status_invalid');
  await verifySigned(list);
  if (computePeriodCheck(list.content, services.now()) !== 'passed')
    throw new UncheckedError('status_invalid');
  return list.content;
}

function readIndex(value: unknown): number | undefined {
  const index = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

type Unpack = (packed: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

function unpack(text: string | undefined, unpackBytes: Unpack): Buffer {
  const packed = text === undefined ? undefined : decodeCanonical(text);
  if (!packed) throw new UncheckedError('status_invalid');
  try {
    return unpackBytes(packed, { maxOutputLength: list_bytes_max });
  } catch (error) {
    throw new UncheckedError('status_invalid', error);
  }
}

/** The value of so many bits from a place on, which are shifted to the right by `shift`. */
function readBits(bits: Buffer, place: number, width: number, shift: number): number {
  const byte = bits[Math.floor(place / 8)];
  if (byte === undefined) throw new UncheckedError('status_invalid');
  return (byte >> shift) & (2 ** width - 1);
}
