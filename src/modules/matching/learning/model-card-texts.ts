import { family_outcomes_min } from './estimation/build-models.ts';
import { organisations_min, respondentCaps } from './estimation/limit-weights.ts';
import { promotionRules } from './estimation/decide-promotion.ts';
import { policyBounds } from './estimation/derive-multipliers.ts';
import { group_members_min } from './estimation/impact-ratios.ts';
import { batch_outcomes } from './learn.ts';
import { half_life_days, recordWeights } from './rules.ts';

/** The words of the model card. Figures come from the constants that the code uses. */
export const modelCardTexts = {
  purpose: [
    'The model suggests members for jobs. It compares how a member prefers to work, in twenty traits, with the priorities that an organisation has set for a job.',
    'The policy adjusts those priorities to what became of earlier matches. It decides how much each priority counts in the fit, and nothing else.',
    'A person decides about every match: the organisation, and then the member. Organisations see a tier and words, never a score.',
  ],
  not_for: [
    'Decisions without a person, dismissal, promotion on its own, diagnosis, and statements about ability, health or honesty.',
    'Comparing people whom the service has not matched, or outside of the job for which they were matched.',
  ],
  data: [
    `Outcomes that organisations record: placed (good, weight ${recordWeights.placed}), not placed (bad, ${recordWeights.not_placed}), extended (good, ${recordWeights.extended}), left within 90 days and before the planned end (bad, ${recordWeights.left_early}), stayed for 180 days (good, ${recordWeights.stayed}).`,
    `Ratings from 1 to 5 by both sides after 30, 90 and 180 days, with the weights ${recordWeights.rating[30]}, ${recordWeights.rating[90]} and ${recordWeights.rating[180]}.`,
    'What is said about a placement counts by how long the service has known of it, not by the date that the organisation states.',
    `All outcomes of one member weigh at most ${respondentCaps.member_weight}, and those of one organisation at most ${respondentCaps.organisation_share * 100} % of all. Further outcomes of an organisation count less and less, and an organisation that says something else than all others counts little or not at all. Fewer than ${organisations_min} organisations are not learned from, and suspended ones neither.`,
    `What is known about a match counts half after ${half_life_days / 365} years, because work and organisations change.`,
    'Comments, reasons, names and contact are not read. Members who have withdrawn the consent to matching are left out, and what was observed of a member is deleted with the member’s matches.',
  ],
  features: [
    'Twenty: for each trait, the priority’s share in the fit times the member’s trait.',
    'Three: authenticity, acceptance and complementarity, that is how the member and the culture of the organisation suit each other. They explain outcomes, so that they are not ascribed to traits. The policy does not use them.',
    'One constant.',
  ],
  excluded: [
    'Gender, age, ethnicity and disability, which members may state for statistics about fairness. The database refuses them to the role that learning runs as.',
    'Name, address, place, education, years of experience, salary, and anything that was bought or sold.',
  ],
  method: [
    `Bayesian logistic regression with Laplace’s approximation, for all jobs and for each occupation group with at least ${family_outcomes_min} outcomes, which starts from the model of all jobs. How far traits may differ from each other is estimated from the outcomes as well. After every ${batch_outcomes} new outcomes, a candidate is built.`,
    'The order of matches within a tier is random. Each match records the version that computed its labels and the number of matches of its tier, so that the probability of its place is known. Which traits organisations prefer when they choose from a tier is estimated from their choices.',
    'Two jobs in five train nothing. With them, a candidate is compared with the live version by a doubly robust estimate, before it changes anything.',
  ],
  promotion: [
    `The estimated gain is above zero and its lower bound (95 %, by organisation) above ${promotionRules.gain_lower_bound_min}; at least ${promotionRules.outcomes_min} outcomes of ${promotionRules.organisations_min} organisations; an effective sample of at least ${promotionRules.effective_share_min * 100} % of them.`,
    `No multiplier changes by more than ${policyBounds.step_max} from one version to the next.`,
    `No group of at least ${group_members_min} members who self-identified is selected less than four fifths as often as the most selected group, unless it is no worse off than now.`,
    'A version never changes. An operator can go back to the version before at once; after that, only an operator promotes.',
  ],
  limits: [
    'The order is random, but who chooses from it is not. The estimate allows for preferences of organisations for traits and belonging, not for reasons that the model does not see, such as an interview. It is about choices within a tier, not between tiers.',
    'Ratings are opinions of the two sides of a placement. Outcomes of people who were not chosen are unknown.',
    'The fairness gate sees only members who self-identified, for active jobs, and only groups of ten or more. It is a safeguard, not an audit.',
    'Results are from simulations until an installation has outcomes of its own. In simulations the loop learns little where priorities are already nearly right, where the fit says little about outcomes, or soon after the world has changed.',
    'An explanation of a match says which traits count more or less because of the policy. The two traits that it describes before both sides agree are those of the organisation’s own priorities.',
  ],
} as const;
