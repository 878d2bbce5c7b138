import type { Reader } from '#platform/database/database.ts';
import { isDetailed, isSettled, listAllSources, type Sources } from './explanation-sources.ts';
import { confidenceStatements, describePriorities, type DescribedPriority } from './explanation-words.ts';

/** What the explanation of a match to its organisation says about the traits that the job asks for most, and about the tier. */
export type ExplainedRow = {
  readonly priorities: readonly DescribedPriority[];
  readonly confidence_statement: string;
};

/** What is written about matches, and those whose explanation is still to be written. Of others, nothing may be read. */
export type ExplainedRows = {
  readonly rows: ReadonlyMap<string, ExplainedRow>;
  readonly missing: readonly { readonly match_id: string; readonly member_id: string }[];
};

/**
 * Lists what the explanations of matches of a job say to its organisation. It reads stored explanations only: one that was computed for a
 * table could differ from the one that the organisation reads.
 */
export async function listExplained(
  db: Reader,
  job_id: string,
  match_ids: readonly string[],
): Promise<ExplainedRows> {
  const readable = (await listAllSources(db, job_id, match_ids)).filter(
    ({ deployed, match_status }) => deployed && match_status !== 'withdrawn',
  );
  const rows = readable.flatMap((sources) => {
    const explained = describeRow(sources);
    return explained ? [[sources.id, explained] as const] : [];
  });
  return {
    rows: new Map(rows),
    missing: readable
      .filter((sources) => !isWritten(sources))
      .map(({ id, member_id }) => ({ match_id: id, member_id })),
  };
}

function isWritten(sources: Sources): boolean {
  const { stored, basis } = sources;
  return stored !== undefined && (stored.basis === basis || isSettled(sources));
}

function describeRow(sources: Sources): ExplainedRow | undefined {
  const { stored, confidence_level } = sources;
  if (!stored || !isWritten(sources)) return undefined;
  return {
    priorities: describePriorities(stored.explanation, {
      reader: 'organisation',
      is_detailed: isDetailed(sources),
    }),
    confidence_statement: confidenceStatements[confidence_level],
  };
}
