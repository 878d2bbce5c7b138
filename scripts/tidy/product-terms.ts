import { computeLine, fault, isTest, type Source } from './source.ts';

/**
 * Terms of the glossary that only the product has, each as the words of a name in lower case and in the singular. Words that mean something
 * else as well are not among them, such as match, credential, claim, item, read and member, which is also a role.
 */
const terms: readonly string[] = [
  'archetype',
  'assessment',
  'culture',
  'culture profile',
  'facilitator',
  'fit policy',
  'identity income',
  'identity stub',
  'job',
  'journal',
  'ledger',
  'legibility',
  'marketplace',
  'match alias',
  'match id',
  'match index',
  'match quality',
  'match status',
  'match tier',
  'payout',
  'placement',
  'posting',
  'price',
  'pricing',
  'probing',
  'pseudonym',
  'questionnaire',
  'shortlist',
  'trait',
];

/** The files of `lib` and `platform` that name parts of the product, with the terms that they may use. */
const exceptions: Readonly<Record<string, readonly string[] | 'all'>> = {
  // The one table of error codes. All modules share it, and the API reference lists it.
  'src/lib/conflicts.ts': 'all',
  'src/lib/refusals.ts': 'all',
  // The one table of settings. Every variable of the environment is declared and checked in one place, before anything starts.
  'src/platform/config.ts': 'all',
  'src/platform/payment-settings.ts': 'all',
  // The ids of the samples, so that those of different modules fit together.
  'src/platform/schema-samples.ts': ['assessment', 'job'],
  // What models and operators read about a call that has to be paid for (x402).
  'src/platform/mcp/payments.ts': ['price'],
  'src/platform/mcp/write-tool.ts': ['price'],
  'src/platform/telemetry/metrics.ts': ['price'],
};

const folders = /^src\/(?:lib|platform)\//;

/**
 * Terms of the product in `lib` and `platform`, which must work for any other service as well. Names, comments and strings count: what the
 * product says is declared in a module or a table, and passed in.
 */
export function findProductTerms(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path: file }) => folders.test(file) && !isTest(file))
    .flatMap(({ path: file, text }) => findTerms(file, text));
}

function findTerms(file: string, text: string): string[] {
  const allowed = exceptions[file] ?? [];
  if (allowed === 'all') return [];
  return [...text.matchAll(pattern)].flatMap((match) => {
    const term = toTerm(match[0]);
    if (allowed.includes(term)) return [];
    return [
      fault(
        file,
        computeLine(text, match.index),
        `“${match[0]}” is a term of the product: lib and platform know none; declare it in a module or a table, and pass it in.`,
      ),
    ];
  });
}

/**
 * A term begins and ends where a word of a name does, so that `jobLimits`, `create_job` and `JOBS` are found, and `jobber` is not. It takes
 * time in proportion to the text.
 */
const pattern = new RegExp(
  terms
    .flatMap((term) => {
      const words = term.split(' ');
      const capitals = words.map((word) => word[0]!.toUpperCase() + word.slice(1));
      const camel = [words[0]!, ...capitals.slice(1)].join('');
      return [
        `(?<![a-z])${words.join('[ _-]')}s?(?![a-z])`,
        `(?<![a-z])${camel}s?(?![a-z])`,
        `(?<![A-Z])${capitals.join(' ?')}s?(?![a-z])`,
        `(?<![A-Z])${words.join('_').toUpperCase()}S?(?![A-Z])`,
      ];
    })
    .join('|'),
  'g',
);

/** `JobLimits` has the term `job`, and `match_ids` has `match id`. */
function toTerm(found: string): string {
  const words = found
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();
  return terms.find((term) => words === term || words === `${term}s`) ?? words;
}
