/**
 * The culture questionnaire, all of it in our own words: how far people can trust each other (the seven dimensions of BRAVING), and what
 * counts most (the four quadrants of the competing values framework, CVF).
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

/** Any change of an item is a new version; answers to different versions are never added up. */
export const questionnaireVersion = 'culture-1';

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
  /** Agreement speaks against the dimension. */
  readonly reversed: boolean;
};

/** A beginning with four ends to put in order; the place of a quadrant changes from block to block, and is not told. */
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

/** For each dimension two statements that speak for it and two that speak against it: whoever agrees with everything scores in the middle. */
const bravingTexts: Readonly<
  Record<
    BravingDimension,
    { readonly speakFor: readonly [string, string]; readonly speakAgainst: readonly [string, string] }
  >
> = {
  boundaries: {
    speakFor: [
      'People here say clearly what they can take on and what they cannot.',
      'When somebody says no, the answer is respected.',
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
      'One has to ask several times before something happens.',
    ],
  },
  accountability: {
    speakFor: [
      'Whoever makes a mistake says so.',
      'When something has gone wrong, people put it right instead of explaining it away.',
    ],
    speakAgainst: [
      'When something fails, the search for somebody to blame begins.',
      'People in charge do not apologise.',
    ],
  },
  vault: {
    speakFor: [
      'What is told in confidence stays there.',
      'People talk with each other, not about each other.',
    ],
    speakAgainst: [
      'Personal stories about colleagues make the rounds.',
      'Things are passed on by people whose story they are not.',
    ],
  },
  integrity: {
    speakFor: [
      'People here do what is right, also when it is inconvenient.',
      'Decisions follow the values that are written down for visitors.',
    ],
    speakAgainst: [
      'Shortcuts are fine as long as nobody notices.',
      'People in charge say one thing and do another.',
    ],
  },
  nonjudgment: {
    speakFor: ['One can ask for help here without looking weak.', 'Questions are welcome, also simple ones.'],
    speakAgainst: [
      'Whoever admits a difficulty is thought less of.',
      'People hide it when they cannot cope.',
    ],
  },
  generosity: {
    speakFor: [
      'Where something is unclear, people assume good intentions.',
      'People ask what was meant before they judge it.',
    ],
    speakAgainst: [
      'A message without an answer is taken as an insult.',
      'People expect the worst of other teams.',
    ],
  },
};

/** All statements on trust: one of each dimension, then the next of each, with directions taking turns. */
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

/** All blocks on what counts. Over the blocks, each quadrant stands once or twice in each place. */
export const cvfBlocks: readonly CvfBlock[] = [
  buildBlock('good_day', 'A good day here is one on which', [
    ['clan', 'people helped each other and felt at home.'],
    ['adhocracy', 'something was tried that nobody had tried before.'],
    ['market', 'a goal was reached before others reached it.'],
    ['hierarchy', 'everything ran as planned.'],
  ]),
  buildBlock('leading', 'People who lead here are above all', [
    ['adhocracy', 'the first to take a chance.'],
    ['hierarchy', 'organisers who keep things in order.'],
    ['clan', 'mentors who care for their people.'],
    ['market', 'drivers who ask for results.'],
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
    ['adhocracy', 'the room to experiment.'],
    ['clan', 'the wellbeing of the team.'],
  ]),
  buildBlock('respect', 'What earns the most respect here is', [
    ['clan', 'helping others to grow.'],
    ['market', 'beating the target.'],
    ['adhocracy', 'an idea that nobody else had.'],
    ['hierarchy', 'work without errors.'],
  ]),
  buildBlock('newcomers', 'Somebody who is new here is told first', [
    ['adhocracy', 'to question what we do.'],
    ['clan', 'whom to turn to, and that we look after each other.'],
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
    statements: statements.map(([quadrant, end], place) => ({
      statement_id: statementIds[place]!,
      quadrant,
      text: `… ${end}`,
    })),
  };
}
