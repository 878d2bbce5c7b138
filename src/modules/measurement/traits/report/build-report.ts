import { computeInformation } from '@tessera/psychometrics';
import type { ComparedItem } from '../banks/compare-groups.ts';
import type { BankVersion } from '../banks/bank-version.ts';
import type { TraitReport } from '../calibration/calibrate-bank.ts';
import type { GradedItem } from '../items/item.ts';
import { formatFigure, type ReportDocument, type ReportSection } from './report-document.ts';
import { computeInterval, fewest_pairs, type RetestCorrelation } from './retest-correlations.ts';

/** Everything that a report says, as far as it is known. */
export type ReportInput = BankVersion & {
  /** What the calibration found; undefined if the version was not made by one. */
  readonly traits: readonly TraitReport[] | undefined;
  /** How statements work in groups; undefined if no file was given. */
  readonly compared: readonly ComparedItem[] | undefined;
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
      describeValidity(),
      describeLimits(input),
    ],
  };
}

const empty = { sentences: [], tables: [], command: null, missing: [] } as const;

const describeBank = ({ bank, items }: ReportInput) => `--bank ${bank} --version ${items.parameter_version}`;

function describeMaterials(input: ReportInput): ReportSection {
  const { form, items } = input;
  const languages = [...new Set(form.statements.flatMap(({ text }) => Object.keys(text)))].toSorted();
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
      `${items.graded.length} statements are asked in ${scales.length} scales. ${items.retired?.length ?? 0} are retired: they score answers and are not asked. ${items.seeded?.length ?? 0} are new, and count nothing yet. Languages: ${languages.join(', ')}.`,
    ],
    tables: [{ caption: 'Scales', columns: ['Scale', 'Statements', 'Reversed', 'Options'], rows: scales }],
    command: `items export ${describeBank(input)} --json`,
    missing:
      languages.length > 1
        ? [
            'A text in another language shares the parameters of its statement; that it works alike is not shown here.',
          ]
        : [],
  };
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
  const from = norms ? ` ${norms.date.slice(0, 10)}, from ${norms.source}` : '';
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
  const { traits, respondents } = input;
  if (!traits || traits.length === 0)
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
      'The marginal reliability of each scale for the statements that the respondents answered, with the 95 % interval of a correlation of two parallel forms (Fisher 1921).',
    ],
    tables: [
      {
        caption: 'Marginal reliability',
        columns: ['Scale', 'Reliability', 'From', 'To', 'Converged'],
        rows: traits.map(({ trait, reliability, converged }) => {
          const { lower, upper } = computeInterval(reliability, Math.max(4, respondents));
          return [trait, ...[reliability, lower, upper].map(formatFigure), converged ? 'yes' : 'no'];
        }),
      },
    ],
    command: `items calibrate --bank ${input.bank} --json`,
  };
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

function describeValidity(): ReportSection {
  return {
    ...empty,
    heading: 'Validity',
    missing: [
      'Correlations with other questionnaires, with what others observe, and with outcomes. Nothing that this service stores can show them for a bank; a study with its own consent can.',
    ],
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
