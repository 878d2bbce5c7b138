/** What the form of a job remembers of the text that filled it in: why each trait was proposed, the occupation, and what the publisher calls it. */
export const proposal_reasons = 'proposal_reasons';
export const proposal_occupation = 'proposal_occupation';

export const proposal_reference = 'proposal_reference';

export const proposalMemory = [proposal_reasons, proposal_occupation, proposal_reference] as const;
