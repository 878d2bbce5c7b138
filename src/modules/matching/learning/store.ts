import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Findings } from './evaluate-policy.ts';

/** What was found about a version, and when. */
export type Evaluation = {
  readonly number: number;
  readonly version: number;
  readonly evaluated_at: Date;
  readonly findings: Findings;
};

/** Adds an evaluation with the next number. Lock the policies first. */
export async function insertEvaluation(
  tx: Transaction,
  { version, evaluated_at, findings }: Omit<Evaluation, 'number'>,
): Promise<void> {
  await tx.run(sql`
    insert into policy_evaluations (number, version, evaluated_at, findings)
    select coalesce(max(number), 0) + 1, ${version}, ${evaluated_at}, ${JSON.stringify(findings)}::jsonb from policy_evaluations`);
}

/** Lists the latest evaluation of each of the versions. */
export function listLatestEvaluations(db: Reader, versions: readonly number[]): Promise<Evaluation[]> {
  return db.list(sql<Evaluation>`
    select distinct on (version) number, version, evaluated_at, findings from policy_evaluations
    where version = any(${versions}::smallint[]) order by version, number desc`);
}
