import type { Source } from '../tidy/source.ts';
import {
  findFragment,
  followName,
  isSqlTemplate,
  type Evaluate,
  type Fragment,
  type Frame,
  type Modules,
  type Place,
} from './fragments.ts';
import { isFunction, parseModule, readName, type Node, type SourceModule } from './syntax.ts';
import { resolveImport } from '../tidy/source.ts';

/** A range of characters of a source file. */
export type Span = { readonly file: string; readonly start: number; readonly end: number };

/** The expression of a parameter; `isRow` if it is a row, of which the parameter is one column. */
export type Parameter = Span & { readonly isRow: boolean };

/** One of the texts that a statement can have, with `$1` and so on for its parameters. */
export type Variant = {
  readonly text: string;
  /** The expressions of the parameters, in their order. */
  readonly parameters: readonly Parameter[];
  /** Where the parts of the text come from, in their order. */
  readonly pieces: readonly { readonly at: number; readonly file: string; readonly offset: number }[];
};

/** A statement of the source, with every text that its optional parts give it. */
export type SourceStatement = Span & {
  /** The outermost function or constant that contains the statement. */
  readonly owner: string;
  /** The tag with its type argument, up to the template; absent if the statement is a text. */
  readonly tag: Span | undefined;
  readonly variants: readonly Variant[];
};

const variants_max = 64;

/**
 * Reads the statements of source files: every `sql` template that is sent to the database, with the fragments that are inserted into it, and
 * what is passed to `.query(…)` as a text. A fragment may be a constant, the result of a function, an argument, or one of two alternatives,
 * in this file or in another. `evaluate` finds those that only the running program knows. Of a statement with alternatives there is a variant with all first ones, one with all last ones, and one for
 * each other alternative.
 */
export function readStatements(
  sources: readonly Pick<Source, 'path' | 'text'>[],
  evaluate?: Evaluate,
): SourceStatement[] {
  const parsed = new Map(
    sources
      .filter(({ text }) => /\bsql\b|\.query\b/.test(text))
      .map((source) => [
        source.path,
        parseModule(source, (specifier) => resolveImport(source.path, specifier)),
      ]),
  );
  const modules: Modules = { find: (file) => parsed.get(file), evaluate };
  const all = [...parsed.values()];
  const reached = new Set<Node>();
  const sent = Map.groupBy(listSent(all, modules), ({ node }) => node);
  const templates = all.flatMap((module) =>
    module.nodes.filter(isSqlTemplate).map((node) => {
      const places = (sent.get(node) ?? [{ node, place: { module, frames: [] } }]).flatMap(({ place }) =>
        place.frames.length > 0 ? [place] : listPlaces(module, node, modules, all),
      );
      return { node, statement: readTemplate(node, places, modules, reached) };
    }),
  );
  return [
    ...templates.filter(({ node }) => !reached.has(node) || sent.has(node)).map(({ statement }) => statement),
    ...all.flatMap(readQueryTexts),
  ];
}

type PlacedTemplate = { readonly node: Node; readonly place: Place };

/** Lists the templates that are passed to a method which sends them. They are statements, even if they are also inserted into others. */
function listSent(all: readonly SourceModule[], modules: Modules): PlacedTemplate[] {
  const listTemplates = (fragment: Fragment | undefined): PlacedTemplate[] =>
    fragment?.kind === 'choice'
      ? fragment.options.flatMap(listTemplates)
      : fragment?.kind === 'template'
        ? [fragment]
        : [];
  return all.flatMap((module) =>
    module.nodes
      .filter((node) => node.type === 'CallExpression' && sendingMethods.has(readMethod(node) ?? ''))
      .flatMap((node) => (node['arguments'] as readonly Node[]).slice(0, 1))
      .flatMap((given) => listTemplates(findFragment(given, { module, frames: [] }, modules))),
  );
}

const sendingMethods: ReadonlySet<string> = new Set([
  'list',
  'find',
  'one',
  'count',
  'run',
  'runAhead',
  'listOutsidePool',
]);

function readMethod(call: Node): string | undefined {
  const callee = call['callee'] as Node;
  return callee.type === 'MemberExpression' ? readName(callee['property']) : undefined;
}

function readTemplate(
  node: Node,
  places: readonly Place[],
  modules: Modules,
  reached: Set<Node>,
): SourceStatement {
  const { module } = places[0]!;
  const variants = places.flatMap((place) =>
    listVariants({ kind: 'template', node, place }, modules, (inserted) => {
      if (inserted !== node) reached.add(inserted);
    }),
  );
  const span = { file: module.path, start: node.start, end: node.end };
  const { start } = node['quasi'] as Node;
  return {
    ...span,
    owner: findOwner(module, node),
    tag: { ...span, end: start },
    variants: [...new Map(variants.map((variant) => [variant.text, variant])).values()],
  };
}

/** The places from which a template is reached: the calls of its function, if that is given fragments. */
function listPlaces(
  module: SourceModule,
  node: Node,
  modules: Modules,
  all: readonly SourceModule[],
): readonly Place[] {
  const itself: Place = { module, frames: [] };
  const owner = listAround(module, node).find((each) => isFunction(each) && isGivenFragments(each));
  if (!owner) return [itself];
  const frames = all.flatMap((caller) =>
    caller.nodes
      .filter((each) => each.type === 'CallExpression' && readName(each['callee']) !== undefined)
      .flatMap((call): Frame[] => {
        const place = { module: caller, frames: [] };
        const found = followName(call['callee'] as Node, place, modules);
        return found?.node === owner ? [{ owner, given: call['arguments'] as readonly Node[], place }] : [];
      }),
  );
  return frames.length === 0 ? [itself] : frames.map((frame) => ({ module, frames: [frame] }));
}

function listAround(module: SourceModule, start: Node): Node[] {
  const around: Node[] = [];
  for (let node = module.parents.get(start); node; node = module.parents.get(node)) around.push(node);
  return around;
}

/** Whether a parameter of a function has the type `Statement`. */
function isGivenFragments(owner: Node): boolean {
  return (owner['params'] as readonly Node[]).some((parameter) => {
    const annotation = parameter['typeAnnotation'] as { typeAnnotation?: Node } | null | undefined;
    return readName(annotation?.typeAnnotation?.['typeName']) === 'Statement';
  });
}

/** The name of the outermost declaration around a node. What a statement returns is none. */
function findOwner(module: SourceModule, node: Node): string {
  const names = listAround(module, node).flatMap((each) =>
    each.type === 'FunctionDeclaration' ||
    (each.type === 'VariableDeclarator' && (each['init'] as Node | null)?.type !== 'AwaitExpression')
      ? (readName(each['id']) ?? [])
      : [],
  );
  return names.at(-1) ?? '';
}

type Choices = ReadonlyMap<string, number>;

function listVariants(fragment: Fragment, modules: Modules, onInsert: (node: Node) => void): Variant[] {
  /** The places with alternatives that were found: how many there are, and the choices that lead there. */
  const found = new Map<string, { readonly count: number; readonly choices: Choices }>();
  const expand = (choices: Choices, isLast = false) => {
    const writer = createWriter();
    const made = new Map(choices);
    const choose = (key: string, count: number) => {
      const choice = Math.min(choices.get(key) ?? (isLast ? count - 1 : 0), count - 1);
      if (!found.has(key)) found.set(key, { count, choices: new Map(made) });
      made.set(key, choice);
      return choice;
    };
    writeFragment(fragment, { modules, writer, choose, onInsert });
    return writer.finish();
  };
  const variants = [expand(new Map()), expand(new Map(), true)];
  // The loop also visits what its own variants add.
  for (const [key, { count, choices }] of found)
    for (let option = 0; option < count && variants.length < variants_max; option++)
      variants.push(expand(new Map([...choices, [key, option]])));
  return variants;
}

type Writer = ReturnType<typeof createWriter>;

function createWriter() {
  let text = '';
  const parameters: Parameter[] = [];
  const pieces: { at: number; file: string; offset: number }[] = [];
  return {
    writeText: (written: string, file: string, offset: number) => {
      pieces.push({ at: text.length, file, offset });
      text += written;
    },
    writeParameter: (parameter: Parameter) => {
      pieces.push({ at: text.length, file: parameter.file, offset: parameter.start });
      parameters.push(parameter);
      text += `$${parameters.length}`;
    },
    finish: (): Variant => ({ text, parameters, pieces }),
  };
}

type Expansion = {
  readonly modules: Modules;
  readonly writer: Writer;
  readonly choose: (key: string, count: number) => number;
  readonly onInsert: (node: Node) => void;
};

type Quasi = {
  readonly expressions: readonly Node[];
  readonly quasis: readonly (Node & { readonly value: { readonly cooked: string } })[];
};

function writeFragment(fragment: Fragment, expansion: Expansion): void {
  const { modules, writer, choose, onInsert } = expansion;
  if (fragment.kind === 'choice')
    return writeFragment(fragment.options[choose(fragment.key, fragment.options.length)]!, expansion);
  if (fragment.kind === 'text') return writeEvaluated(fragment, writer);
  const { node, place } = fragment;
  const { path: file } = place.module;
  onInsert(node);
  const { expressions, quasis } = node['quasi'] as Quasi;
  for (const [index, { value, start }] of quasis.entries()) {
    writer.writeText(value.cooked, file, start);
    const expression = expressions[index];
    const inserted = expression && findFragment(expression, place, modules);
    if (inserted) writeFragment(inserted, expansion);
    else if (expression)
      writer.writeParameter({ file, start: expression.start, end: expression.end, isRow: false });
  }
}

/** Writes a text of the running program, whose parameters are numbered from one. */
function writeEvaluated(
  { text, given, file, offset }: Fragment & { readonly kind: 'text' },
  writer: Writer,
): void {
  const row = given ? { start: given.start, end: given.end } : { start: offset, end: offset };
  for (const [index, part] of text.split(/\$\d+/).entries()) {
    if (index > 0) writer.writeParameter({ file, ...row, isRow: true });
    writer.writeText(part, file, offset);
  }
}

/** Reads the texts that are passed to `.query(…)`, as far as they are written there. */
function readQueryTexts(module: SourceModule): SourceStatement[] {
  return module.nodes.flatMap((node) => {
    const [given] =
      node.type === 'CallExpression' && readMethod(node) === 'query'
        ? (node['arguments'] as readonly Node[])
        : [];
    const text = given && readText(given);
    if (!given || text === undefined) return [];
    const { path: file } = module;
    const pieces = [{ at: 0, file, offset: given.start + 1 }];
    const span = { file, start: given.start, end: given.end };
    return [
      {
        ...span,
        owner: findOwner(module, node),
        tag: undefined,
        variants: [{ text, parameters: [], pieces }],
      },
    ];
  });
}

function readText(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral') return undefined;
  const { expressions, quasis } = node as unknown as Quasi;
  return expressions.length === 0 ? quasis[0]!.value.cooked : undefined;
}

/** Where a character of the text of a variant is written in the source; for a text of the running program, near there. */
export function locate({ pieces }: Variant, at: number): { readonly file: string; readonly offset: number } {
  const piece = pieces.findLast((each) => each.at <= at) ?? pieces[0]!;
  return { file: piece.file, offset: piece.offset + at - piece.at };
}
