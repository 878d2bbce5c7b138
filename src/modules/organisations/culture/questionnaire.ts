/**
 * The culture questionnaire. It measures how far people trust each other (the seven dimensions of BRAVING), and what counts most (the four
 * quadrants of the competing values framework, CVF). Its wording is the project's, not that of a published questionnaire.
 */

/** The dimensions of BRAVING, in the order of their points. */
export const bravingDimensions = [
  'boundaries',
  'reliability',
  'accountability',
  'vault',
  'integrity',
  'nonjudgment',
  'generosity',
] as const;

export type BravingDimension = (typeof bravingDimensions)[number];

/** The quadrants of the competing values framework, in the order of their points. */
export const cvfQuadrants = ['clan', 'adhocracy', 'market', 'hierarchy'] as const;

export type CvfQuadrant = (typeof cvfQuadrants)[number];

/** Any change of an item requires a new version; answers to different versions are never combined. */
export const questionnaireVersion = 'culture-2';

/** The steps of agreement, from option 0 to option 4. */
export const agreementSteps = [
  'Strongly disagree',
  'Disagree',
  'Neither agree nor disagree',
  'Agree',
  'Strongly agree',
] as const;

export type BravingItem = {
  readonly item_id: string;
  readonly dimension: BravingDimension;
  readonly text: string;
  /** Whether agreement lowers the score of the dimension. */
  readonly reversed: boolean;
};

/** The beginning of a sentence, with four endings to rank. The positions of the quadrants vary between blocks and are not shown. */
export type CvfBlock = {
  readonly block_id: string;
  readonly text: string;
  readonly statements: readonly {
    readonly statement_id: StatementId;
    readonly quadrant: CvfQuadrant;
    readonly text: string;
  }[];
};

export const statementIds = ['a', 'b', 'c', 'd'] as const;

export type StatementId = (typeof statementIds)[number];

/** Two statements for each dimension and two against it, so that a respondent who agrees with everything scores in the middle. */
const bravingTexts: Readonly<
  Record<
    BravingDimension,
    { readonly speakFor: readonly [string, string]; readonly speakAgainst: readonly [string, string] }
  >
> = {
  boundaries: {
    speakFor: [
      'People here say clearly what they can take on and what they cannot.',
      'When somebody says no, that is respected.',
    ],
    speakAgainst: [
      'Work spills into free time, and nobody asks whether that is all right.',
      'People are expected to be reachable at any hour.',
    ],
  },
  reliability: {
    speakFor: [
      'People here do what they said they would do.',
      'Promises are made only when they can be kept.',
    ],
    speakAgainst: [
      'Agreements are forgotten as soon as things get busy.',
      'You have to ask several times before anything happens.',
    ],
  },
  accountability: {
    speakFor: [
      'People who make a mistake admit it.',
      'When something has gone wrong, people put it right instead of explaining it away.',
    ],
    speakAgainst: [
      'When something fails, people look for somebody to blame.',
      'People in charge do not apologise.',
    ],
  },
  vault: {
    speakFor: [
      'What is said in confidence stays confidential.',
      'People talk to each other, not about each other.',
    ],
    speakAgainst: [
      'Personal stories about colleagues make the rounds.',
      'People pass on stories that are not theirs to share.',
    ],
  },
  integrity: {
    speakFor: [
      'People here do what is right, even when it is inconvenient.',
      'Decisions follow the values that the organisation states in public.',
    ],
    speakAgainst: [
      'Shortcuts are fine as long as nobody notices.',
      'People in charge say one thing and do another.',
    ],
  },
  nonjudgment: {
    speakFor: ['You can ask for help here without looking weak.', 'Questions are welcome, even simple ones.'],
    speakAgainst: [
      'Others think less of people who admit a difficulty.',
      'People hide it when they cannot cope.',
    ],
  },
  generosity: {
    speakFor: [
      'When something is unclear, people assume good intentions.',
      'People ask what was meant before they judge it.',
    ],
    speakAgainst: ['An unanswered message is seen as an insult.', 'People expect the worst of other teams.'],
  },
};

/** All statements on trust, in rounds of one for each dimension; the direction alternates. */
export const bravingItems: readonly BravingItem[] = [0, 1, 2, 3].flatMap((round) =>
  bravingDimensions.map((dimension, place) => {
    const reversed = (round + place) % 2 === 1;
    const { speakFor, speakAgainst } = bravingTexts[dimension];
    const nth = Math.floor(round / 2);
    return {
      item_id: `${dimension}_${String(2 * nth + (reversed ? 2 : 1)).padStart(2, '0')}`,
      dimension,
      text: (reversed ? speakAgainst : speakFor)[nth]!,
      reversed,
    };
  }),
);

/** All blocks on what counts. Across the blocks, each quadrant appears once or twice in each position. */
export const cvfBlocks: readonly CvfBlock[] = [
  buildBlock('good_day', 'A good day here is one on which', [
    ['clan', 'people helped each other and felt at home.'],
    ['adhocracy', 'something was tried that nobody had tried before.'],
    ['market', 'a goal was reached before others reached it.'],
    ['hierarchy', 'everything ran as planned.'],
  ]),
  buildBlock('leading', 'The people who lead here are above all', [
    ['adhocracy', 'the first to take a chance.'],
    ['hierarchy', 'organisers who keep things in order.'],
    ['clan', 'mentors who care for their teams.'],
    ['market', 'drivers who demand results.'],
  ]),
  buildBlock('bond', 'What holds us together is', [
    ['market', 'the will to win.'],
    ['clan', 'loyalty and trust among us.'],
    ['hierarchy', 'clear rules and procedures.'],
    ['adhocracy', 'the wish to be first with something new.'],
  ]),
  buildBlock('short_time', 'When time is short, the last thing we give up is', [
    ['hierarchy', 'the proper procedure.'],
    ['market', 'the result that was promised.'],
    ['adhocracy', 'the freedom to experiment.'],
    ['clan', 'the wellbeing of the team.'],
  ]),
  buildBlock('respect', 'What earns the most respect here is', [
    ['clan', 'helping others to grow.'],
    ['market', 'beating the target.'],
    ['adhocracy', 'an idea that nobody else had.'],
    ['hierarchy', 'work without errors.'],
  ]),
  buildBlock('newcomers', 'The first thing that newcomers learn here is', [
    ['adhocracy', 'to question what we do.'],
    ['clan', 'whom to ask for help, and that we look after each other.'],
    ['hierarchy', 'how things are done, step by step.'],
    ['market', 'what is expected, and how it is measured.'],
  ]),
];

function buildBlock(
  block_id: string,
  text: string,
  statements: readonly (readonly [CvfQuadrant, string])[],
): CvfBlock {
  return {
    block_id,
    text: `${text} …`,
    statements: statements.map(([quadrant, ending], place) => ({
      statement_id: statementIds[place]!,
      quadrant,
      text: `… ${ending}`,
    })),
  };
}
