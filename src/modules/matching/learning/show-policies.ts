import type { Platform } from '#platform/platform.ts';
import { requirePolicy } from './change-policy.ts';
import { readPolicyHistory, toPolicyWire, type PolicyHistory } from './describe-policies.ts';
import type { Findings } from './evaluate-policy.ts';
import { listLatestEvaluations } from './store.ts';

/** Lists the versions and the changes of the version in use. For the operator. */
export function listPoliciesFromCommand({ database }: Platform): Promise<PolicyHistory> {
  return readPolicyHistory(database);
}

/** One line for each version. */
export function formatPolicies({ live, policies }: PolicyHistory): Readonly<Record<string, string>> {
  return Object.fromEntries(
    policies.map(({ version, parent, created_at, outcomes, organisations, evaluation }) => [
      `version ${version}`,
      [
        version === live.version ? 'live' : 'not live',
        parent === null
          ? 'the priorities as they are'
          : `made from version ${parent} at ${created_at}, with ${outcomes} outcomes of ${organisations} organisations`,
        ...(evaluation ? [describeReasons(evaluation)] : []),
      ].join(', '),
    ]),
  );
}

/** Shows a version with its multipliers and its latest evaluation. @throws OperatorError if it does not exist. */
export async function showPolicy({ database }: Platform, input: Readonly<Record<string, string>>) {
  const policy = await requirePolicy(database, input);
  const [evaluation] = await listLatestEvaluations(database, [policy.version]);
  return { ...toPolicyWire(policy, evaluation), multipliers: policy.multipliers };
}

/** One line for each finding. */
export function formatFindings(findings: Findings): Readonly<Record<string, string>> {
  const { gain, lower_bound, effective_share, outcomes, organisations } = findings;
  return {
    gain: `${gain.toFixed(4)}, above ${lower_bound?.toFixed(4) ?? 'nothing known'} with 95 % probability`,
    evidence: `${outcomes} outcomes of ${organisations} organisations, effective share ${effective_share.toFixed(2)}`,
    fairness: `${findings.groups_compared} groups compared, worse off: ${findings.regressions.join(', ') || 'none'}`,
    decision: describeReasons(findings),
  };
}

function describeReasons({ reasons }: Pick<Findings, 'reasons'>): string {
  return reasons.length === 0 ? 'may be promoted' : `refused: ${reasons.join(', ')}`;
}
