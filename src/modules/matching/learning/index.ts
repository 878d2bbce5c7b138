export { evaluatePolicyFromCommand, promotePolicy, rollBackPolicy } from './change-policy.ts';
export { learnFromOutcomes } from './learn.ts';
export { listPolicyUses, useActions, type ListedPolicyUse } from './list-policy-uses.ts';
export { listFitPolicies } from './list-fit-policies.ts';
export { personalData } from './personal-data.ts';
export { readModelCard } from './read-model-card.ts';
export { rollBackFitPolicy } from './roll-back-fit-policy.ts';
export { formatFindings, formatPolicies, listPoliciesFromCommand, showPolicy } from './show-policies.ts';
