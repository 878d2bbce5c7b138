import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OperatorError } from '#platform/command-line.ts';
import type { Reader } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { createLinkChecker, type ChainCounts, type ChainFault } from './check-links.ts';
import { readSignedHead, type AuditHead } from './head.ts';
import { countUnlinked, findHead, findOldest, listLinks } from './store.ts';

const page_links = 1_000;
/** All faults are counted, and these are listed. */
const faults_max = 100;
/** The database lets entries be deleted from this age on. */
const kept_ms = 184 * 24 * 3_600_000;
/** An entry gets its link within a minute. */
const unlinked_ms = 3_600_000;
const head_file_bytes_max = 100_000;

type AuditFault = ChainFault | { readonly fault: string };

/** What a verification of the audit log found. */
export type AuditVerification = ChainCounts & {
  /** The last position of the chain, and its head in hexadecimal. */
  readonly position: number;
  readonly head: string;
  readonly faults: number;
  readonly first_faults: readonly AuditFault[];
};

/**
 * Verifies every entry of the audit log and its link, in one snapshot of the database, and that the chain still leads to a head that was signed
 * earlier.
 *
 * @throws OperatorError if the file `head` cannot be read or has no head of this installation.
 */
export async function verifyAudit(
  platform: Platform,
  { head: file }: Readonly<Record<string, string>>,
): Promise<AuditVerification> {
  const { database, now } = platform;
  const signed = file === undefined ? undefined : await readSignedHead(platform, await readHeadFile(file));
  return database.transaction((tx) => verifyChain(tx, now(), signed), { isolation: 'repeatable read' });
}

async function verifyChain(tx: Reader, now: Date, signed: AuditHead | undefined): Promise<AuditVerification> {
  const first_faults: AuditFault[] = [];
  let faults = 0;
  const note = (found: readonly AuditFault[]) => {
    faults += found.length;
    first_faults.push(...found.slice(0, faults_max - first_faults.length));
  };
  const checker = createLinkChecker(await buildForgottenRule(tx, now));
  let links;
  do {
    links = await listLinks(tx, checker.getEnd().position, page_links);
    note(links.flatMap((each) => checker.check(each)));
    await nextTurn();
  } while (links.length === page_links);
  const unlinked = await countUnlinked(tx, new Date(now.getTime() - unlinked_ms));
  if (unlinked > 0) note([{ fault: `${unlinked} entries older than an hour have no link.` }]);
  if (signed) note(await checkSignedHead(tx, signed));
  return { ...checker.counts, ...checker.getEnd(), faults, first_faults };
}

/** Entries are deleted from the oldest on, and none before its time: what is missing must be older than all that is there. */
async function buildForgottenRule(tx: Reader, now: Date): Promise<(created_us: string) => boolean> {
  const horizon = BigInt(now.getTime() - kept_ms) * 1_000n;
  const oldest = await findOldest(tx);
  const bound = oldest !== undefined && BigInt(oldest) < horizon ? BigInt(oldest) : horizon;
  return (created_us) => BigInt(created_us) <= bound;
}

async function checkSignedHead(
  tx: Reader,
  { org_id, position, head, signed_at }: AuditHead,
): Promise<{ fault: string }[]> {
  if (position === 0) return [];
  const found = await findHead(tx, org_id, position);
  const at = `position ${position}, signed at ${signed_at.toISOString()}`;
  if (found === undefined) return [{ fault: `The chain has no link at the signed head (${at}).` }];
  return found === head ? [] : [{ fault: `The chain does not lead to the signed head (${at}).` }];
}

async function readHeadFile(file: string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8');
    if (text.length > head_file_bytes_max) throw new OperatorError(`${file} is too large for a signed head`);
    return text;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
}

/** Describes the faults for the operator; undefined if there are none. */
export function describeAuditFaults({ faults, first_faults }: AuditVerification): string | undefined {
  if (faults === 0) return undefined;
  const [first] = first_faults;
  const place = first && 'position' in first ? ` Position ${first.position}, entry ${first.entry_id}:` : '';
  return `the audit log has ${faults} ${faults === 1 ? 'fault' : 'faults'}.${place} ${first?.fault}`;
}
