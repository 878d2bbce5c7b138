import { computeInformation } from '@tessera/psychometrics';
import { formatUtcDate } from '#platform/format-utc-time.ts';
import type { ComparedItem } from '../banks/compare-groups.ts';
import type { BankVersion } from '../banks/bank-version.ts';
import type { TraitReport } from '../calibration/calibrate-bank.ts';
import type { ItemBank } from '../items/bank.ts';
import type { GradedItem } from '../items/item.ts';
import { english } from '../items/languages.ts';
import { listBankLanguages } from '../items/translate-bank.ts';
import {
  empty,
  formatFigure,
  type ReportDocument,
  type ReportSection,
  type ReportTable,
} from './report-document.ts';
import type { RespondentReport } from './score-respondents.ts';
import { describeValidity } from './describe-validity.ts';
import { computeInterval, fewest_pairs, type RetestCorrelation } from './retest-correlations.ts';

/** Everything that a report says, as far as it is known. */
export type ReportInput = BankVersion & {
  /** What the calibration found; undefined if the version was not made by one. */
  readonly traits: readonly TraitReport[] | undefined;
  /** How statements work in groups; undefined if no file was given. */
  readonly compared: readonly ComparedItem[] | undefined;
  /** What the answers of a file show; undefined if no file was given. */
  readonly respondents_of_file: RespondentReport | undefined;
  /** What makes the figures of that file again. */
  readonly report_command: string;
  /** What makes the comparison of groups again. */
  readonly compare_command: string;
  readonly retests: { readonly pairs: number; readonly correlations: readonly RetestCorrelation[] };
  readonly now: Date;
};

/** Builds the technical report of a version, in the order of the EFPA model for reviews of tests. It says what is missing. */
export function buildReport(input: ReportInput): ReportDocument {
  const { bank, items, now } = input;
  return {
    title: `Technical report of ${bank}`,
    bank,
    version: items.parameter_version,
    created_at: now.toISOString(),
    sections: [
      describeMaterials(input),
      describeNorms(input),
      describeReliability(input),
      describeErrors(input),
      describeStructure(input),
      describeInvariance(input),
      describeRetest(input),
      describeValidity(input),
      describeLimits(input),
    ],
  };
}

const describeBank = ({ bank, items }: ReportInput) => `--bank ${bank} --version ${items.parameter_version}`;

function describeMaterials(input: ReportInput): ReportSection {
  const { items } = input;
  const languages = listBankLanguages(items);
  const scales = [...items.gradedByTrait].map(([scale, statements]) => [
    scale,
    String(statements.length),
    String(statements.filter(({ reversed }) => reversed).length),
    String(Math.max(...statements.map(({ thresholds }) => thresholds.length + 1))),
  ]);
  return {
    ...empty,
    heading: 'Materials',
    sentences: [
      `${items.graded.length} statements are asked in ${scales.length} scales. ${items.retired?.length ?? 0} are retired: they score answers and are not asked. ${items.seeded?.length ?? 0} are new, and count nothing yet. ${describeLanguages(items)}`,
    ],
    tables: [{ caption: 'Scales', columns: ['Scale', 'Statements', 'Reversed', 'Options'], rows: scales }],
    command: `items export ${describeBank(input)} --json`,
    missing: languages.flatMap((language) => describeOpenLanguage(items, language)),
  };
}

function describeLanguages(items: ItemBank<string>): string {
  const [own = '', ...others] = listBankLanguages(items);
  if (own === '') return 'No language has the text and the options of every statement.';
  const compared = others.flatMap((language) => {
    const { alike, items: differing } = items.languages?.[language] ?? { alike: [], items: {} };
    const count = Object.keys(differing).length;
    return alike.length + count === 0
      ? []
      : [
          `In ${language}, ${alike.length} statements work as in ${own}, and ${count} have parameters of their own.`,
        ];
  });
  return [
    `The parameters are of answers in ${own}. All statements can be read in: ${[own, ...others].join(', ')}.`,
    ...compared,
  ].join(' ');
}

function describeOpenLanguage(items: ItemBank<string>, language: string): readonly string[] {
  if (language === (items.language ?? english)) return [];
  const { alike = [], items: differing = {} } = items.languages?.[language] ?? {};
  const open = items.graded.filter(({ id }) => !alike.includes(id) && !Object.hasOwn(differing, id)).length;
  if (open === 0) return [];
  return [
    `How ${open} statements work in ${language}: \`items add-language\` finds out from answers. Until then, results in this language carry wider bounds.`,
  ];
}

function describeNorms(input: ReportInput): ReportSection {
  const { norms, respondents, items } = input;
  const provisional = items.provisional
    ? ['The parameters are provisional: fewer than 500 people answered, or none.']
    : [];
  if (norms === null && respondents === 0)
    return {
      ...empty,
      heading: 'Norms',
      missing: ['No answers are in these parameters: they are judged. `items calibrate` estimates them.'],
    };
  const from = norms ? ` (${formatDate(norms.date)}), from ${norms.source}` : '';
  return {
    ...empty,
    heading: 'Norms',
    sentences: [
      `The zero and the unit of each scale are the mean and the standard deviation of ${respondents} respondents${from}.`,
      ...provisional,
    ],
    command: 'items calibrate',
    missing: ['How these respondents were found, and whom they represent. Norms by age, gender or country.'],
  };
}

function describeReliability(input: ReportInput): ReportSection {
  const tables = [...buildCalibratedTables(input), ...buildTablesOfFile(input)];
  if (tables.length === 0)
    return {
      ...empty,
      heading: 'Reliability',
      missing: [
        'Reliability needs answers. `items simulate` says what to expect of the parameters before anybody has answered.',
      ],
    };
  return {
    ...empty,
    heading: 'Reliability',
    sentences: [
      'Each table has 95 % intervals, those of a correlation of two parallel forms (Fisher 1921).',
      ...(input.respondents_of_file
        ? [
            'Among the respondents of a file, the reliability is the share of the variance of their scores that is not error (Green and others 1984); the errors include those of the parameters. Figures of the people whose answers made the parameters are a little too favourable.',
          ]
        : []),
    ],
    tables,
    command: input.respondents_of_file ? input.report_command : `items calibrate --bank ${input.bank} --json`,
  };
}

/** The reliability of the calibration, for the statements that its respondents answered. */
function buildCalibratedTables({ traits = [], respondents }: ReportInput): readonly ReportTable[] {
  if (traits.length === 0) return [];
  return [
    {
      caption: 'Marginal reliability',
      columns: ['Scale', 'Reliability', 'From', 'To', 'Converged'],
      rows: traits.map(({ trait, reliability, converged }) => [
        ...formatReliability(trait, reliability, respondents),
        converged ? 'yes' : 'no',
      ]),
    },
  ];
}

function buildTablesOfFile({ respondents_of_file: found }: ReportInput): readonly ReportTable[] {
  if (!found || found.people < fewest_pairs) return [];
  return [
    {
      caption: `Reliability among ${found.people} respondents of ${found.file}`,
      columns: ['Scale', 'Reliability', 'From', 'To'],
      rows: found.reliabilities.map(({ scale, reliability }) =>
        formatReliability(scale, reliability, found.people),
      ),
    },
  ];
}

function formatReliability(scale: string, reliability: number, people: number): readonly string[] {
  const { lower, upper } = computeInterval(reliability, Math.max(4, people));
  return [scale, ...[reliability, lower, upper].map(formatFigure)];
}

const places = [-2, -1, 0, 1, 2] as const;

function describeErrors(input: ReportInput): ReportSection {
  const rows = [...input.items.gradedByTrait].map(([scale, statements]) => [
    scale,
    ...places.map((place) => formatFigure(computeError(statements, place))),
  ]);
  return {
    ...empty,
    heading: 'Conditional errors',
    sentences: [
      'The standard error of measurement at five places of each scale, in population standard deviations, if all statements are answered. The errors of the parameters come on top.',
    ],
    tables: [
      {
        caption: 'Standard errors by place',
        columns: ['Scale', ...places.map((place) => (place < 0 ? `−${-place}` : String(place)))],
        rows,
      },
    ],
    command: `items report ${describeBank(input)} --json`,
  };
}

/** The error of the posterior: the population has the information 1. */
function computeError(statements: readonly GradedItem<string>[], place: number): number {
  const information = statements.reduce((sum, item) => sum + computeInformation(item, place), 0);
  return 1 / Math.sqrt(1 + information);
}

function describeStructure(input: ReportInput): ReportSection {
  const { traits, items } = input;
  if (!traits || traits.length === 0)
    return {
      ...empty,
      heading: 'Structure',
      missing: [
        'How well the model fits, and which statements share more than their scale: it needs answers.',
      ],
    };
  const statements = traits.flatMap((each) => each.items);
  const flagged = statements.filter(({ flags }) => flags.length > 0);
  const pairs = traits.flatMap(({ residual_correlations }) => residual_correlations);
  const correlations = items.covariance.flatMap((row, one) =>
    row.slice(0, one).map((value, other) => ({ value, names: [items.traits[one]!, items.traits[other]!] })),
  );
  const highest = correlations
    .toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value))
    .slice(0, 10);
  return {
    ...empty,
    heading: 'Structure',
    sentences: [
      `Each statement is modelled to measure one scale (Samejima 1969). ${flagged.length} of ${statements.length} statements were flagged, and ${pairs.length} pairs share more than their scale.`,
    ],
    tables: [
      {
        caption: 'Flagged statements',
        columns: ['Statement', 'Discrimination', 'Infit', 'Outfit', 'Answers', 'Flags'],
        rows: flagged.map(({ item_id, discrimination, infit, outfit, answers, flags }) => [
          item_id,
          ...[discrimination, infit, outfit].map(formatFigure),
          String(answers),
          flags.join(', '),
        ]),
      },
      {
        caption: 'Pairs that share more than their scale',
        columns: ['Statement', 'Statement', 'Residual correlation', 'Answers'],
        rows: pairs.map(({ items: [one, other], correlation, answers }) => [
          one,
          other,
          formatFigure(correlation),
          String(answers),
        ]),
      },
      {
        caption: 'Highest correlations of scales',
        columns: ['Scale', 'Scale', 'Correlation'],
        rows: highest.map(({ names, value }) => [...names, formatFigure(value)]),
      },
    ].filter(({ rows }) => rows.length > 0),
    command: `items calibrate --bank ${input.bank} --json`,
    missing: ['A factor analysis that does not assume these scales.'],
  };
}

function describeInvariance({ compared, compare_command }: ReportInput): ReportSection {
  const how = '`items report … --csv FILE --group COLUMN` compares groups of at least 100 people each.';
  if (!compared)
    return {
      ...empty,
      heading: 'Invariance',
      missing: [`Whether statements work alike in groups. ${how}`],
    };
  const differing = compared.filter((each) => each.class !== 'small');
  const groups = [...new Set(compared.map(({ group, compared_with }) => `${group} with ${compared_with}`))];
  return {
    ...empty,
    heading: 'Invariance',
    sentences: [
      `Compared: ${groups.join(', ')}. ${differing.length} of ${compared.length} comparisons of a statement differ by more than a small effect.`,
    ],
    tables: [
      {
        caption: 'Statements that work differently',
        columns: ['Statement', 'Group', 'Compared with', 'Class', 'Effect', 'p'],
        rows: differing.map((each) => [
          each.item_id,
          each.group,
          each.compared_with,
          each.class,
          each.effect === null ? '' : formatFigure(each.effect),
          each.probability === null ? '' : each.probability.toPrecision(2),
        ]),
      },
    ].filter(({ rows }) => rows.length > 0),
    command: compare_command,
  };
}

function describeRetest(input: ReportInput): ReportSection {
  const { pairs, correlations } = input.retests;
  if (correlations.length === 0)
    return {
      ...empty,
      heading: 'Retest',
      missing: [
        `How stable results are. ${pairs} people have taken two careful tests; from ${fewest_pairs} on, correlations are shown. With TESSERA_VOLUNTEERS=on, people are asked for a second test after four weeks.`,
      ],
    };
  return {
    ...empty,
    heading: 'Retest',
    sentences: [
      `${pairs} volunteers took an adaptive test of 50 items twice, four to eight weeks apart. Correlations of both results with their 95 % intervals; those who came back chose to.`,
    ],
    tables: [
      {
        caption: 'Correlations of two tests',
        columns: ['Scale', 'Correlation', 'From', 'To'],
        rows: correlations.map(({ trait, correlation, lower, upper }) => [
          trait,
          ...[correlation, lower, upper].map(formatFigure),
        ]),
      },
    ],
    command: `items report ${describeBank(input)} --json`,
  };
}

function describeLimits({ items, traits }: ReportInput): ReportSection {
  const few = (traits ?? []).flatMap((each) =>
    each.items.filter(({ flags }) => flags.includes('few_answers')),
  );
  return {
    ...empty,
    heading: 'Limits',
    sentences: [
      'Figures are of the respondents above and of no other population. Reliability says nothing about what a scale measures.',
      'Results must not be used for diagnosis, nor as the only reason of a decision about a person.',
      ...(items.provisional
        ? ['Provisional parameters make bounds wider than a calibrated bank would have.']
        : []),
      ...(few.length > 0
        ? [`${few.length} statements have fewer than 100 answers and stay near what was judged.`]
        : []),
    ],
  };
}

/** Writes a date for people. That of an imported version is what its file says. */
function formatDate(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : formatUtcDate(date);
}
