/** What was found about statements of the assessment, and what the operator decides about it. */
export const operatorFindingTexts = {
  operatorFindings: {
    title: 'Findings about statements',
    lead: 'What calibrations and comparisons of groups found about the statements of the assessment. Nothing follows from a finding until you decide.',
    filter: 'Which findings',
    states: { open: 'To decide', accepted: 'In force', dismissed: 'Dismissed' },
    empty: {
      open: 'Nothing is waiting for a decision.',
      accepted: 'No decision is in force.',
      dismissed: 'No finding was dismissed.',
    },
    kinds: {
      weak: 'hardly tells people apart',
      misfit: 'does not fit the model',
      dependent: 'two that are alike',
      differs: 'differs between groups',
      drifted: 'has drifted',
    },
    unknown: (id: string) => `${id}, which this version of the program does not have`,
    weak: (size: string) => `Its discrimination is ${size}; below 0.60 an answer says little.`,
    misfit: (size: string) =>
      `People answer it otherwise than the model expects: its mean square is ${size}, where 0.70 to 1.30 is usual.`,
    dependent: (size: string) =>
      `Answers to both are more alike than the trait explains: their residual correlation is ${size}, where up to 0.20 is usual.`,
    differs: (attribute: string, group: string, reference: string, size: string, is_higher: boolean) =>
      `${attribute}: “${group}” answers it ${size} standard deviations ${is_higher ? 'higher' : 'lower'} than “${reference}” with the same trait.`,
    location: (version: string, size: string, is_higher: boolean) =>
      `Since version ${version} it needs ${size} standard deviations ${is_higher ? 'more' : 'less'} of the trait to give the same answer.`,
    discrimination: (version: string, size: string, is_higher: boolean) =>
      `Since version ${version} it tells people apart ${is_higher ? 'better' : 'less'}: the logarithm of its discrimination moved by ${size}.`,
    meanings: {
      weak: 'Members spend time on an answer that hardly changes their result.',
      misfit: 'The result of a member who understands it in another way can be wrong.',
      dependent: 'Both answers count in full, so results look more certain than they are.',
      differs: 'Members of one group get another result than equals of the other.',
      drifted: 'Results from before and from now are not quite comparable.',
    },
    affected: (answered: string, respondents: string) =>
      `${answered} of the ${respondents} results that were examined would change.`,
    found: (date: string, version: string) => `Found on ${date}, version ${version}`,
    decided: (date: string) => `Decided on ${date}`,
    decide: 'Decide',
    choices: {
      enemies: 'Never ask both',
      less_weight: 'Count less',
      retire: 'Retire',
      dismiss: 'Dismiss',
    },
    effects: {
      enemies:
        'No member is asked both from now on. Where both were answered, they count together as less than two.',
      less_weight: 'An answer to it counts half.',
      less_together: 'Both can be asked, and count together as less than two.',
      retire: 'It is not asked, and answers to it count nothing.',
      dismiss: 'Nothing changes. The finding does not open again.',
    },
    retireOne: (text: string) => `Retire “${text}”`,
    about: (choice: string, text: string) => `${choice}: ${text}`,
    follows:
      'Except after dismissing, stored answers are scored again, and all lists change at once when that is done. Every decision can be undone.',
    byGroup:
      'Other parameters for each group are not offered: what members say about themselves never enters a result.',
    undo: 'Undo',
    undoOf: (text: string) => `Undo the decision about: ${text}`,
    undoText: 'Results are again what they were without this decision, when stored answers are scored.',
  },
} as const;
