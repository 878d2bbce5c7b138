import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Achievement, AchievementFields, StoredPicture } from './rules.ts';

export type { Achievement };

const columns = sql`id, org_id, name, description, criteria, image_type, alignments, is_offered, archived, created_at`;

/** Inserts an achievement. @returns undefined if the organisation has one of this name that is not archived. */
export function insertAchievement(
  tx: Transaction,
  { id, org_id, created_at }: Pick<Achievement, 'id' | 'org_id' | 'created_at'>,
  { name, description, criteria, image, alignments }: AchievementFields,
): Promise<Achievement | undefined> {
  return tx.find(sql<Achievement>`
    insert into achievements (id, org_id, name, description, criteria, image, image_type, alignments, created_at)
    values (${id}, ${org_id}, ${name}, ${description}, ${criteria}, ${image?.content ?? null}, ${image?.media_type ?? null},
      ${JSON.stringify(alignments)}::jsonb, ${created_at})
    on conflict (org_id, name) where not archived do nothing
    returning ${columns}`);
}

/** Finds an achievement of any organisation. */
export function findAchievement(db: Reader, id: string): Promise<Achievement | undefined> {
  return db.find(sql<Achievement>`select ${columns} from achievements where id = ${id}`);
}

/** Finds the picture of an achievement; undefined if it has none. */
export async function findAchievementImage(db: Reader, id: string): Promise<StoredPicture | undefined> {
  const row = await db.find(sql<{ image: Buffer | null; image_type: StoredPicture['media_type'] | null }>`
    select image, image_type from achievements where id = ${id}`);
  if (!row?.image || row.image_type === null) return undefined;
  return { content: row.image, media_type: row.image_type };
}

/** Whether another achievement of the organisation that is not archived has this name. */
export async function isNameTaken(
  db: Reader,
  { id, org_id, name }: Pick<Achievement, 'id' | 'org_id' | 'name'>,
): Promise<boolean> {
  const other = await db.find(sql<Pick<Achievement, 'id'>>`
    select id from achievements where org_id = ${org_id} and name = ${name} and not archived and id <> ${id}`);
  return other !== undefined;
}

/** Changes what an achievement says. The picture stays unless `image` is given. */
export function updateAchievement(
  tx: Transaction,
  { id, name, description, criteria, alignments, archived }: Achievement,
  image: StoredPicture | null | undefined,
): Promise<Achievement> {
  return tx.one(sql<Achievement>`
    update achievements set name = ${name}, description = ${description}, criteria = ${criteria},
      alignments = ${JSON.stringify(alignments)}::jsonb, archived = ${archived},
      image = case when ${image === undefined} then image else ${image?.content ?? null}::bytea end,
      image_type = case when ${image === undefined} then image_type else ${image?.media_type ?? null}::text end
    where id = ${id} returning ${columns}`);
}

/** Records that achievements were offered, so that they do not change any more. */
export async function markAchievementsOffered(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.run(
    sql`update achievements set is_offered = true where id = any(${ids}::uuid[]) and not is_offered`,
  );
}

/** The position of an achievement in a list: when it was defined (ISO 8601), and its id. */
export type AchievementPlace = readonly [created_at: string, id: string];

/** Lists the achievements of an organisation, newest first. */
export function listAchievements(
  db: Reader,
  org_id: string,
  after: AchievementPlace | undefined,
  limit: number,
): Promise<Achievement[]> {
  const [time, id] = after ?? [null, null];
  return db.list(sql<Achievement>`
    select ${columns} from achievements
    where org_id = ${org_id} and (${time}::timestamptz is null or (created_at, id) < (${time}::timestamptz, ${id}::uuid))
    order by created_at desc, id desc limit ${limit}`);
}

export function countAchievements(db: Reader, org_id: string): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from achievements where org_id = ${org_id}`);
}

export function countOpenAchievements(db: Reader, org_id: string): Promise<number> {
  return db.count(
    sql<{ count: number }>`select count(*) from achievements where org_id = ${org_id} and not archived`,
  );
}

/** Lists those achievements of an organisation that are not archived and have one of these ids or names. */
export function listNamedAchievements(
  db: Reader,
  org_id: string,
  { ids, names }: { readonly ids: readonly string[]; readonly names: readonly string[] },
): Promise<Achievement[]> {
  return db.list(sql<Achievement>`
    select ${columns} from achievements
    where org_id = ${org_id} and not archived and (id = any(${ids}::uuid[]) or name = any(${names}::text[]))`);
}
