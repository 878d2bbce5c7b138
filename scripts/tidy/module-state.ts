import { computeLine, fault, isTest, type Source } from './source.ts';

/** What belongs to the process and not to one service: its standard output, and the locks that it holds. */
const exempt: ReadonlySet<string> = new Set([
  'packages/embedded-postgres/data-dir-lock.ts',
  'src/platform/telemetry/standard-output.ts',
]);

const variables = /^(?:export\s+)?(?:let|var)\s+([\w$]+)/gm;
const collections = /^(?:export\s+)?const\s+([\w$]+)[^=;]*=\s*(?:new\s+(?:Map|Set|LRUCache|Array)\b|\[)/gm;
const mutators = 'add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift';

/**
 * Variables and changing collections of a whole module. Several services in one process would share them, and nothing would dispose of them.
 * A WeakMap is allowed, because its entries live only as long as their keys.
 */
export function findModuleStateFaults(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !isTest(path) && !exempt.has(path))
    .flatMap((each) =>
      [...each.code.matchAll(variables), ...listChangedCollections(each)].map((match) =>
        fault(
          each.path,
          computeLine(each.code, match.index),
          `${match[1]} is state of the whole module: use instanceMemory, computeOnce or cacheResults.`,
        ),
      ),
    );
}

function listChangedCollections({ code }: Source): RegExpExecArray[] {
  const changed = new Set(
    [...code.matchAll(new RegExp(`\\b([\\w$]+)\\s*\\.\\s*(?:${mutators})\\(`, 'g'))].map((match) => match[1]),
  );
  return [...code.matchAll(collections)].filter((match) => changed.has(match[1]));
}
