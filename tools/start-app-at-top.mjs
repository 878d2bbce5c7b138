// Codemod: `const app = await startApp();` at the top of a test file instead of `let app; beforeAll(async () => { app = await startApp(); })`.
// Run in the root of a clone, with Node 24: node tools/start-app-at-top.mjs [--skip=file,file] [files…], then oxfmt, tsc and oxlint.
// What else the beforeAll sets up becomes constants as well, if it declares nothing of its own and uses nothing that is declared below it.
// It changes nothing in files that are converted already, and prints which files it left, and why.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
const { parseSync } = createRequire(process.cwd() + '/package.json')('oxc-parser');

class Unsupported extends Error {}
const no = (why) => {
  throw new Unsupported(why);
};

const args = process.argv.slice(2);
const skip = new Set(args.filter((a) => a.startsWith('--skip=')).flatMap((a) => a.slice(7).split(',')));
const named = args.filter((a) => !a.startsWith('--'));
const files = named.length
  ? named
  : execFileSync('git', ['ls-files', '*.test.ts'], { encoding: 'utf8' }).trim().split('\n');

const isFunction = (n) =>
  n.type === 'FunctionDeclaration' || n.type === 'FunctionExpression' || n.type === 'ArrowFunctionExpression';

function link(node, parent = null) {
  node.parent = parent;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue;
    for (const each of Array.isArray(value) ? value : [value])
      if (each && typeof each === 'object' && typeof each.type === 'string') link(each, node);
  }
}
function* walk(node) {
  yield node;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue;
    for (const each of Array.isArray(value) ? value : [value])
      if (each && typeof each === 'object' && typeof each.type === 'string') yield* walk(each);
  }
}
function* bound(p) {
  if (!p) return;
  if (p.type === 'Identifier') yield p.name;
  else if (p.type === 'AssignmentPattern') yield* bound(p.left);
  else if (p.type === 'RestElement') yield* bound(p.argument);
  else if (p.type === 'ArrayPattern') for (const e of p.elements) yield* bound(e);
  else if (p.type === 'ObjectPattern')
    for (const e of p.properties) yield* bound(e.type === 'RestElement' ? e.argument : e.value);
  else if (p.type === 'TSParameterProperty') yield* bound(p.parameter);
}
function* declared(statements) {
  for (let s of statements) {
    if (s.type === 'ExportNamedDeclaration' && s.declaration) s = s.declaration;
    if (s.type === 'VariableDeclaration') for (const d of s.declarations) yield* bound(d.id);
    else if ((s.type === 'FunctionDeclaration' || s.type === 'ClassDeclaration') && s.id) yield s.id.name;
    else if (s.type === 'ImportDeclaration') for (const i of s.specifiers) yield i.local.name;
  }
}
/** The scope node that declares `name` as seen from `node`, or null. */
function resolve(name, node) {
  for (let at = node.parent; at; at = at.parent) {
    if (isFunction(at)) {
      if (at.params.some((p) => [...bound(p)].includes(name))) return at;
      if (at.type === 'FunctionExpression' && at.id?.name === name) return at;
    } else if (at.type === 'BlockStatement' || at.type === 'Program') {
      if ([...declared(at.body)].includes(name)) return at;
    } else if (at.type === 'SwitchStatement') {
      if (at.cases.some((c) => [...declared(c.consequent)].includes(name))) return at;
    } else if (at.type === 'ForStatement') {
      if (at.init?.type === 'VariableDeclaration' && [...declared([at.init])].includes(name)) return at;
    } else if (at.type === 'ForOfStatement' || at.type === 'ForInStatement') {
      if (at.left.type === 'VariableDeclaration' && [...declared([at.left])].includes(name)) return at;
    } else if (at.type === 'CatchClause') {
      if ([...bound(at.param)].includes(name)) return at;
    }
  }
  return null;
}
function isReference(id) {
  const p = id.parent;
  if (p.type === 'MemberExpression' && p.property === id && !p.computed) return false;
  if (p.type === 'Property' && p.key === id && !p.computed && !p.shorthand) return false;
  if (p.type === 'Property' && p.shorthand && p.key === id) return false; // its value is visited too
  if (p.type === 'Property' && p.parent.type === 'ObjectPattern' && p.value === id) return false;
  if (p.type === 'VariableDeclarator' && p.id === id) return false;
  if (isFunction(p) && (p.id === id || p.params.includes(id))) return false;
  if (p.type.startsWith('Import') || p.type.startsWith('Export')) return p.type.startsWith('Export');
  if (
    /^TS(PropertySignature|MethodSignature|TypeReference|QualifiedName|NamedTupleMember|FunctionType|TypeParameter|EnumMember)/.test(
      p.type,
    ) &&
    p.key !== undefined
  )
    return false;
  if (p.type === 'TSNamedTupleMember' || p.type === 'TSFunctionType' || p.type === 'TSTypeReference')
    return false;
  if (p.type === 'AssignmentPattern' && p.left === id) return false;
  if (p.type === 'RestElement' || p.type === 'ArrayPattern') return false;
  if (p.type === 'LabeledStatement' || p.type === 'BreakStatement') return false;
  return true;
}
function convert(file) {
  const src = readFileSync(file, 'utf8');
  if (!/\bstartApp\b/.test(src) || !/\bbeforeAll\b/.test(src)) return null;
  const { program, errors } = parseSync(file, src);
  if (errors.length) no('does not parse');
  link(program);
  const edits = [];
  const replace = (start, end, text) => edits.push({ start, end, text });
  const text = (n) => src.slice(n.start, n.end);
  const lineOf = (n) => {
    const end = src[n.end] === '\n' ? n.end + 1 : n.end;
    return [n.start, end];
  };

  const setUp = program.body.find(
    (s) =>
      s.type === 'ExpressionStatement' &&
      s.expression.type === 'CallExpression' &&
      s.expression.callee.name === 'beforeAll' &&
      /\bstartApp\(/.test(text(s)),
  );
  if (!setUp) return null;
  const [fn, timeout] = setUp.expression.arguments;
  if (!isFunction(fn) || fn.params.length) no('beforeAll has no plain function');
  if (timeout && Number(text(timeout).replaceAll('_', '')) > 60_000) no('beforeAll has a long timeout');
  const statements =
    fn.body.type === 'BlockStatement'
      ? fn.body.body
      : [{ type: 'ExpressionStatement', expression: fn.body, start: fn.body.start, end: fn.body.end }];
  const all = [...walk(program)].filter((n) => n.type === 'Identifier');
  const vitest = program.body.find((s) => s.type === 'ImportDeclaration' && s.source.value === 'vitest');
  if (!vitest) no('no import of vitest');

  /** Module variables without a first value, by name. */
  const lets = new Map(
    program.body
      .filter(
        (s) =>
          s.type === 'VariableDeclaration' &&
          s.kind === 'let' &&
          s.declarations.length === 1 &&
          !s.declarations[0].init &&
          s.declarations[0].id.type === 'Identifier',
      )
      .map((s) => [s.declarations[0].id.name, s]),
  );
  const targetsOf = (left) =>
    left.type === 'Identifier'
      ? [left.name]
      : [...walk(left)]
          .filter(
            (n) =>
              n.type === 'Identifier' &&
              !(n.parent.type === 'Property' && n.parent.key === n && !n.parent.shorthand),
          )
          .map((n) => n.name);
  const isTarget = (n) => {
    for (let at = n; at.parent; at = at.parent) {
      if (at.parent.type === 'AssignmentExpression') return at.parent.left === at ? at.parent : undefined;
      if (at.parent.type === 'UpdateExpression') return at.parent;
      if (!/Pattern|Property|RestElement/.test(at.parent.type)) return undefined;
    }
  };
  const assignments = (name) =>
    new Set(
      all
        .filter((n) => n.name === name && resolve(name, n) === program)
        .map(isTarget)
        .filter(Boolean),
    );
  const moduleDeclarations = new Map();
  for (const s of program.body)
    for (const name of declared([s]))
      moduleDeclarations.set(name, s.type === 'ExportNamedDeclaration' ? s.declaration : s);

  /** Whether code uses a constant, directly or through functions, that is declared after the set-up. */
  function usesLater(node, seen = new Set()) {
    for (const n of walk(node)) {
      if (n.type !== 'Identifier' || !isReference(n) || seen.has(n.name)) continue;
      const declaration = moduleDeclarations.get(n.name);
      if (!declaration || resolve(n.name, n) !== program) continue;
      seen.add(n.name);
      if (declaration.type === 'ImportDeclaration') continue;
      if (declaration.type !== 'FunctionDeclaration' && declaration.start > setUp.start) return n.name;
      const later = usesLater(declaration, seen);
      if (later) return later;
    }
    return undefined;
  }

  const asAssignment = (s) =>
    s.type === 'ExpressionStatement' &&
    (s.expression.type === 'ParenthesizedExpression' ? s.expression.expression : s.expression).type ===
      'AssignmentExpression'
      ? s.expression.type === 'ParenthesizedExpression'
        ? s.expression.expression
        : s.expression
      : undefined;
  const taken = new Set();
  /** The statement as one of the module, or undefined. */
  function lift(s, canPlain) {
    if (usesLater(s)) return undefined;
    const assignment = asAssignment(s);
    if (assignment && assignment.operator === '=') {
      const names = targetsOf(assignment.left);
      if (!names.every((name) => lets.has(name) && assignments(name).size === 1)) return undefined;
      names.forEach((name) => taken.add(name));
      let annotation = '';
      if (assignment.left.type === 'Identifier') {
        const type = lets.get(names[0]).declarations[0].id.typeAnnotation;
        const written = type ? text(type).replace(/^:\s*/, '') : '';
        const { right } = assignment;
        const value = right.type === 'AwaitExpression' ? right.argument : right;
        const inferred =
          /^(Awaited<|ReturnType<|TestApp$)/.test(written) ||
          (value.type === 'CallExpression' && /^\w+$/.test(written) && !/^(any|unknown)$/.test(written));
        if (written && !inferred) annotation = `: ${written}`;
      }
      const left =
        assignment.left.type === 'ObjectPattern' ||
        assignment.left.type === 'ArrayPattern' ||
        assignment.left.type === 'Identifier'
          ? text(assignment.left)
          : no('assigns in an unusual way');
      return `const ${left}${annotation} = ${text(assignment.right)};`;
    }
    if (
      !canPlain ||
      s.type === 'VariableDeclaration' ||
      s.type === 'ReturnStatement' ||
      s.type === 'FunctionDeclaration'
    )
      return undefined;
    if (
      [...walk(s)].some(
        (n) => n.type === 'ReturnStatement' && ![...ancestors(n)].some((a) => isFunction(a) && a !== fn),
      )
    )
      return undefined;
    return text(s);
  }
  function* ancestors(n) {
    for (let at = n.parent; at && at !== fn.parent; at = at.parent) yield at;
  }

  // All or, if a later statement needs the function, as many as can be lifted from the start.
  const lifted = [];
  const declaresOwn = statements.some(
    (s) => s.type === 'VariableDeclaration' || s.type === 'FunctionDeclaration',
  );
  let place = fn.body.type === 'BlockStatement' ? fn.body.start + 1 : 0;
  for (const s of statements) {
    const line = lift(s, !declaresOwn);
    if (line === undefined) break;
    const comment = place ? src.slice(place, s.start).trim() : '';
    lifted.push((comment ? `${comment}\n` : '') + line);
    place = s.end;
  }
  if (!taken.has('app')) no(`the start of the app cannot be lifted`);
  const rest = statements.slice(lifted.length);
  // A variable whose first assignment is lifted, and that is assigned once, becomes a constant.
  for (const name of taken) {
    const declaration = lets.get(name);
    const before = /(?:^|\n)((?:[ \t]*\/\*\*[^\n]*\*\/|[ \t]*\/\/[^\n]*)\n)$/.exec(
      src.slice(0, declaration.start),
    );
    if (before) {
      // The comment goes with the constant.
      const index = lifted.findIndex((line) => new RegExp(`^const \\{?\\[?[^=]*\\b${name}\\b`).test(line));
      if (index < 0) no(`the comment of ${name} has no place`);
      lifted[index] = `${before[1].trim()}\n${lifted[index]}`;
      replace(declaration.start - before[1].length, lineOf(declaration)[1], '');
    } else replace(...lineOf(declaration), '');
  }
  const tail =
    place && fn.body.type === 'BlockStatement' && !rest.length
      ? src.slice(place, fn.body.end - 1).trim()
      : '';
  if (tail) no('a comment at the end of beforeAll');
  if (!rest.length) replace(...lineOf(setUp), `${lifted.join('\n')}\n`);
  else {
    replace(setUp.start, setUp.start, `${lifted.join('\n')}\n`);
    replace(fn.body.start + 1, place, '');
    if (!rest.some((s) => [...walk(s)].some((n) => n.type === 'AwaitExpression')))
      no('the rest of beforeAll waits for nothing');
  }

  const keepsBeforeAll =
    rest.length > 0 ||
    all.some((n) => n.name === 'beforeAll' && isReference(n) && n !== setUp.expression.callee);
  if (!keepsBeforeAll) {
    const kept = vitest.specifiers.filter((s) => s.imported.name !== 'beforeAll').map(text);
    replace(vitest.start, vitest.end, `import { ${kept.join(', ')} } from 'vitest';`);
  }
  // Imports of types that only the variables named.
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration' || statement === vitest || !statement.specifiers.length)
      continue;
    const removed = [...taken].map((name) => lets.get(name));
    const kept = statement.specifiers.filter((s) => {
      const mentions = all.filter((n) => n.name === s.local.name && n.parent !== s);
      const gone = mentions.filter((n) => removed.some((d) => n.start >= d.start && n.end <= d.end));
      const named = lifted.some((line) => new RegExp(`\\b${s.local.name}\\b`).test(line));
      return named || mentions.length === 0 || gone.length < mentions.length;
    });
    if (kept.length === statement.specifiers.length) continue;
    if (!kept.length) replace(...lineOf(statement), '');
    else if (statement.importKind !== 'type' && kept.every((s) => s.importKind === 'type'))
      replace(
        statement.start,
        statement.end,
        `import type { ${kept.map((s) => text(s).replace(/^type /, '')).join(', ')} } from '${statement.source.value}';`,
      );
    else if (kept.some((s) => s.type !== 'ImportSpecifier')) no('imports in an unusual way');
    else
      replace(
        statement.start,
        statement.end,
        `import ${statement.importKind === 'type' ? 'type ' : ''}{ ${kept.map(text).join(', ')} } from '${statement.source.value}';`,
      );
  }

  edits.forEach((edit, index) => (edit.index = index));
  edits.sort((a, b) => b.start - a.start || b.end - a.end || b.index - a.index);
  let out = src;
  let limit = Infinity;
  for (const { start, end, text: t } of edits) {
    if (end > limit) no('edits overlap');
    out = out.slice(0, start) + t + out.slice(end);
    limit = start;
  }
  const after = parseSync(file, out);
  if (after.errors.length) no(`the result does not parse: ${after.errors[0].message}`);
  return { out, partly: rest.length > 0 };
}

const left = new Map();
const changed = [];
const partly = [];
for (const file of files) {
  if (skip.has(file)) {
    left.set(file, 'left out by --skip');
    continue;
  }
  try {
    const result = convert(file);
    if (result === null) continue;
    writeFileSync(file, result.out);
    changed.push(file);
    if (result.partly) partly.push(file);
  } catch (error) {
    if (!(error instanceof Unsupported)) {
      error.message = `${file}: ${error.message}`;
      throw error;
    }
    left.set(file, error.message);
  }
}
console.log(
  `${changed.length} files converted (${partly.length} of them keep a beforeAll for the rest), ${left.size} left:`,
);
for (const [file, why] of left) console.log(`  ${file}: ${why}`);
console.log(`keep a beforeAll:\n${partly.map((f) => `  ${f}`).join('\n')}`);
