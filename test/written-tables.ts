import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const operationFiles = globSync('src/modules/**/*.ts').filter((file) => !file.endsWith('.test.ts'));

/** Finds the file of an operation: `orgUsers.inviteUser` is `…/org-users/invite-user.ts`. */
export function findOperationFile(name: string): string {
  const [module, file] = name
    .split('.')
    .map((part) => part.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  const found = operationFiles.filter((each) =>
    new RegExp(`/${module}/(?:.*/)?${file}\\.ts$`).test(each.replaceAll(path.sep, '/')),
  );
  if (found.length !== 1) throw new Error(`${name} has ${found.length} files`);
  return found[0]!;
}

/**
 * Lists those of some tables that a file may write: it follows the names that the file imports, through `index.ts` of other modules, to the
 * statements of the functions in `store*.ts`.
 */
export function listWrittenTables(file: string, tables: readonly string[]): string[] {
  const [seen, written] = [new Set<string>(), new Set<string>()];
  const visit = (at: string) => {
    if (seen.has(at)) return;
    seen.add(at);
    for (const { target, name } of listImports(at).flatMap(followIndex)) {
      if (!path.basename(target).startsWith('store')) visit(target);
      else for (const table of tables) if (doesWrite(target, name, table)) written.add(table);
    }
  };
  visit(file);
  return [...written].toSorted();
}

type Imported = { readonly target: string; readonly name: string };

/** Lists the names that a file imports, or exports again, from files of modules. */
function listImports(file: string): Imported[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export) \{([^}]*)\} from '([^']+)';/gm)].flatMap(
    ([, names = '', from = '']) => {
      const target = resolveModule(file, from);
      if (target === undefined) return [];
      return names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => ({ target, name: name.split(' as ')[0]! }));
    },
  );
}

function resolveModule(file: string, from: string): string | undefined {
  if (from.startsWith('#modules/')) return `src/modules/${from.slice('#modules/'.length)}/index.ts`;
  return from.startsWith('.') ? path.join(path.dirname(file), from) : undefined;
}

/** An `index.ts` stands for the file that it exports the name from. */
function followIndex(imported: Imported): Imported[] {
  if (path.basename(imported.target) !== 'index.ts') return [imported];
  return listImports(imported.target).filter(({ name }) => name === imported.name);
}

/** Whether a function of a store, or one of the same file that it calls, writes a table. */
function doesWrite(file: string, name: string, table: string): boolean {
  const functions = readFileSync(file, 'utf8').split(/^(?:export )?(?:async )?function /m);
  const text = functions.find((each) => /^\w+/.exec(each)?.[0] === name) ?? '';
  return new RegExp(`\\b(?:insert into|update|delete from) ${table}\\b`).test(text);
}
