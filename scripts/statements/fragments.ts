import {
  findMeaning,
  isFunction,
  listReturned,
  readName,
  removeTypes,
  type Node,
  type SourceModule,
} from './syntax.ts';

/** A call that is being followed: its function, and the arguments with the place where they are written. */
export type Frame = { readonly owner: Node; readonly given: readonly Node[]; readonly place: Place };

/** Where an expression is read: its file, and the calls through which it was reached. */
export type Place = { readonly module: SourceModule; readonly frames: readonly Frame[] };

/** A piece of SQL that is inserted into a statement: a template, one of several, or a text that only the running program knows. */
export type Fragment =
  | { readonly kind: 'template'; readonly node: Node; readonly place: Place }
  | { readonly kind: 'choice'; readonly key: string; readonly options: readonly Fragment[] }
  | (EvaluatedText & { readonly kind: 'text'; readonly file: string; readonly offset: number });

/** A text that only the running program knows, with `$1` for its first parameter, and the expression of the row that gives its values. */
export type EvaluatedText = { readonly text: string; readonly given: Node | undefined };

/** A member of an object, or a call of it, with the first argument. */
export type Member = {
  readonly object: Node;
  readonly property: string | undefined;
  readonly given?: Node | undefined;
};

/** Finds the text that a member of an object yields at run time, if it yields one. */
export type Evaluate = (member: Member, module: SourceModule) => EvaluatedText | undefined;

/** The files that statements are read from, and what is known of the running program. */
export type Modules = {
  readonly find: (file: string) => SourceModule | undefined;
  readonly evaluate: Evaluate | undefined;
};

const calls_max = 12;

export function isSqlTemplate(node: Node): boolean {
  return node.type === 'TaggedTemplateExpression' && readName(node['tag']) === 'sql';
}

/** Finds the fragment that an expression yields, or undefined if it is a value, which becomes a parameter. */
export function findFragment(expression: Node, place: Place, modules: Modules): Fragment | undefined {
  const node = removeTypes(expression);
  const find = (each: Node) => findFragment(each, place, modules);
  if (isSqlTemplate(node)) return { kind: 'template', node, place };
  if (node.type === 'ConditionalExpression') {
    const test = node['test'] as Node;
    const options = [find(node['consequent'] as Node), find(node['alternate'] as Node)];
    return buildChoice(`${place.module.path} ${place.module.text.slice(test.start, test.end)}`, options);
  }
  if (node.type === 'LogicalExpression')
    return buildChoice(buildKey(node, place), [find(node['left'] as Node), find(node['right'] as Node)]);
  const found =
    node.type === 'Identifier'
      ? findNamed(node, place, modules)
      : node.type === 'CallExpression'
        ? findReturned(node, place, modules)
        : node.type === 'MemberExpression'
          ? findMember(node, place, modules)
          : undefined;
  if (found) return found;
  const member = readMember(node, place);
  const evaluated = member && modules.evaluate?.(member, place.module);
  return evaluated && { kind: 'text', ...evaluated, file: place.module.path, offset: node.start };
}

/** `job.columns`, `job.insert(row)`, or `columns` that is taken out of `job`. */
function readMember(node: Node, { module }: Place): Member | undefined {
  if (node.type === 'Identifier') {
    const meaning = findMeaning(module, readName(node)!, node);
    return meaning?.kind === 'taken' ? meaning : undefined;
  }
  const member = node.type === 'CallExpression' ? (node['callee'] as Node) : node;
  if (member.type !== 'MemberExpression') return undefined;
  const [given] = member === node ? [] : (node['arguments'] as readonly Node[]);
  return { object: member['object'] as Node, property: readName(member['property']), given };
}

function buildKey({ start }: Node, { module }: Place): string {
  return `${module.path} ${start}`;
}

function buildChoice(key: string, options: readonly (Fragment | undefined)[]): Fragment | undefined {
  const fragments = options.filter((option) => option !== undefined);
  return fragments.length > 1 ? { kind: 'choice', key, options: fragments } : fragments[0];
}

type Found = { readonly node: Node; readonly place: Place; readonly isFunction: boolean };

function findNamed(node: Node, place: Place, modules: Modules): Fragment | undefined {
  const found = followName(node, place, modules);
  return found && !found.isFunction ? findFragment(found.node, found.place, modules) : undefined;
}

/** Finds the constant, function or argument that a name means, through imports and calls. */
export function followName(identifier: Node, place: Place, modules: Modules): Found | undefined {
  const name = readName(identifier)!;
  const meaning = findMeaning(place.module, name, identifier);
  if (meaning === undefined) return followImport(name, place.module, modules);
  if (meaning.kind === 'taken') return undefined;
  if (meaning.kind !== 'parameter')
    return { node: meaning.node, place, isFunction: meaning.kind === 'function' };
  const at = place.frames.findIndex(({ owner }) => owner === meaning.owner);
  const frame = place.frames[at];
  if (!frame) return undefined;
  const given = frame.given[meaning.place] ?? readDefault(meaning.owner, meaning.place);
  if (!given) return undefined;
  if (meaning.pattern.type !== 'ObjectPattern') return { node: given, place: frame.place, isFunction: false };
  const property = meaning.key === undefined ? undefined : readProperty(given, meaning.key);
  return property && { node: property, place: frame.place, isFunction: false };
}

function followImport(name: string, from: SourceModule, modules: Modules): Found | undefined {
  let imported = from.imports.get(name);
  let module = imported && modules.find(imported.file);
  while (imported && module?.reExports.has(imported.name)) {
    imported = module.reExports.get(imported.name)!;
    module = modules.find(imported.file);
  }
  const first = (module?.nodes[0]?.['body'] as readonly Node[] | undefined)?.[0];
  const meaning = imported && module && first && findMeaning(module, imported.name, first);
  if (!module || (meaning?.kind !== 'value' && meaning?.kind !== 'function')) return undefined;
  return { node: meaning.node, place: { module, frames: [] }, isFunction: meaning.kind === 'function' };
}

function readDefault(owner: Node, place: number): Node | undefined {
  const parameter = (owner['params'] as readonly Node[])[place];
  return parameter?.type === 'AssignmentPattern' ? (parameter['right'] as Node) : undefined;
}

function readProperty(node: Node, key: string): Node | undefined {
  const object = removeTypes(node);
  if (object.type !== 'ObjectExpression') return undefined;
  const property = (object['properties'] as readonly Node[]).find((each) => readName(each['key']) === key);
  return property?.['value'] as Node | undefined;
}

function findReturned(node: Node, place: Place, modules: Modules): Fragment | undefined {
  const callee = node['callee'] as Node;
  if (callee.type === 'MemberExpression' && readName(callee['property']) === 'reduce')
    return findReduced(node, callee['object'] as Node, place, modules);
  if (callee.type !== 'Identifier') return undefined;
  const found = followName(callee, place, modules);
  if (!found?.isFunction || place.frames.length > calls_max) return undefined;
  const frame: Frame = { owner: found.node, given: node['arguments'] as readonly Node[], place };
  const inside: Place = { module: found.place.module, frames: [frame, ...place.frames] };
  const returned = listReturned(found.node).map((each) => findFragment(each, inside, modules));
  return buildChoice(buildKey(found.node, inside), returned);
}

/** `pages.reduce((all, next) => sql`…`)`, where `pages` is mapped from values: what two pages yield, and what one does. */
function findReduced(node: Node, list: Node, place: Place, modules: Modules): Fragment | undefined {
  const found = list.type === 'Identifier' ? followName(list, place, modules) : { node: list, place };
  const mapped = found && removeTypes(found.node);
  if (!found || mapped?.type !== 'CallExpression') return undefined;
  const [map] = mapped['arguments'] as readonly Node[];
  const [reduce] = node['arguments'] as readonly Node[];
  if (!map || !reduce || !isFunction(map) || !isFunction(reduce)) return undefined;
  const [element] = listReturned(map);
  const frame: Frame = { owner: reduce, given: [element!, element!], place: found.place };
  const inside: Place = { module: place.module, frames: [frame, ...place.frames] };
  const several = listReturned(reduce).map((each) => findFragment(each, inside, modules));
  return buildChoice(buildKey(node, place), [...several, findFragment(element!, found.place, modules)]);
}

/** `orders.newest` or `orders[order]` of a constant object of fragments. */
function findMember(node: Node, place: Place, modules: Modules): Fragment | undefined {
  const object = node['object'] as Node;
  if (object.type !== 'Identifier') return undefined;
  const found = followName(object, place, modules);
  const value = found && !found.isFunction ? removeTypes(found.node) : undefined;
  if (!found || value?.type !== 'ObjectExpression') return undefined;
  const property = node['property'] as Node;
  const options = (value['properties'] as readonly Node[])
    .filter((each) => node['computed'] === true || readName(each['key']) === readName(property))
    .flatMap((each) => (each['value'] ? [findFragment(each['value'] as Node, found.place, modules)] : []));
  return buildChoice(buildKey(node, place), options);
}
