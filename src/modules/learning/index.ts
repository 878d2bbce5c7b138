export { evaluateFromCommand, promotePolicy, rollBackPolicy } from './change-policy.ts';
export { learnFromOutcomes } from './learn.ts';
