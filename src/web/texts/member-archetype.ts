/** The page about a member's archetype. */
export const archetypeTexts = {
  archetype: {
    title: 'Your archetype',
    notYet: 'Your archetype appears here after the first fifty statements of the assessment.',
    toAssessment: 'To the assessment',
    betweenTitle: (one: string, other: string) => `Between ${one} and ${other}`,
    familyOf: (family: string, meaning: string) => `${family}: ${meaning}`,
    families: {
      wayfinding: 'Wayfinding',
      craft: 'Craft',
      fellowship: 'Fellowship',
      stewardship: 'Stewardship',
    },
    certainTitle: 'How certain this is',
    certainty: {
      high: 'Quite certain',
      medium: 'Fairly certain',
      low: 'Not certain enough for one archetype',
    },
    retest: (share: string, family: string) =>
      `If you took the assessment again, it would lead to the family ${family} with a probability of ${share}.`,
    alternatives:
      'If you took the assessment again, these two families would be its most probable results. So we name both instead of guessing:',
    within: {
      high: (name: string) => `Within the family, ${name} is quite certain.`,
      medium: (name: string, next: string) =>
        `Within the family, ${name} is fairly certain; ${next} is next.`,
      low: (name: string, next: string) =>
        `Within the family, ${name} is the nearest, but ${next} is close to it.`,
    },
    preliminary: 'This is a first result. More answers make it more certain, and can change it.',
    provisional: 'The assessment is new, so no archetype is called quite certain yet.',
    reasonsTitle: 'What it rests on',
    toTraits: 'All your traits',
    meaningTitle: 'What it means',
    meaning: [
      'An archetype is a picture in words of where your twenty traits point together. It is named after an object, because you are not a type: everyone has something of several.',
      'It says what you probably contribute most, not what you are able to do. Jobs are matched by your traits, never by your archetype.',
    ],
    uses: 'Only you see this page. Others see your archetype if you put it into a credential and share that.',
    toCredential: 'Make a credential of it',
    measured: (date: string) => `From the result of ${date}.`,
    allTitle: 'All twelve archetypes',
    allLead: 'Four families, each with three archetypes.',
    high: (traits: string) => `More than most: ${traits}`,
    low: (traits: string) => `Less than most: ${traits}`,
    ways: {
      decision_mode: 'Deciding by reasons and with others',
      conflict_style: 'Looking for what suits both',
    },
    yours: 'yours',
    next: 'next nearest',
  },
} as const;
