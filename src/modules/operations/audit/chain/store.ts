import { sql, type Reader, type Statement, type Transaction } from '#platform/database/database.ts';
import type { CheckedLink } from './check-links.ts';
import type { AuditLink, ChainEnd, LinkedEntry } from './rules.ts';

/** Lets one transaction at a time link entries. */
export async function lockChain(tx: Transaction): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('audit.chain', 0))`);
}

/** The last link of the installation, and the time of its entry; undefined while nothing is linked. */
export function findEnd(db: Reader): Promise<(ChainEnd & { readonly created_at: Date }) | undefined> {
  return db.find(sql<ChainEnd & { readonly created_at: Date }>`
    select position, encode(head, 'hex') as head, created_at from audit_links order by position desc limit 1`);
}

/** The last link of an organisation; undefined while nothing of it is linked. */
export function findOrgEnd(db: Reader, org_id: string): Promise<ChainEnd | undefined> {
  return db.find(sql<ChainEnd>`
    select coalesce(org_position, 0) as position, coalesce(encode(org_head, 'hex'), '') as head from audit_links
    where org_id = ${org_id} order by org_position desc limit 1`);
}

/** The last links of organisations that have any. */
export async function listOrgEnds(db: Reader, org_ids: readonly string[]): Promise<Map<string, ChainEnd>> {
  const rows = await db.list(sql<ChainEnd & { readonly org_id: string }>`
    select own.org_id, link.position, link.head from unnest(${org_ids}::uuid[]) as own (org_id) cross join lateral (
      select coalesce(org_position, 0) as position, coalesce(encode(org_head, 'hex'), '') as head from audit_links
      where audit_links.org_id = own.org_id order by org_position desc limit 1) as link`);
  return new Map(rows.map(({ org_id, position, head }) => [org_id, { position, head }]));
}

/** The last links of the organisations with an entry of this time or later. */
export async function listOrgEndsSince(
  db: Reader,
  since: Date,
  limit: number,
): Promise<Map<string, ChainEnd>> {
  const rows = await db.list(sql<{ org_id: string }>`
    select distinct org_id from audit_log where created_at >= ${since} and org_id is not null order by org_id limit ${limit}`);
  return listOrgEnds(
    db,
    rows.map(({ org_id }) => org_id),
  );
}

/** The head of a chain at a position: of an organisation, or of the installation. */
export async function findHead(
  db: Reader,
  org_id: string | null,
  position: number,
): Promise<string | undefined> {
  const link = await db.find(
    org_id === null
      ? sql<{
          head: string;
        }>`select encode(head, 'hex') as head from audit_links where position = ${position}`
      : sql<{ head: string }>`
          select coalesce(encode(org_head, 'hex'), '') as head from audit_links where org_id = ${org_id} and org_position = ${position}`,
  );
  return link?.head;
}

/** Entries without a link from a time on, or all, the oldest first. */
export function listUnlinked(db: Reader, since: Date | undefined, limit: number): Promise<LinkedEntry[]> {
  return db.list(sql<LinkedEntry>`
    select ${entryColumns} from audit_log
    where ${since === undefined ? sql`true` : sql`created_at >= ${since}`}
      and not exists (select from audit_links where entry_id = audit_log.id)
    order by created_at, sequence limit ${limit}`);
}

/** Counts the entries without a link until a time. */
export function countUnlinked(db: Reader, until: Date): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from audit_log
    where created_at < ${until} and not exists (select from audit_links where entry_id = audit_log.id)`);
}

/** The time of the oldest entry, in microseconds since 1970. */
export async function findOldest(db: Reader): Promise<string | undefined> {
  const { oldest } = await db.one(
    sql<{
      oldest: string | null;
    }>`select ${writeMicroseconds(sql`min(created_at)`)} as oldest from audit_log`,
  );
  return oldest ?? undefined;
}

export async function insertLinks(tx: Transaction, links: readonly AuditLink[]): Promise<void> {
  const selectColumn = <Name extends keyof AuditLink>(name: Name) => links.map((link) => link[name]);
  await tx.run(sql`
    insert into audit_links (position, entry_id, org_id, org_position, created_at, commitment, digest, head, org_head)
    select position, entry_id, org_id, org_position, timestamptz 'epoch' + created_us * interval '1 microsecond',
      decode(commitment, 'hex'), decode(digest, 'hex'), decode(head, 'hex'), decode(org_head, 'hex')
    from unnest(${selectColumn('position')}::bigint[], ${selectColumn('entry_id')}::uuid[], ${selectColumn('org_id')}::uuid[],
      ${selectColumn('org_position')}::bigint[], ${selectColumn('created_us')}::bigint[], ${selectColumn('commitment')}::text[],
      ${selectColumn('digest')}::text[], ${selectColumn('head')}::text[], ${selectColumn('org_head')}::text[])
      as link (position, entry_id, org_id, org_position, created_us, commitment, digest, head, org_head)`);
}

type LinkRow = AuditLink & { readonly entry: LinkedEntry | null };

/** Links after a position with their entries, in the order of the chain. */
export async function listLinks(db: Reader, after: number, limit: number): Promise<CheckedLink[]> {
  const rows = await db.list(sql<LinkRow>`
    select position, entry_id, audit_links.org_id, org_position, ${writeMicroseconds(sql`audit_links.created_at`)} as created_us,
      encode(commitment, 'hex') as commitment, encode(digest, 'hex') as digest,
      encode(head, 'hex') as head, encode(org_head, 'hex') as org_head, to_jsonb(own) as entry
    from audit_links left join lateral (
      select ${entryColumns} from audit_log where id = audit_links.entry_id) as own on true
    where position > ${after} order by position limit ${limit}`);
  return rows.map(({ entry, ...link }) => ({ link, entry: entry ?? undefined }));
}

const writeMicroseconds = (time: Statement) => sql`(extract(epoch from ${time}) * 1000000)::bigint::text`;

const entryColumns = sql`
  id, sequence::text as sequence, action, actor_role, org_id, ${writeMicroseconds(sql`created_at`)} as created_us,
  salt::text as salt, actor_user_id, member_id, detail::text as detail`;
