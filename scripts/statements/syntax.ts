import { parseSync } from 'oxc-parser';

/** A node of the syntax tree of a source file, as far as the reader of statements looks at it. */
export type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;

/** A parsed source file. */
export type SourceModule = {
  readonly path: string;
  readonly text: string;
  readonly nodes: readonly Node[];
  readonly parents: ReadonlyMap<Node, Node>;
  /** What the file imports by name, by its local name. */
  readonly imports: ReadonlyMap<string, ImportedName>;
  /** What the file exports of other files, by the name under which it does. */
  readonly reExports: ReadonlyMap<string, ImportedName>;
};

export type ImportedName = { readonly file: string; readonly name: string };

/** Parses a source file. `resolve` finds the path of the file that an import names, if it is one of ours. */
export function parseModule(
  { path, text }: { readonly path: string; readonly text: string },
  resolve: (specifier: string) => string | undefined,
): SourceModule {
  const program = parseSync(path, text).program as unknown as Node;
  const parents = new Map<Node, Node>();
  const nodes: Node[] = [];
  const visit = (node: Node) => {
    nodes.push(node);
    for (const child of listChildren(node)) {
      parents.set(child, node);
      visit(child);
    }
  };
  visit(program);
  const readNames = (type: string, readPair: (specifier: Node) => readonly [string, string]) =>
    readImportedNames(nodes, type, resolve, readPair);
  return {
    path,
    text,
    nodes,
    parents,
    imports: readNames('ImportDeclaration', (each) => [
      readName(each['local'])!,
      readName(each['imported'])!,
    ]),
    reExports: readNames('ExportNamedDeclaration', (each) => [
      readName(each['exported'])!,
      readName(each['local'])!,
    ]),
  };
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

/** The name of an identifier, or undefined for any other node. */
export function readName(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? (node['name'] as string) : undefined;
}

function readImportedNames(
  nodes: readonly Node[],
  type: string,
  resolve: (specifier: string) => string | undefined,
  readPair: (specifier: Node) => readonly [local: string, name: string],
): ReadonlyMap<string, ImportedName> {
  const names = new Map<string, ImportedName>();
  for (const node of nodes) {
    if (node.type !== type || !isNode(node['source'])) continue;
    const file = resolve(node['source']['value'] as string);
    if (file === undefined) continue;
    for (const specifier of node['specifiers'] as readonly Node[]) {
      if (!/^(?:Import|Export)Specifier$/.test(specifier.type)) continue;
      const [local, name] = readPair(specifier);
      names.set(local, { file, name });
    }
  }
  return names;
}

/** What a name means: the value of a constant, a function, or a parameter of a function. */
export type Meaning =
  | { readonly kind: 'value' | 'function'; readonly node: Node }
  /** It is taken out of an object by a name, as in `const { columns } = jobResource`. */
  | { readonly kind: 'taken'; readonly object: Node; readonly property: string | undefined }
  | {
      readonly kind: 'parameter';
      readonly owner: Node;
      readonly place: number;
      readonly key: string | undefined;
      readonly pattern: Node;
    };

/** Finds what a name means at a node: the declaration of the nearest block, function or file around it. */
export function findMeaning(module: SourceModule, name: string, at: Node): Meaning | undefined {
  for (let node = module.parents.get(at); node; node = module.parents.get(node)) {
    const found =
      node.type === 'Program' || node.type === 'BlockStatement'
        ? findDeclaration(node['body'] as readonly Node[], name)
        : isFunction(node)
          ? findParameter(node, name)
          : undefined;
    if (found) return found;
  }
  return undefined;
}

export function isFunction({ type }: Node): boolean {
  return (
    type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
  );
}

function findDeclaration(statements: readonly Node[], name: string): Meaning | undefined {
  for (const statement of statements) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' && isNode(statement['declaration'])
        ? statement['declaration']
        : statement;
    if (declaration.type === 'FunctionDeclaration' && readName(declaration['id']) === name)
      return { kind: 'function', node: declaration };
    if (declaration.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration['declarations'] as readonly Node[])
      if (readName(id) === name && isNode(init))
        return { kind: isFunction(init) ? 'function' : 'value', node: init };
      else if (isNode(id) && id.type !== 'Identifier' && listPatternNames(id).includes(name))
        return { kind: 'taken', object: init as Node, property: findTakenProperty(id, name) };
  }
  return undefined;
}

function findTakenProperty(pattern: Node, name: string): string | undefined {
  const properties = pattern.type === 'ObjectPattern' ? (pattern['properties'] as readonly Node[]) : [];
  return readName(properties.find((each) => readName(each['value']) === name)?.['key']);
}

function listPatternNames(pattern: Node): string[] {
  return [pattern, ...listChildren(pattern)].flatMap((node) =>
    node === pattern ? (readName(node) ?? []) : listPatternNames(node),
  );
}

function findParameter(owner: Node, name: string): Meaning | undefined {
  for (const [place, parameter] of (owner['params'] as readonly Node[]).entries()) {
    const pattern = parameter.type === 'AssignmentPattern' ? (parameter['left'] as Node) : parameter;
    if (readName(pattern) === name) return { kind: 'parameter', owner, place, key: undefined, pattern };
    if (pattern.type !== 'ObjectPattern' || !listPatternNames(pattern).includes(name)) continue;
    return { kind: 'parameter', owner, place, key: findTakenProperty(pattern, name), pattern };
  }
  return undefined;
}

/** The expression without the syntax of types and parentheses around it. */
export function removeTypes(node: Node): Node {
  return /^(?:TS(?:As|NonNull|Satisfies)Expression|ParenthesizedExpression)$/.test(node.type)
    ? removeTypes(node['expression'] as Node)
    : node;
}

/** Lists what a function may return. */
export function listReturned(owner: Node): Node[] {
  const body = owner['body'] as Node;
  if (body.type !== 'BlockStatement') return [body];
  const collect = (node: Node): Node[] =>
    isFunction(node)
      ? []
      : node.type === 'ReturnStatement'
        ? isNode(node['argument'])
          ? [node['argument']]
          : []
        : listChildren(node).flatMap(collect);
  return collect(body);
}
