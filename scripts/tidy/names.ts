import { listFunctions } from './functions.ts';
import { fault, type Source } from './source.ts';
import { verbs } from './verbs.ts';

/** Words that build rows and schemas in declarative tables, where they read as nouns. */
const tableWords: ReadonlySet<string> = new Set([
  'closedObject',
  'command',
  'document',
  'event',
  'fault',
  'file',
  'instanceMemory',
  'matching',
  'nullable',
  'oneOf',
  'operation',
  'patternText',
  'pending',
  'perDay',
  'perMinute',
  'proves',
  'redirect',
  'reply',
  'row',
  'sql',
  'task',
  'text',
  'wholeNumber',
]);

/** Mathematical functions, which keep the names that textbooks give them. */
const textbookNames: ReadonlySet<string> = new Set([
  'cholesky',
  'digamma',
  'dot',
  'gammaCdf',
  'logistic',
  'mean',
  'median',
  'normalCdf',
  'trigamma',
]);

/** Functions whose name is no verb with its object: it begins with another word, or ends in `Of` like a noun (`labelOf`). */
export function findFunctionNameFaults(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !path.endsWith('.d.ts'))
    .flatMap((each) =>
      listFunctions(each)
        .filter(({ name }) => !isVerbName(name) && !tableWords.has(name) && !textbookNames.has(name))
        .map(({ name, line }) =>
          fault(each.path, line, `a function is named verb + object (scripts/tidy/verbs.ts), not ${name}.`),
        ),
    );
}

function isVerbName(name: string): boolean {
  const [first = ''] = /^[a-z]*/.exec(name) ?? [];
  const isPredicate = ['is', 'has', 'can', 'may', 'does', 'are'].includes(first);
  return verbs.has(first) && (isPredicate || !name.endsWith('Of'));
}
