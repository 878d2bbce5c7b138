import { traitNames } from '#modules/measurement/traits';

/** The names of traits, and their results in words. */
export const traitTexts = {
  traits: {
    title: 'Your traits',
    lead: 'Imagine a hundred people in a row, from least to most. The band shows the places where you probably are, the line the most likely one.',
    measured: (time: string) => `Measured on ${time}. Only you see this page.`,
    words: {
      much_less: 'Much less than most people',
      less: 'Less than most people',
      average: 'About as much as most people',
      more: 'More than most people',
      much_more: 'Much more than most people',
    },
    range: (lower: string, upper: string) => `place ${lower} to ${upper} of 100`,
    preliminary: 'This is a first result. More answers narrow the bands.',
    provisional:
      'The assessment is still new, so the bands are wider than they will be once enough members have answered.',
    earlier: 'This is an earlier result.',
    latest: 'Show the latest',
    versionsTitle: 'Your results',
    versionOf: (time: string) => `Result of ${time}`,
    firstResult: 'first result',
    qualityTitle: 'We are less certain than usual',
    qualityLead:
      'Your answers say less about you than answers usually do. This happens easily, and only you read it:',
    quality: {
      straight_lining: 'Many statements in a row have the same answer.',
      inconsistent: 'Statements about the same thing have answers that differ a lot.',
      too_fast: 'Many statements were answered faster than most people read.',
      idealised: 'Nearly all answers are the most favourable ones.',
    },
    notYet: 'Your traits appear here once you have finished the assessment.',
    toAssessment: 'To the assessment',
    families: {
      adaptive_capacity: 'Adapting',
      cognitive_style: 'Thinking',
      interpersonal_orientation: 'Working with people',
      drive_architecture: 'What drives you',
      integrity_trust: 'Integrity and trust',
    },
    names: traitNames,
    values: {
      rational: 'By reasons',
      intuitive: 'By intuition',
      consultative: 'By asking others',
      spontaneous: 'On the spot',
      deferring: 'Leaving it to others',
      competing: 'Standing firm',
      collaborating: 'Looking for what suits both',
      compromising: 'Meeting halfway',
      avoiding: 'Keeping out of it',
      accommodating: 'Giving way',
    },
  },
} as const;
