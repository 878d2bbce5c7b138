import { fault, isTest, type Import, type Source } from './source.ts';

/** Who may know whom: a module imports only those above it, and only through their `index.ts`. */
export const moduleOrder = [
  'tasks',
  'audit',
  'orgs',
  'members',
  'consent',
  'auth',
  'org-users',
  'sso',
  'oauth',
  'rights',
  'traits',
  'archetypes',
  'culture',
  'jobs',
  'matching',
  'feedback',
  'credentials',
  'wallets',
  'verify-page',
  'webhooks',
  'payments',
  'earnings',
  'queries',
  'marketplace',
  'identity',
  'exports',
  'vc-api',
] as const;

type Kind =
  | 'lib'
  | 'platform'
  | 'index'
  | 'rules'
  | 'wire'
  | 'store'
  | 'operation'
  | 'plain'
  | 'table'
  | 'composition'
  | 'main'
  | 'demo'
  | 'other';

/** Where a file stands in the house; `module` is set for files of a module. */
export type Place = { readonly kind: Kind; readonly module: string | undefined };

/** Tells a file's place from its path. */
export function placeOf(file: string): Place {
  const inModule = /^src\/modules\/([^/]+)\/(.+)$/.exec(file);
  if (inModule) return { kind: kindInModule(inModule[2]!), module: inModule[1] };
  return { kind: kindOutside(file), module: undefined };
}

function kindInModule(name: string): Kind {
  if (name === 'index.ts') return 'index';
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (base === 'rules.ts') return 'rules';
  if (base === 'wire.ts') return 'wire';
  return /^store(-.+)?\.ts$/.test(base) ? 'store' : 'plain';
}

function kindOutside(file: string): Kind {
  if (file === 'src/main.ts') return 'main';
  if (/^src\/(app|command|operator|service)\.ts$/.test(file)) return 'composition';
  if (/^src\/(api|tools|tasks|events|cli|personal-data)\.ts$/.test(file)) return 'table';
  return (/^src\/(lib|platform|demo)\//.exec(file)?.[1] ?? 'other') as Kind;
}

/**
 * The files that decide: every `rules.ts`, and what it takes from its own module. A clock behind one import would be a clock in the rules
 * all the same.
 */
export function decidingFiles(sources: readonly Source[]): ReadonlySet<string> {
  const byPath = new Map(sources.map((each) => [each.path, each]));
  const deciding = new Set(sources.map((each) => each.path).filter((file) => placeOf(file).kind === 'rules'));
  // A set that grows while it is walked is walked to its end.
  for (const file of deciding) {
    for (const { target, typeOnly } of byPath.get(file)?.imports ?? []) {
      if (!typeOnly && placeOf(target).kind === 'plain' && sameModule(file, target)) deciding.add(target);
    }
  }
  return deciding;
}

/** The imports that point the wrong way, or into a module past its `index.ts`. */
export function importFaults(sources: readonly Source[]): string[] {
  const house: House = {
    deciding: decidingFiles(sources),
    operations: new Set(sources.filter(definesOperation).map((each) => each.path)),
  };
  return sources.flatMap(({ path, imports }) =>
    imports.flatMap((imported) => {
      const sentence = wrongImport(path, imported, house);
      return sentence === undefined ? [] : [fault(path, imported.line, sentence)];
    }),
  );
}

/** What only the content of files tells: those that decide, and those that define an operation. */
type House = { readonly deciding: ReadonlySet<string>; readonly operations: ReadonlySet<string> };

/** Whether a file defines an operation. */
export function definesOperation({ path, code }: Source): boolean {
  return placeOf(path).module !== undefined && !isTest(path) && /=\s*operation\s*\(/.test(code);
}

function wrongImport(file: string, imported: Import, house: House): string | undefined {
  const { target } = imported;
  const from = placeOf(file);
  if (isTest(file) || from.kind === 'main') return pastIndex(file, target);
  if (isTest(target) || /^(test|bench|scripts|web)\//.test(target)) return `src does not import ${target}.`;
  return (
    tableMisuse(from, target) ??
    pastIndex(file, target) ??
    wrongModule(from, target) ??
    wrongLayer(file, imported, house)
  );
}

function tableMisuse(from: Place, target: string): string | undefined {
  const { kind } = placeOf(target);
  if (kind === 'main' || (kind === 'table' && from.kind !== 'composition'))
    return `nothing imports ${target} but the composition of the service.`;
  return undefined;
}

function pastIndex(file: string, target: string): string | undefined {
  const { module, kind } = placeOf(target);
  if (module === undefined || kind === 'index' || sameModule(file, target)) return undefined;
  return `enters the module ${module} past its index.ts.`;
}

function wrongModule(from: Place, target: string): string | undefined {
  const { module } = placeOf(target);
  if (module === undefined || module === from.module) return undefined;
  if (from.module === undefined) {
    return ['table', 'composition', 'demo'].includes(from.kind)
      ? undefined
      : `only the tables import modules: not ${module} from here.`;
  }
  return rank(module) < rank(from.module)
    ? undefined
    : `the module ${from.module} may not know ${module}, which is not above it.`;
}

function rank(module: string): number {
  return moduleOrder.findIndex((each) => each === module);
}

function sameModule(file: string, target: string): boolean {
  const { module } = placeOf(file);
  return module !== undefined && module === placeOf(target).module;
}

function wrongLayer(file: string, imported: Import, { deciding, operations }: House): string | undefined {
  const kind = deciding.has(file) ? 'rules' : operations.has(file) ? 'operation' : placeOf(file).kind;
  const layer = layers[kind];
  const target = placeOf(imported.target);
  const to: Place = operations.has(imported.target) ? { ...target, kind: 'operation' } : target;
  if (layer === undefined || layer.may(to, sameModule(file, imported.target), imported)) return undefined;
  return `${layer.says}, not ${imported.target}.`;
}

type Layer = { readonly says: string; readonly may: (to: Place, own: boolean, imported: Import) => boolean };

const isAbove = (to: Place, own: boolean) => to.kind === 'index' && !own;
const isOwnPure = (to: Place, own: boolean) => own && to.kind === 'plain';

/** What each layer may import; modules above, index and tables were settled before. Kinds that are absent may import all the rest. */
const layers: Partial<Record<Kind, Layer>> = {
  lib: { says: 'lib imports nothing of ours but lib', may: (to) => to.kind === 'lib' },
  platform: {
    says: 'platform imports lib and platform',
    may: (to) => to.kind === 'lib' || to.kind === 'platform',
  },
  rules: {
    says: 'rules import lib, pure files of their module and modules above',
    may: (to, own) =>
      to.kind === 'lib' || isOwnPure(to, own) || isAbove(to, own) || (own && to.kind === 'rules'),
  },
  wire: {
    says: 'wire imports lib, rules and pure files of its module, modules above and the schema helpers of the platform',
    may: (to, own, { target }) =>
      to.kind === 'lib' ||
      (own && to.kind === 'rules') ||
      isOwnPure(to, own) ||
      isAbove(to, own) ||
      /^src\/platform\/(operation|schema[^/]*)\.ts$/.test(target),
  },
  store: {
    says: 'a store imports lib, the database and types of rules',
    may: (to, own, { target, typeOnly }) =>
      to.kind === 'lib' ||
      (own && to.kind === 'store') ||
      (typeOnly && ((own && to.kind === 'rules') || isOwnPure(to, own) || isAbove(to, own))) ||
      /^src\/platform\/database\/(database|sql)\.ts$/.test(target),
  },
  operation: insideModule('an operation'),
  index: insideModule('an index'),
  plain: insideModule('a file of a module'),
  other: {
    says: 'a file beside the tables imports lib and platform',
    may: (to) => to.kind === 'lib' || to.kind === 'platform' || to.kind === 'other',
  },
};

function insideModule(what: string): Layer {
  return {
    says: `${what} imports lib, platform, its own files and modules above`,
    may: (to, own) => own || to.kind === 'lib' || to.kind === 'platform' || isAbove(to, own),
  };
}
