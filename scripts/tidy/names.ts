import { listDeclaredMethods, listFunctions } from './functions.ts';
import { fault, type Source } from './source.ts';
import { verbs } from './verbs.ts';

/** Words that build rows and schemas in declarative tables, where they read as nouns. */
const tableWords: ReadonlySet<string> = new Set([
  'changeable',
  'closedObject',
  'command',
  'computed',
  'document',
  'editable',
  'event',
  'fault',
  'field',
  'file',
  'fixed',
  'given',
  'html',
  'instanceMemory',
  'listOperation',
  'maintained',
  'matching',
  'nullable',
  'oneOf',
  'operation',
  'patternText',
  'perDay',
  'perMinute',
  'proves',
  'redirect',
  'reply',
  'resource',
  'row',
  'sentEvent',
  'sql',
  'task',
  'text',
  'tool',
]);

/** Members of the platform's types that occur in most files, where a longer name would be in the way, sources of metrics, and conversions of money. */
const platformNames: ReadonlySet<string> = new Set([
  'afterCommit',
  'location',
  'microsFromNumber',
  'microsToNumber',
  'now',
  'now_ms',
  'one',
  'pool',
  'pool_size',
  'readiness',
  'transaction',
]);

/** Mathematical functions, which keep the names that textbooks give them. */
const textbookNames: ReadonlySet<string> = new Set([
  'cholesky',
  'dot',
  'gammaCdf',
  'logistic',
  'mean',
  'median',
  'normalCdf',
]);

/** Functions whose name is no verb with its object: it begins with another word, or ends in `Of` like a noun (`labelOf`). */
export function findFunctionNameFaults(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !path.endsWith('.d.ts'))
    .flatMap((each) =>
      [...listFunctions(each), ...listDeclaredMethods(each)]
        .filter(({ name }) => ![tableWords, platformNames, textbookNames].some((names) => names.has(name)))
        .flatMap(({ name, line }) => {
          const sentence = describeNameFault(name);
          return sentence === undefined ? [] : [fault(each.path, line, sentence)];
        }),
    );
}

function describeNameFault(name: string): string | undefined {
  if (!isVerbName(name)) return `a function is named verb + object (scripts/tidy/verbs.ts), not ${name}.`;
  if (/^update[A-Z]\w*ed$/.test(name)) return `${name} has a verb of the domain, such as revokeSession.`;
  return undefined;
}

function isVerbName(name: string): boolean {
  const [first = ''] = /^[a-z]*/.exec(name) ?? [];
  const isPredicate = ['is', 'has', 'can', 'may', 'does', 'are'].includes(first);
  return verbs.has(first) && (isPredicate || !name.endsWith('Of'));
}
