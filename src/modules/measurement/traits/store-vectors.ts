import { emptySql, sql, type Reader } from '#platform/database/database.ts';
import type { AssessmentStage } from './measurement/stages.ts';

/** A version of a member's trait vector, without the traits. */
type VectorSummary = {
  readonly version: number;
  readonly stage: AssessmentStage;
  readonly provisional: boolean;
  readonly created_at: Date;
};

export type VectorPlace = readonly [version: number];

/** The versions of a member's trait vector, newest first; `after` is the last one on the previous page. */
export function listVectors(
  db: Reader,
  member_id: string,
  after: VectorPlace | undefined,
  limit: number,
): Promise<VectorSummary[]> {
  const from = after ? sql`and version < ${after[0]}` : emptySql;
  return db.list(sql<VectorSummary>`
    select version, stage, provisional, created_at from trait_vectors
    where member_id = ${member_id} ${from} order by version desc limit ${limit}`);
}

export function countVectors(db: Reader, member_id: string): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from trait_vectors where member_id = ${member_id}`);
}
