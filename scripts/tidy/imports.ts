import { fault, isTest, type Import, type Source } from './source.ts';

/** The order of the modules: each imports only those above it in this list, and only through their `index.ts`. */
export const moduleOrder = [
  'tasks',
  'mail',
  'audit',
  'orgs',
  'members',
  'consent',
  'self-identification',
  'accounts',
  'org-users',
  'sso',
  'agents',
  'service-keys',
  'directories',
  'rights',
  'traits',
  'archetypes',
  'culture',
  'jobs',
  'engine',
  'matches',
  'candidates',
  'partners',
  'impact',
  'placements',
  'learning',
  'reviews',
  'achievements',
  'credentials',
  'offers',
  'wallets',
  'foreign-credentials',
  'verify-page',
  'webhooks',
  'payments',
  'books',
  'notifications',
  'reads',
  'stubs',
  'waiting',
  'exports',
  'operator',
  'sandbox',
] as const;

type Kind =
  | 'lib'
  | 'platform'
  | 'index'
  | 'rules'
  | 'resource'
  | 'wire'
  | 'store'
  | 'operation'
  | 'plain'
  | 'table'
  | 'composition'
  | 'main'
  | 'demo'
  | 'web'
  | 'other';

/** The layer of a file; `module` is set for files of a module. */
export type Place = { readonly kind: Kind; readonly module: string | undefined };

/** Derives a file's layer and module from its path. */
export function classifyFile(file: string): Place {
  const inModule = /^src\/modules\/[^/]+\/([^/]+)\/(.+)$/.exec(file);
  if (inModule) return { kind: classifyModuleFile(inModule[2]!), module: inModule[1] };
  return { kind: classifyOtherFile(file), module: undefined };
}

function classifyModuleFile(name: string): Kind {
  if (name === 'index.ts') return 'index';
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (base === 'rules.ts') return 'rules';
  if (base === 'wire.ts') return 'wire';
  if (base === 'resource.ts') return 'resource';
  return /^store(-.+)?\.ts$/.test(base) ? 'store' : 'plain';
}

function classifyOtherFile(file: string): Kind {
  if (file === 'src/app/main.js') return 'main';
  if (file.startsWith('src/app/')) return 'composition';
  if (file.startsWith('src/tables/')) return 'table';
  return (/^src\/(lib|platform|demo|web)\//.exec(file)?.[1] ?? 'other') as Kind;
}

/**
 * The files that decide: every `rules.ts`, and what it imports from its own module. A clock that is one import away would still be a clock
 * in the rules.
 */
export function findDecidingFiles(sources: readonly Source[]): ReadonlySet<string> {
  const byPath = new Map(sources.map((each) => [each.path, each]));
  const deciding = new Set(
    sources.map((each) => each.path).filter((file) => classifyFile(file).kind === 'rules'),
  );
  // The loop also visits what is added to the set while it runs.
  for (const file of deciding) {
    for (const { target, typeOnly } of byPath.get(file)?.imports ?? []) {
      if (!typeOnly && classifyFile(target).kind === 'plain' && isSameModule(file, target))
        deciding.add(target);
    }
  }
  return deciding;
}

/** Imports in the wrong direction, and imports of a module that bypass its `index.ts`. */
export function findImportFaults(sources: readonly Source[]): string[] {
  const fileSets: FileSets = {
    deciding: findDecidingFiles(sources),
    operations: new Set(sources.filter(hasOperation).map((each) => each.path)),
  };
  return sources.flatMap(({ path, imports }) =>
    imports.flatMap((imported) => {
      const sentence = describeWrongImport(path, imported, fileSets);
      return sentence === undefined ? [] : [fault(path, imported.line, sentence)];
    }),
  );
}

/** Files that are known by their content only: those that decide, and those that define an operation. */
type FileSets = { readonly deciding: ReadonlySet<string>; readonly operations: ReadonlySet<string> };

/** Whether a file defines an operation. */
export function hasOperation({ path, code }: Source): boolean {
  return (
    classifyFile(path).module !== undefined &&
    !isTest(path) &&
    /=\s*(?:operation|listOperation)\s*\(/.test(code)
  );
}

function describeWrongImport(file: string, imported: Import, fileSets: FileSets): string | undefined {
  const { target } = imported;
  const from = classifyFile(file);
  if (isTest(file) || from.kind === 'main') return describeIndexBypass(file, target);
  if (isTest(target) || /^(test|bench|scripts|web)\//.test(target)) return `src must not import ${target}.`;
  return (
    describeTableMisuse(file, target) ??
    describeIndexBypass(file, target) ??
    describeWrongModule(from, target) ??
    describeWrongLayer(file, imported, fileSets)
  );
}

function describeTableMisuse(file: string, target: string): string | undefined {
  const { kind } = classifyFile(target);
  // The description of the API is itself served at the origin.
  if (file === 'src/tables/origin.ts' && /^src\/tables\/(api|fields)\.ts$/.test(target)) return undefined;
  // What a row needs is decided in a table of its own.
  if (file === 'src/tables/row.ts' && target === 'src/tables/recent-authentication.ts') return undefined;
  // TABLE 1 is in parts, all of whose rows are declared in the same way.
  if (
    /^src\/tables\/(api|boards|operator-rows)\.ts$/.test(file) &&
    /^src\/tables\/(row|boards|operator-rows)\.ts$/.test(target)
  )
    return undefined;
  // The commands about items are a part of their table.
  if (file === 'src/tables/cli.ts' && target === 'src/tables/cli-items.ts') return undefined;
  // The names of the tables, as a type.
  if (file === 'src/tables/retention.ts' && target === 'src/tables/tables.ts') return undefined;
  if (kind === 'main' || (kind === 'table' && classifyFile(file).kind !== 'composition'))
    return `only the composition of the service imports ${target}.`;
  return undefined;
}

function describeIndexBypass(file: string, target: string): string | undefined {
  const { module, kind } = classifyFile(target);
  if (module === undefined || kind === 'index' || isSameModule(file, target)) return undefined;
  return `bypasses the index.ts of the module ${module}.`;
}

function describeWrongModule(from: Place, target: string): string | undefined {
  const { module } = classifyFile(target);
  if (module === undefined || module === from.module) return undefined;
  if (from.module === undefined) {
    return ['table', 'composition', 'demo', 'web'].includes(from.kind)
      ? undefined
      : `only the tables and pages import modules; this file must not import ${module}.`;
  }
  return rankModule(module) < rankModule(from.module)
    ? undefined
    : `the module ${from.module} must not import ${module}, which is not above it.`;
}

function rankModule(module: string): number {
  return moduleOrder.findIndex((each) => each === module);
}

function isSameModule(file: string, target: string): boolean {
  const { module } = classifyFile(file);
  return module !== undefined && module === classifyFile(target).module;
}

function describeWrongLayer(
  file: string,
  imported: Import,
  { deciding, operations }: FileSets,
): string | undefined {
  const kind = deciding.has(file) ? 'rules' : operations.has(file) ? 'operation' : classifyFile(file).kind;
  const layer = layers[kind];
  const target = classifyFile(imported.target);
  const to: Place = operations.has(imported.target) ? { ...target, kind: 'operation' } : target;
  if (layer === undefined || layer.mayImport(to, isSameModule(file, imported.target), imported))
    return undefined;
  return `${layer.rule}, not ${imported.target}.`;
}

type Layer = {
  readonly rule: string;
  readonly mayImport: (to: Place, own: boolean, imported: Import) => boolean;
};

const isAbove = (to: Place, own: boolean) => to.kind === 'index' && !own;
/** Rules and resources: what the other files of a module build on. */
const isDeclaration = (to: Place) => to.kind === 'rules' || to.kind === 'resource';
const isOwnPure = (to: Place, own: boolean) => own && to.kind === 'plain';

/** What each layer may import, besides the rules for modules, indexes and tables above. A kind that is absent may import everything else. */
const layers: Partial<Record<Kind, Layer>> = {
  lib: { rule: 'lib imports only lib', mayImport: (to) => to.kind === 'lib' },
  platform: {
    rule: 'platform imports lib and platform',
    mayImport: (to) => to.kind === 'lib' || to.kind === 'platform',
  },
  rules: {
    rule: 'rules import lib, resources and pure files of their module and modules above',
    mayImport: (to, own) =>
      to.kind === 'lib' || isOwnPure(to, own) || isAbove(to, own) || (own && isDeclaration(to)),
  },
  resource: {
    rule: 'a resource imports lib, pure files of its module, modules above, and resources and schema helpers of the platform',
    mayImport: (to, own, { target }) =>
      to.kind === 'lib' ||
      isOwnPure(to, own) ||
      isAbove(to, own) ||
      (own && to.kind === 'resource') ||
      /^src\/platform\/(resource|schema[^/]*)\.ts$/.test(target),
  },
  wire: {
    rule: 'wire imports lib, rules, resources and pure files of its module, modules above and the schema helpers of the platform',
    mayImport: (to, own, { target }) =>
      to.kind === 'lib' ||
      (own && isDeclaration(to)) ||
      isOwnPure(to, own) ||
      isAbove(to, own) ||
      /^src\/platform\/(operation|schema[^/]*)\.ts$/.test(target),
  },
  store: {
    rule: 'a store imports lib, the database, resources and types of rules',
    mayImport: (to, own, { target, typeOnly }) =>
      to.kind === 'lib' ||
      (own && (to.kind === 'store' || to.kind === 'resource')) ||
      (typeOnly && ((own && to.kind === 'rules') || isOwnPure(to, own) || isAbove(to, own))) ||
      /^src\/platform\/database\/(database|sql)\.ts$/.test(target),
  },
  operation: buildModuleLayer('an operation'),
  index: buildModuleLayer('an index'),
  plain: buildModuleLayer('a file of a module'),
  web: {
    rule: 'a page imports lib, platform, modules and src/web',
    mayImport: (to) => ['lib', 'platform', 'index', 'web'].includes(to.kind),
  },
  other: {
    rule: 'a file beside the tables imports lib and platform',
    mayImport: (to) => to.kind === 'lib' || to.kind === 'platform' || to.kind === 'other',
  },
};

function buildModuleLayer(what: string): Layer {
  return {
    rule: `${what} imports lib, platform, its own files and modules above`,
    mayImport: (to, own) => own || to.kind === 'lib' || to.kind === 'platform' || isAbove(to, own),
  };
}
