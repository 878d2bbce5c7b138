import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import type { LinkedEntry } from './rules.ts';
import { listLinks } from './store.ts';

const page_links = 1_000;

/** Entity Management in the category Identity & Access Management of the Open Cybersecurity Schema Framework. */
const class_uid = 3004;
const category_uid = 3;
/** "Other": the action says more than create, read, update and delete. */
const activity_id = 99;

/**
 * Returns the linked entries after a position as OCSF 1.3 events (class Entity Management), in the order of the chain. A collector keeps
 * `metadata.sequence` of the last event and goes on from there: positions have no gaps, and no entry appears before one that was returned.
 *
 * @throws OperatorError if `after` is not a position.
 */
export async function streamAudit(
  { database }: Platform,
  { after = '0' }: Readonly<Record<string, string>>,
): Promise<AsyncIterable<Readonly<Record<string, unknown>>>> {
  if (!/^\d{1,15}$/.test(after))
    throw new OperatorError('--after must be a position: a number of at most 15 digits');
  return readEvents(database, Number(after));
}

async function* readEvents(database: Platform['database'], after: number) {
  let position = after;
  let links;
  do {
    links = await listLinks(database, position, page_links);
    for (const { link, entry } of links) if (entry) yield toOcsfEvent(link.position, entry);
    position = links.at(-1)?.link.position ?? position;
  } while (links.length === page_links);
}

/** Maps an entry to an OCSF event. Times are in milliseconds. */
function toOcsfEvent(sequence: number, entry: LinkedEntry): Readonly<Record<string, unknown>> {
  const { id, action, actor_user_id, actor_role, member_id, org_id } = entry;
  return {
    class_uid,
    class_name: 'Entity Management',
    category_uid,
    category_name: 'Identity & Access Management',
    activity_id,
    activity_name: action,
    type_uid: class_uid * 100 + activity_id,
    severity_id: 1,
    status_id: 1,
    time: Number(BigInt(entry.created_us) / 1_000n),
    message: action,
    metadata: { version: '1.3.0', product: { name: 'Tessera', vendor_name: 'Tessera' }, uid: id, sequence },
    ...(actor_role !== null && {
      actor: { user: { uid: actor_user_id ?? 'erased', type_id: 99, type: actor_role } },
    }),
    entity: member_id
      ? { type: 'member', uid: member_id }
      : org_id
        ? { type: 'organisation', uid: org_id }
        : { type: 'service', name: 'Tessera' },
    unmapped: { org_id, detail: JSON.parse(entry.detail) as unknown },
  };
}
