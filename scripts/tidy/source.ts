import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** An import of one of our own files; `target` is its path from the root. */
export type Import = { readonly target: string; readonly typeOnly: boolean; readonly line: number };

/** An import of a package; `name` is that of its entry in package.json. */
export type PackageImport = { readonly name: string; readonly line: number };

/** A source file. `bare` is its text without comments, `code` also without the contents of strings; both keep every offset. */
export type Source = {
  readonly path: string;
  readonly text: string;
  readonly bare: string;
  readonly code: string;
  readonly imports: readonly Import[];
  readonly packages: readonly PackageImport[];
};

/** Every fault has this form, which terminals and editors turn into a link. */
export function fault(file: string, line: number, sentence: string): string {
  return `${file}:${line}: ${sentence}`;
}

/** The line, counted from 1, that contains an offset. */
export function computeLine(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Whether a file is a test. Most rules do not apply to tests, and other files must not import them. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

/** The files under a folder whose names match, as sorted paths from the root; none if the folder does not exist. */
export function listFiles(root: string, folder: string, name: RegExp): string[] {
  return listEntries(path.join(root, folder))
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((file) => !/(^|\/)(node_modules|dist|\.tessera|\.tessera-demo)\//.test(file))
    .toSorted();
}

function listEntries(folder: string, recursive = true) {
  try {
    return readdirSync(folder, { recursive, withFileTypes: true });
  } catch {
    return [];
  }
}

/** The files beside package.json whose names match, sorted. */
export function listRootFiles(root: string, name: RegExp): string[] {
  return listEntries(root, false)
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => entry.name)
    .toSorted();
}

/** Reads the TypeScript and JavaScript files under a folder. */
export function readSources(root: string, folder: string): Source[] {
  return listFiles(root, folder, sourceName).map((file) => readSource(root, file));
}

/** Reads the TypeScript and JavaScript files beside package.json. */
export function readRootSources(root: string): Source[] {
  return listRootFiles(root, sourceName).map((file) => readSource(root, file));
}

const sourceName = /\.[jt]sx?$/;

function readSource(root: string, file: string): Source {
  return parseSource(file, readFileSync(path.join(root, file), 'utf8'));
}

/** A source file from its path and text. */
export function parseSource(file: string, text: string): Source {
  const { bare, code } = maskText(text);
  return { path: file, text, bare, code, ...parseImports(file, bare, code) };
}

const importPattern =
  /^[ \t]*(?:import|export)\s+(?<type>type\s+)?(?:(?!\b(?:import|export)\b)[^'"`;=()])*?\bfrom\s*(?=['"])|^[ \t]*import\s*(?=['"])|\bimport\s*\(\s*(?=['"])/gm;

function parseImports(file: string, bare: string, code: string): Pick<Source, 'imports' | 'packages'> {
  const imports: Import[] = [];
  const packages: PackageImport[] = [];
  for (const match of code.matchAll(importPattern)) {
    const quote = match.index + match[0].length;
    const specifier = bare.slice(quote + 1, bare.indexOf(bare[quote]!, quote + 1));
    const line = computeLine(bare, quote);
    const target = resolveImport(file, specifier);
    if (target !== undefined) imports.push({ target, typeOnly: match.groups?.['type'] !== undefined, line });
    else if (!specifier.startsWith('node:')) packages.push({ name: readPackageName(specifier), line });
  }
  return { imports, packages };
}

/** `@sd-jwt/core/types` is of the package `@sd-jwt/core`. */
function readPackageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The aliases are those of package.json's `imports`; a specifier that is neither an alias nor relative names a package. */
export function resolveImport(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier);
  if (specifier.startsWith('#test/')) return specifier.slice(1);
  if (specifier.startsWith('#lib/') || specifier.startsWith('#platform/')) return `src/${specifier.slice(1)}`;
  const inModules = /^#modules\/(.+)$/.exec(specifier)?.[1];
  if (inModules === undefined) return undefined;
  return inModules.endsWith('.ts') ? `src/modules/${inModules}` : `src/modules/${inModules}/index.ts`;
}

const lexeme =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|[`{}]/g;
const templatePiece = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y;
const beforeRegex = /(?:^|[=(,:[!&|?{};<>+*%^~-]|\b(?:return|typeof|case|in|of|else|throw))\s*$/;

/**
 * Blanks comments and strings. It counts braces only to find the code in `${…}` of a template literal. A slash starts a regular expression
 * where the preceding text cannot be a value.
 */
function maskText(text: string): { bare: string; code: string } {
  let bare = '';
  let code = '';
  let done = 0;
  const open: ('brace' | 'template')[] = [];
  const takeText = (end: number, inBare: string, inCode: string) => {
    bare += inBare;
    code += inCode;
    done = end;
  };
  const takeTemplate = () => {
    templatePiece.lastIndex = done;
    const piece = templatePiece.exec(text)![0];
    const ends = piece.endsWith('${') ? 2 : piece.endsWith('`') ? 1 : 0;
    if (ends === 2) open.push('template');
    takeText(
      done + piece.length,
      piece,
      blankText(piece.slice(0, piece.length - ends)) + piece.slice(piece.length - ends),
    );
  };
  const scan = new RegExp(lexeme);
  for (let match = scan.exec(text); match; match = scan.exec(text)) {
    const [found] = match;
    const plain = text.slice(done, match.index);
    takeText(match.index, plain, plain);
    const end = match.index + found.length;
    if (found.startsWith('//') || found.startsWith('/*')) takeText(end, blankText(found), blankText(found));
    else if (found.startsWith('/') && !beforeRegex.test(code.slice(-200))) takeText(done + 1, '/', '/');
    else if (found.length > 1)
      takeText(end, found, found[0]! + blankText(found.slice(1, -1)) + found.at(-1)!);
    else {
      takeText(end, found, found);
      if (found === '{') open.push('brace');
      if (found === '`' || (found === '}' && open.pop() === 'template')) takeTemplate();
    }
    scan.lastIndex = done;
  }
  return { bare: bare + text.slice(done), code: code + text.slice(done) };
}

function blankText(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** `log-in` as `logIn`: the name of the export from the name of the file. */
export function toCamelCase(kebab: string): string {
  return kebab.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
