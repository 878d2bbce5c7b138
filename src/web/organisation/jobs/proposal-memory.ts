/** What the form of a job remembers of the text that filled it in: why each trait was proposed, and the occupation. */
export const proposal_reasons = 'proposal_reasons';
export const proposal_occupation = 'proposal_occupation';

export const proposalMemory = [proposal_reasons, proposal_occupation] as const;
