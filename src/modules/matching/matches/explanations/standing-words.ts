import { traitNames, type TraitCode } from '#modules/measurement/traits';
import type { Extreme, Side, Standing } from './standings.ts';

/** Says in one sentence where the answers place a person in a trait, and whether it stands out. The sentence says nothing else. */
export function formatStanding({ code, standing, side, extreme }: Standing): string {
  return `${traitNames[code]}: ${formatPlace({ standing, side })}${extreme ? `; ${formatExtreme(extreme)}` : ''}.`;
}

function formatPlace({ standing, side }: Pick<Standing, 'standing' | 'side'>): string {
  if (standing === 'open' || side === null)
    return 'the answers leave open on which side of the average this person is';
  if (standing === 'clear') return clearPlaces[side];
  return `this person is probably ${side} average, but the answers do not exclude the other side`;
}

const clearPlaces: Readonly<Record<Side, string>> = {
  far_above: 'the answers place this person far above average',
  above: 'the answers place this person clearly above average',
  middle: 'the answers place this person clearly in the broad middle',
  below: 'the answers place this person clearly below average',
  far_below: 'the answers place this person far below average',
};

function formatExtreme({ extreme, certainty }: Extreme): string {
  return `of the traits described here, it is ${certainty === 'clear' ? 'clearly' : 'probably'} the ${extreme} pronounced`;
}

const questions_max = 2;

/**
 * Lists at most two questions for a conversation that would settle what the answers leave open: first about what is open, then about what is only likely,
 * the most important first. Where everything is clear, nothing is left to ask.
 */
export function listQuestions(standings: readonly Standing[]): string[] {
  const unsettled = (['open', 'likely'] as const).flatMap((certainty) =>
    standings.filter(({ standing }) => standing === certainty),
  );
  return unsettled.slice(0, questions_max).map(({ code }) => questions[code]);
}

/** One question a trait. Each asks for something that happened, so that no answer is the expected one. */
const questions: Readonly<Record<TraitCode, string>> = {
  pressure_response: 'When did the stakes at work rise suddenly, and what did you do then?',
  ambiguity_tolerance: 'When did you have to begin before the goal was clear, and how did you go about it?',
  change_agility: 'Which change at work came at a bad time for you, and what did you do with your plans?',
  recovery_resilience: 'Which setback do you remember best, and what did the weeks after it look like?',
  analytical_depth: 'Which problem did you look into further than others did, and what made you stop?',
  exploratory_curiosity: 'What have you tried out lately that your work did not ask for?',
  structure_preference: 'How did you organise your last large task, and what did you leave open?',
  decision_mode: 'How did you reach your last difficult decision, and whom did you ask?',
  collaborative_orientation: 'Which result was the work of your whole group, and what was your part in it?',
  social_initiative: 'When did you last begin a conversation with people whom you did not know?',
  empathic_attunement:
    'When did you notice that something was wrong with a colleague, and what did you make of it?',
  conflict_style: 'Which disagreement at work did you have last, and how did it end?',
  achievement_drive: 'Which goal did you last set for yourself, and how did you choose its height?',
  autonomy_drive: 'When did you last decide something alone, and when did you ask for guidance?',
  purpose_orientation: 'What would your last work have lacked if it had only been paid well?',
  persistence: 'Which tedious task did you finish, which did you give up, and why?',
  sincerity: 'When was it hard to say what you thought, and what did you say?',
  fair_dealing: 'When could you have gained at the expense of somebody, and what did you do?',
  accountability: 'Which mistake of yours had consequences for others, and what followed?',
  discretion: 'How did you deal with something confidential that others needed to know?',
};
