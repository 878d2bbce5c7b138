import { readFileSync } from 'node:fs';
import path from 'node:path';
import { computeLine, fault, isTest, type Source } from './source.ts';

const files_max = 25;

/** Folders that have become hard to read at a glance. Tests do not count: each is named after the file that it tests. */
export function findLargeFolders(sources: readonly Source[]): string[] {
  const files = sources.map((each) => each.path).filter((file) => !isTest(file));
  const folders = Map.groupBy(files, (file) => path.posix.dirname(file));
  return [...folders].flatMap(([folder, { length }]) =>
    length > files_max
      ? [
          fault(
            folder,
            1,
            `${length} source files; a folder has at most ${files_max}: divide it by what its files do.`,
          ),
        ]
      : [],
  );
}

/** Files that import each other in a circle, types included: a reader of one of them must read them all. */
export function findImportCycles(sources: readonly Source[]): string[] {
  const targets = new Map(sources.map((each) => [each.path, each.imports.map(({ target }) => target)]));
  return findCycles(targets).map((cycle) =>
    fault(cycle[0]!, 1, `these files import each other in a circle: ${[...cycle, cycle[0]].join(' → ')}.`),
  );
}

/** One cycle for each file that closes one, by a depth-first walk. */
function findCycles(targets: ReadonlyMap<string, readonly string[]>): (readonly string[])[] {
  const done = new Set<string>();
  const cycles: (readonly string[])[] = [];
  const visit = (file: string, trail: readonly string[]) => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.push(trail.slice(start));
    if (start >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return cycles;
}

/** Subfolders of a module that import each other in a circle, types included: none of them can be read, or moved, alone. */
export function findFolderCycles(sources: readonly Source[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const each of sources.filter(({ path: file }) => !isTest(file))) {
    const from = readSubfolder(each.path);
    if (from === undefined) continue;
    const reached = targets.get(from.folder) ?? new Set();
    targets.set(from.folder, reached);
    for (const { target } of each.imports) {
      const to = readSubfolder(target);
      if (to?.module === from.module && to.folder !== from.folder) reached.add(to.folder);
    }
  }
  return findCycles(new Map([...targets].map(([folder, reached]) => [folder, [...reached]]))).map((cycle) =>
    fault(cycle[0]!, 1, `these folders import each other in a circle: ${[...cycle, cycle[0]].join(' → ')}.`),
  );
}

/** The module of a file and the subfolder that contains it; undefined for files beside the `index.ts` of the module. */
function readSubfolder(file: string): { readonly module: string; readonly folder: string } | undefined {
  const found = /^(src\/modules\/[^/]+\/[^/]+)\/([^/]+)\//.exec(file);
  return found ? { module: found[1]!, folder: `${found[1]}/${found[2]}` } : undefined;
}

/** Imports of a package from outside it: a package knows nothing of the service that uses it. */
export function findPackageImports(packages: readonly Source[]): string[] {
  return packages.flatMap(({ path: file, imports }) => {
    const folder = `${file.split('/', 2).join('/')}/`;
    return imports
      .filter(({ target }) => !target.startsWith(folder))
      .map(({ target, line }) =>
        fault(file, line, `a package imports nothing outside ${folder}, not ${target}.`),
      );
  });
}

/** Imports of a package of the developers, which an installation does not have. */
export function findDevelopmentPackages(root: string, sources: readonly Source[]): string[] {
  const packages = readDevelopmentPackages(root);
  const shipped = sources.filter((each) => !isTest(each.path) && !each.path.endsWith('.d.ts'));
  return shipped.flatMap((each) =>
    each.packages
      .filter(({ name }) => packages.has(name))
      .map(({ name, line }) =>
        fault(each.path, line, `src must not import ${name}, which is a devDependency.`),
      ),
  );
}

function readDevelopmentPackages(root: string): ReadonlySet<string> {
  const text = readFileSync(path.join(root, 'package.json'), 'utf8');
  const { devDependencies = {} } = JSON.parse(text) as { devDependencies?: Readonly<Record<string, string>> };
  return new Set(Object.keys(devDependencies));
}

/** How many names a module may export, so that others can know it. Five export more, and may export fewer but no others. */
const names_max = 60;
const wideModules: ReadonlyMap<string, number> = new Map([
  ['src/modules/access/accounts/index.ts', 106],
  ['src/modules/credentials/credentials/index.ts', 66],
  ['src/modules/matching/jobs/index.ts', 73],
  ['src/modules/matching/matches/index.ts', 105],
  ['src/modules/measurement/traits/index.ts', 102],
]);

/**
 * Modules that others must know too much of, and exports without names, which cannot be counted by a reader either. The events of a module are
 * declared for others, so that its index names them together.
 */
export function findWideModules(sources: readonly Source[]): string[] {
  const indexes = sources.filter(({ path: file }) => /^src\/modules\/[^/]+\/[^/]+\/index\.ts$/.test(file));
  return indexes.flatMap(({ path: file, code, bare }) => {
    const lists = [...code.matchAll(/\bexport\s*(?:type\s*)?\{([^}]*)\}/g)].map(([, list]) =>
      list!.split(','),
    );
    const names = lists.flat().filter((name) => name.trim() !== '').length;
    const spaces = [...code.matchAll(/\bexport\s*\*\s*as\b/g)].length;
    const max = wideModules.get(file) ?? names_max;
    const unnamed = [...bare.matchAll(/\bexport\s*\*\s*from\b/g)]
      .filter(({ index }) => !bare.startsWith("export * from './events.ts'", index))
      .map(({ index }) =>
        fault(file, computeLine(code, index), 'the index of a module names what it exports.'),
      );
    return names + spaces > max
      ? [...unnamed, fault(file, 1, `exports ${names + spaces} names; this module may export ${max}.`)]
      : unnamed;
  });
}
