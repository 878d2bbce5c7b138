import { parseSync } from 'oxc-parser';
import { classifyFile } from './imports.ts';
import { computeLine, fault, isTest, type Source } from './source.ts';

const file = 'src/tables/tables.ts';
const exceptionsFile = 'src/tables/unkeyed.ts';

/** A node of the syntax tree, as far as this check reads it. */
type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;

/**
 * Lists the statements that touch a distributed table without its shard key: in a distributed database such a statement is sent to every
 * node, and a lock fails. `placements` in `src/tables/tables.ts` says which tables are distributed and by which column, and `src/tables/unkeyed.ts` which
 * statements may do without.
 */
export function findShardKeyFaults(sources: readonly Source[]): string[] {
  const table = sources.find((each) => each.path === file);
  const exceptionTable = sources.find((each) => each.path === exceptionsFile);
  if (!table || !exceptionTable) return [];
  const keys = readPairs(table.bare, 'placements').filter(
    ({ value }) => !['copied', 'single'].includes(value),
  );
  const exceptions = readPairs(exceptionTable.bare, 'unkeyed');
  const used = new Set<string>();
  const faults = sources.flatMap((source) =>
    isTest(source.path) || !['store', 'platform'].includes(classifyFile(source.path).kind)
      ? []
      : listStatements(source).flatMap(({ text, owner, offset }) => {
          const missing = keys.filter((key) => isWithoutKey(text, key));
          if (missing.length === 0) return [];
          const name = `${source.path} ${owner}`;
          used.add(name);
          if (exceptions.some((exception) => exception.name === name)) return [];
          return missing.map(({ name: touched, value }) =>
            fault(
              source.path,
              computeLine(source.bare, offset),
              `${owner} touches ${touched} without its shard key ${value}: pass the key, or add a reason to ${exceptionsFile}.`,
            ),
          );
        }),
  );
  const unneeded = exceptions.filter(({ name }) => !used.has(name));
  return [
    ...new Set(faults),
    ...unneeded.map(({ name, offset }) =>
      fault(
        exceptionsFile,
        computeLine(exceptionTable.bare, offset),
        `no statement needs the exception ${name}.`,
      ),
    ),
  ];
}

type Pair = { readonly name: string; readonly value: string; readonly offset: number };

/** Reads `name: 'value'` and `'name': 'value'` of an exported constant object. */
function readPairs(bare: string, constant: string): Pair[] {
  const found = new RegExp(`\\bexport const ${constant}\\b[^{]*\\{([^}]*)\\}`).exec(bare);
  if (!found) return [];
  const start = found.index + found[0].length - found[1]!.length - 1;
  return [...found[1]!.matchAll(/(?:'([^']+)'|(\w+)):\s*(?:'([^']*)'|"([^"]*)")/g)].map((pair) => ({
    name: pair[1] ?? pair[2]!,
    value: pair[3] ?? pair[4]!,
    offset: start + pair.index,
  }));
}

/** Whether a statement touches a table, and neither compares nor inserts its key. */
function isWithoutKey(text: string, { name, value: key }: Pair): boolean {
  if (
    !new RegExp(`(?:\\b(?:from|join|into|update|using)|,)\\s+(?:only\\s+)?${name}\\b(?!\\.)`, 'i').test(text)
  )
    return false;
  const column = `(?:\\w+\\.)?${key}`;
  const uses = [
    // member_id = $1, member_id = any($1)
    `(?<![\\w.])${column}\\s*=\\s*(?:any\\s*\\(\\s*)?\\$`,
    // matches.job_id = given.job_id, where the given ids are values
    ...(/\bunnest\s*\(\s*\$/i.test(text) ? [`(?<![\\w.])${column}\\s*=\\s*\\w+\\.`] : []),
    // insert into jobs ${job.insert(…)}: a resource names all of its columns
    `\\binto\\s+${name}\\s+\\$`,
    // insert into matches (id, member_id, …)
    `\\binto\\s+${name}\\b(?:\\s+as\\s+\\w+)?\\s*\\([^()]*\\b${key}\\b[^()]*\\)`,
  ];
  return !uses.some((use) => new RegExp(use, 'i').test(text));
}

type Statement = { readonly text: string; readonly owner: string; readonly offset: number };

/** Lists the statements of a file, each with the fragments that it inserts, and the function or constant that contains it. */
function listStatements({ path, text }: Source): Statement[] {
  const { program } = parseSync(path, text);
  const templates = listTemplates(program as unknown as Node, []);
  const inserted = new Set(templates.flatMap(({ template }) => listInsertedNames(template)));
  return templates.flatMap(({ template, owners, isNested }) => {
    const owner = owners[0] ?? '';
    // A fragment is part of the statements that insert it.
    if (isNested || owners.some((name) => inserted.has(name))) return [];
    return [{ text: buildText(template, owners, templates, new Set()), owner, offset: template.start }];
  });
}

type Template = {
  readonly template: Node;
  /** The names of the declarations around the template, the outermost first. */
  readonly owners: readonly string[];
  /** Whether it is written inside another template. */
  readonly isNested: boolean;
};

function listTemplates(node: Node, owners: readonly string[], isNested = false): Template[] {
  const name = readDeclaredName(node);
  const inner = name === undefined ? owners : [...owners, name];
  if (isSqlTemplate(node))
    return [
      { template: node, owners, isNested },
      ...listChildren(node).flatMap((child) => listTemplates(child, owners, true)),
    ];
  return listChildren(node).flatMap((child) => listTemplates(child, inner, isNested));
}

/** The name of a function or constant that may be a fragment. What a statement returns is none. */
function readDeclaredName(node: Node): string | undefined {
  if (node.type !== 'FunctionDeclaration' && node.type !== 'VariableDeclarator') return undefined;
  if ((node['init'] as Node | null | undefined)?.type === 'AwaitExpression') return undefined;
  return (node['id'] as { readonly name?: string } | null)?.name;
}

function isSqlTemplate(node: Node): boolean {
  return (
    node.type === 'TaggedTemplateExpression' && (node['tag'] as { readonly name?: string }).name === 'sql'
  );
}

function listChildren(node: Node): Node[] {
  return Object.values(node).flatMap((value: unknown) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
  );
}

type Quasi = {
  readonly expressions: readonly Node[];
  readonly quasis: readonly { readonly value: { readonly raw: string } }[];
};

function listInsertedNames(template: Node): string[] {
  return (template['quasi'] as Quasi).expressions.flatMap(listNames);
}

/** The names that an interpolated expression reads or calls; not those of properties. */
function listNames(node: Node): string[] {
  if (node.type === 'Identifier') return [node['name'] as string];
  if (node.type === 'MemberExpression') return listNames(node['object'] as Node);
  return listChildren(node).flatMap(listNames);
}

function buildText(
  template: Node,
  owners: readonly string[],
  all: readonly Template[],
  entered: Set<Node>,
): string {
  if (entered.has(template)) return ' ';
  entered.add(template);
  const { expressions, quasis } = template['quasi'] as Quasi;
  return quasis
    .map(({ value }, place) => {
      const expression = expressions[place];
      return expression
        ? `${removeComments(value.raw)} ${buildFragments(expression, owners, all, entered)} `
        : removeComments(value.raw);
    })
    .join('');
}

/** The text of the fragments that an expression inserts: those inside it, and those of the names that it uses; `$` for a value. */
function buildFragments(
  expression: Node,
  owners: readonly string[],
  all: readonly Template[],
  entered: Set<Node>,
): string {
  const inside = all.filter(
    ({ template }) => template.start >= expression.start && template.end <= expression.end,
  );
  const named = listNames(expression).flatMap((name) => {
    const fragments = all.filter((each) => each.owners.includes(name));
    // A local constant hides one of the same name in another function.
    const local = fragments.filter((each) => each.owners[0] === owners[0]);
    return local.length > 0 ? local : fragments;
  });
  const texts = [...inside, ...named].map((each) => buildText(each.template, each.owners, all, entered));
  return texts.length === 0 ? '$' : texts.join(' ');
}

function removeComments(text: string): string {
  return text.replace(/--[^\n]*/g, ' ');
}
