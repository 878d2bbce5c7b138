import type { BankDecisions } from '../items/decisions.ts';

/** What can be found about statements. */
export const findingKinds = ['weak', 'misfit', 'dependent', 'differs', 'drifted'] as const;

export type FindingKind = (typeof findingKinds)[number];

/** What a person can decide about a finding. */
export const findingDecisions = ['enemies', 'less_weight', 'retire', 'dismiss'] as const;

export type FindingDecision = (typeof findingDecisions)[number];

/** What an examination found about a statement, or about two. */
export type NewFinding = {
  readonly kind: FindingKind;
  /** The statement, or both of a dependent pair in the order of their ids. */
  readonly item_ids: readonly string[];
  /** The group for which a statement works differently (`gender woman`), or the parameter that drifted; otherwise empty. */
  readonly subject: string;
  /** The group or the version that it was compared with; otherwise empty. */
  readonly compared_with: string;
  /**
   * How much: the discrimination of a weak statement, the mean square of one that does not fit, the residual correlation of a pair, the
   * difference between groups in standard deviations of the answers, what a parameter moved in population standard deviations or in ln a.
   */
  readonly size: number;
  /** How many of the respondents answered the statement, or both. */
  readonly answered: number;
};

/** A finding that is stored. */
export type Finding = NewFinding & {
  readonly id: string;
  /** The version of the parameters that was examined. */
  readonly parameter_version: string;
  readonly respondents: number;
  readonly found_at: Date;
  /** Null while nobody has decided. */
  readonly decision: FindingDecision | null;
  /** Which statement of a dependent pair is retired; otherwise null. */
  readonly retired_item: string | null;
  readonly decided_at: Date | null;
};

export const findingStates = ['open', 'accepted', 'dismissed'] as const;

export type FindingState = (typeof findingStates)[number];

export function selectFindingState({ decision }: Pick<Finding, 'decision'>): FindingState {
  if (decision === null) return 'open';
  return decision === 'dismiss' ? 'dismissed' : 'accepted';
}

/** Lists what can be decided about a finding of this kind. Parameters by group are not offered: what a member says about themselves never enters a score. */
export function listChoices(kind: FindingKind): readonly FindingDecision[] {
  return kind === 'dependent'
    ? ['enemies', 'less_weight', 'retire', 'dismiss']
    : ['less_weight', 'retire', 'dismiss'];
}

/** How much an answer to a statement counts after the decision `less_weight`. */
const lower_weight = 0.5;

/** Combines the decisions that stand, so that the same decisions in any order are the same. Of several about one statement, the strictest counts. */
export function combineDecisions(
  findings: readonly Pick<Finding, 'kind' | 'item_ids' | 'size' | 'decision' | 'retired_item'>[],
): BankDecisions {
  const weights = new Map<string, number>();
  const setWeight = (id: string, weight: number) => weights.set(id, Math.min(weight, weights.get(id) ?? 1));
  for (const { kind, item_ids, decision, retired_item } of findings) {
    if (decision === 'retire') setWeight(retired_item ?? item_ids[0]!, 0);
    if (decision === 'less_weight' && kind !== 'dependent') setWeight(item_ids[0]!, lower_weight);
  }
  const pairs = findings
    .filter(
      ({ kind, decision }) => kind === 'dependent' && (decision === 'enemies' || decision === 'less_weight'),
    )
    .map(({ item_ids: [one, other], size, decision }) => ({
      items: [one!, other!] as const,
      correlation: size,
      is_asked_together: decision === 'less_weight',
    }));
  return {
    weights: Object.fromEntries([...weights].toSorted(compareFirst)),
    pairs: pairs.toSorted((one, other) => (one.items.join() < other.items.join() ? -1 : 1)),
  };
}

function compareFirst([one]: readonly [string, number], [other]: readonly [string, number]): number {
  return one < other ? -1 : 1;
}
