import type { Static } from 'typebox';
import {
  findLivePolicy,
  listPolicies,
  listUses,
  type PolicyUse,
  type StoredPolicy,
} from '#modules/matching/matches';
import type { Reader } from '#platform/database/database.ts';
import { listLatestEvaluations, type Evaluation } from './store.ts';
import type { findingsWire, policyWire, useWire } from './wire.ts';

const versions_max = 100;
const uses_max = 100;

export type PolicyHistory = {
  readonly live: StoredPolicy;
  readonly policies: Static<typeof policyWire>[];
  readonly uses: Static<typeof useWire>[];
};

/** Reads the newest versions with their latest evaluations, and the latest changes of the version in use; the newest first. */
export async function readPolicyHistory(db: Reader): Promise<PolicyHistory> {
  const live = await findLivePolicy(db);
  const stored = await listPolicies(db, versions_max);
  const shown = stored.some(({ version }) => version === live.version) ? stored : [...stored, live];
  const evaluations = await listLatestEvaluations(
    db,
    shown.map(({ version }) => version),
  );
  const found = new Map(evaluations.map((evaluation) => [evaluation.version, evaluation]));
  return {
    live,
    policies: shown.map((policy) => toPolicyWire(policy, found.get(policy.version))),
    uses: (await listUses(db, uses_max)).map(toUseWire),
  };
}

export function toPolicyWire(
  { version, parent, created_at, trained_on }: StoredPolicy,
  evaluation: Evaluation | undefined,
): Static<typeof policyWire> {
  return {
    version,
    parent,
    created_at: created_at.toISOString(),
    outcomes: Number(trained_on['outcomes'] ?? 0),
    organisations: Number(trained_on['organisations'] ?? 0),
    families: Array.isArray(trained_on['families']) ? trained_on['families'].map(String) : [],
    evaluation: evaluation ? toFindingsWire(evaluation) : null,
  };
}

function toFindingsWire({ evaluated_at, findings }: Evaluation): Static<typeof findingsWire> {
  return {
    ...findings,
    evaluated_at: evaluated_at.toISOString(),
    regressions: [...findings.regressions],
    reasons: [...findings.reasons],
  };
}

function toUseWire({ version, action, used_at }: PolicyUse): Static<typeof useWire> {
  return { version, action, used_at: used_at.toISOString() };
}
