/** The culture profile of an organisation, and its questionnaire. */
export const organisationCultureTexts = {
  culture: {
    title: 'Culture',
    lead: 'How people here trust each other, and what counts most. People who consider your jobs read it in words.',
    yourTurn: 'Your answers are missing',
    yourTurnLead: 'The questionnaire takes about six minutes, in ten short steps.',
    begun: 'You have begun',
    begunLead: (date: string) => `Your answers are saved and not sent. They are deleted on ${date}.`,
    goOn: 'Go on',
    answered: 'You have answered',
    answeredLead: (date: string) => `You answered on ${date}. New answers replace the earlier ones.`,
    missing: (count: number) =>
      count === 1
        ? ' One more person must answer before the next profile.'
        : ` ${count} more people must answer before the next profile.`,
    answer: 'Answer the questionnaire',
    answerAgain: 'Answer again',
    notYet: (count: string) =>
      `The profile appears once ${count} people have answered, so that no single answer can be read from it.`,
    declare: 'Declare it together',
    declareAgain: 'Declare it again',
    declareLead:
      'You are fewer than five, so that answers of single people cannot be averaged. Agree together on how things are here, and publish it as your own declaration.',
    declared: (date: string) => `Declared by your organisation on ${date}. It was not measured.`,
    declaredLead:
      'Wherever this profile is used, it is marked as declared. Once five people have answered the questionnaire, their answers replace it.',
    based: (respondents: string, date: string) => `Answers of ${respondents} people, published on ${date}.`,
    earlier: 'Earlier profile',
    latest: 'Latest profile',
    trust: 'Trust',
    trustLead: 'How far people agree. In the middle, they neither agree nor disagree.',
    trustDeclared: 'How far your organisation agrees. In the middle, it neither agrees nor disagrees.',
    dimensions: {
      boundaries: 'Boundaries',
      reliability: 'Reliability',
      accountability: 'Accountability',
      vault: 'Confidence',
      integrity: 'Integrity',
      nonjudgment: 'No judging',
      generosity: 'Generosity',
    },
    meanings: {
      boundaries: 'A no is respected.',
      reliability: 'Promises are kept.',
      accountability: 'Mistakes are admitted and put right.',
      vault: 'What is said in confidence stays there.',
      integrity: 'People do what is right rather than what is easy.',
      nonjudgment: 'One can ask for help without being judged.',
      generosity: 'People assume good intentions.',
    },
    values: 'What counts most',
    valuesLead: 'Four ways to succeed, which compete with each other. The shares add up to the whole.',
    quadrants: { clan: 'Community', adhocracy: 'Discovery', market: 'Results', hierarchy: 'Order' },
    quadrantMeanings: {
      clan: 'People and working together',
      adhocracy: 'New ideas and trying things out',
      market: 'Results and reaching goals',
      hierarchy: 'Reliable processes',
    },
    chart: 'The four values as a figure: the further it reaches into a corner, the more that value counts.',
    axes: { flexible: 'flexible', stable: 'stable', inward: 'inward', outward: 'outward' },
  },
  questionnaire: {
    back: 'Culture',
    title: 'How do you work together?',
    lead: 'Say how things are, not how they should be.',
    privacy: (count: string) =>
      `Nobody reads your answers. A profile is published for ${count} people at once, as an average.`,
    trust: 'How people treat each other',
    trustLead: 'How much do you agree?',
    values: 'What counts',
    valuesLead: 'Put the four endings in order: the one that fits best is first.',
    choose: 'Place',
    places: ['First', 'Second', 'Third', 'Fourth'],
    incomplete: 'choose one of the five',
    progress: (step: string, steps: string) => `Step ${step} of ${steps}`,
    next: 'Save and go on',
    previous: 'Previous step',
    saved: 'Saved',
    unsaved: 'Not saved yet. It is saved when you go on.',
    kept: (date: string) =>
      `Your answers are saved, and you can go on with them on any device. Only you can read them. They are deleted when you send them, or on ${date}.`,
    discard: 'Delete what is saved',
    order: 'give each ending a place of its own',
    missing: (count: number) => (count === 1 ? 'One answer is missing.' : `${count} answers are missing.`),
    button: 'Send my answers',
  },
  declaration: {
    title: 'Declare your culture',
    lead: 'For organisations of fewer than five people. Talk about it first: this is what you say together. No answers of single people are asked.',
    meaning: [
      'People who consider your jobs read it in words, as what your organisation says about itself.',
      'What you read about belonging says that it is based on a declaration.',
      'You can declare another one after a week. The answers of five people replace it.',
    ],
    trustLead: 'How far do you agree, all together?',
    valuesLead: 'Four ways to succeed, which compete with each other.',
    steps: ['Strongly disagree', 'Disagree', 'Neither', 'Agree', 'Strongly agree'],
    places: ['Counts most', 'Second', 'Third', 'Counts least'],
    choose: 'Choose',
    repeated: 'choose a value that has no other place',
    button: 'Publish our declaration',
    from: (date: string) =>
      `You have declared your culture less than a week ago. You can declare it again from ${date}.`,
    refused: {
      culture_declaration_measured:
        'Your culture profile is measured. The answers of five people replace it, and no declaration does.',
      culture_declaration_too_many_users:
        'You are five people or more. Answer the questionnaire: the profile appears once five have answered.',
      culture_declaration_too_soon: 'You have declared your culture less than a week ago.',
    },
  },
} as const;
