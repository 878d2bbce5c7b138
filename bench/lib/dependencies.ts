import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './directory.ts';

const imports = /^(?:import|export)\b(?!\s+type\b)[^'";]*?\bfrom\s*'([^']+)'|^import\s+'([^']+)'/gm;

/** Finds the packages that files of the service import at their start, directly or through other files. */
export async function findImportedPackages(...entries: readonly string[]): Promise<readonly string[]> {
  const visited = new Set<string>();
  const packages = new Set<string>();
  const visitFile = async (file: string): Promise<void> => {
    if (visited.has(file)) return;
    visited.add(file);
    for (const specifier of readSpecifiers(await readFile(file, 'utf8'))) {
      const ownFile = resolveOwnFile(specifier, file);
      if (ownFile !== undefined) await visitFile(ownFile);
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  };
  for (const entry of entries) await visitFile(path.join(root, entry));
  return [...packages].sort();
}

function readSpecifiers(text: string): readonly string[] {
  return [...text.matchAll(imports)].map(([, from, bare]) => (from ?? bare)!);
}

/** Resolves relative paths, the aliases of package.json and the packages of this repository; undefined for other packages. */
function resolveOwnFile(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('.')) return path.resolve(path.dirname(importer), specifier);
  const ownPackage = /^@tessera\/([^/]+)(?:\/(.+))?$/.exec(specifier);
  if (ownPackage) return path.join(root, 'packages', ownPackage[1]!, `${ownPackage[2] ?? 'index'}.ts`);
  const [, alias, rest] = /^#(\w+)\/(.+)$/.exec(specifier) ?? [];
  if (alias === undefined) return undefined;
  return path.join(root, 'src', alias, alias === 'modules' ? `${rest}/index.ts` : rest!);
}
