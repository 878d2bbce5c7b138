import { createRequire } from 'node:module';
import path from 'node:path';
import type { Evaluate } from './fragments.ts';
import { readName } from './syntax.ts';

/** A row of which every column is null. The text of a statement does not depend on it. */
const nulls: unknown = new Proxy({}, { get: () => null });

/**
 * Builds the function that reads texts which only the running program knows: a member of a constant that a file `resource.ts` exports, such as
 * `jobResource.columns`, or what a method of it returns, such as `jobResource.insert(values)`. It loads that file.
 *
 * @param root the folder that the paths of the sources begin in.
 */
export function createEvaluator(root: string): Evaluate {
  const load = createRequire(path.join(root, 'package.json'));
  return ({ object, property, given }, module) => {
    const imported = module.imports.get(readName(object) ?? '');
    if (!imported || property === undefined || path.basename(imported.file) !== 'resource.ts')
      return undefined;
    const constants = load(path.join(root, imported.file)) as Constants;
    const value = constants[imported.name]?.[property];
    const yielded = typeof value === 'function' ? (value as (row: unknown) => unknown)(nulls) : value;
    return isStatement(yielded) ? { text: yielded.text, given } : undefined;
  };
}

type Constants = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

function isStatement(value: unknown): value is { readonly text: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { text?: unknown }).text === 'string' &&
    'values' in value
  );
}
