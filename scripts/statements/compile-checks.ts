import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fault, type Source } from '../tidy/source.ts';
import type { Span } from './read-statements.ts';

/**
 * What the compiler compares: the type argument of a tag with the columns of its statement, an expression with its parameter, or a row that is
 * given to a function with one of the columns in which it is stored.
 */
export type Check = { readonly kind: 'row' | 'value' | 'given'; readonly span: Span; readonly type: string };

/** What the copy imports, as a file of the copy. */
const checks_file = 'src/statement-checks.ts';

/**
 * Has the compiler compare types with the database. It compiles a copy of the source, in which each tag says the columns of its statement as
 * well, and each value the type of its parameter. So generic and local types are compared where they are known.
 */
export async function compileChecks(
  root: string,
  sources: readonly Pick<Source, 'path' | 'text'>[],
  checks: readonly Check[],
): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tessera-statements-'));
  try {
    writeCopy(root, folder, sources, checks);
    return readErrors(await runCompiler(root, folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the compiler. @returns what it writes about errors. */
function runCompiler(root: string, cwd: string): Promise<string> {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [compiler, '--pretty', 'false', '-p', cwd],
      { cwd, maxBuffer: 64 * 1024 ** 2 },
      (error, output) => {
        // It ends with 1 or 2 if it finds errors, which it writes to its output.
        if (error && output === '') reject(new Error('the compiler did not start', { cause: error }));
        else resolve(output);
      },
    );
  });
}

function writeCopy(
  root: string,
  folder: string,
  sources: readonly Pick<Source, 'path' | 'text'>[],
  checks: readonly Check[],
): void {
  const byFile = Map.groupBy(checks, ({ span }) => span.file);
  for (const { path: file, text } of sources) {
    const copy = path.join(folder, file);
    mkdirSync(path.dirname(copy), { recursive: true });
    writeFileSync(copy, addChecks(file, text, byFile.get(file) ?? []));
  }
  // Data that the source imports.
  cpSync(path.join(root, 'src'), path.join(folder, 'src'), {
    recursive: true,
    filter: (file) => statSync(file).isDirectory() || file.endsWith('.json'),
  });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  cpSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  cpSync(path.join(root, 'tsconfig.json'), path.join(folder, 'base.json'));
  cpSync(path.join(import.meta.dirname, 'type-checks.ts'), path.join(folder, checks_file));
  const files = [
    ...byFile.keys(),
    // What adds to the types of a package concerns files that do not import it.
    ...sources
      .filter((each) => each.path.endsWith('.d.ts') || /^declare module /m.test(each.text))
      .map((each) => each.path),
  ];
  const compilerOptions = { noErrorTruncation: true, noUnusedLocals: false };
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: './base.json', compilerOptions, include: files }),
  );
}

/** Adds the checks to a file, without changing the number of its lines. */
function addChecks(file: string, text: string, checks: readonly Check[]): string {
  if (checks.length === 0) return text;
  const bySpan = Map.groupBy(checks, ({ kind, span }) => `${kind} ${span.start} ${span.end}`);
  const edits = [...bySpan.values()].map((same) => {
    const { kind, span } = same[0]!;
    const original = text.slice(span.start, span.end);
    const types = [...new Set(same.map(({ type }) => type))];
    return { ...span, text: kind === 'row' ? writeTag(original, types) : writeValue(original, kind, types) };
  });
  let written = '';
  let done = 0;
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    written += text.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return `${written}${text.slice(done)}import { checkPgGiven, checkPgRows, pgUntyped, checkPgValue, type Json, type JsonObject, type List } from '${path.posix.relative(path.posix.dirname(file), checks_file)}';\n`;
}

function writeTag(original: string, types: readonly string[]): string {
  const row = /^sql\s*<([\s\S]*)>\s*$/.exec(original)?.[1];
  if (row === undefined) return 'pgUntyped';
  return `checkPgRows<${row}, ${types.join(' | ')}>('none')`;
}

function writeValue(original: string, kind: 'value' | 'given', types: readonly string[]): string {
  const name = kind === 'value' ? 'checkPgValue' : 'checkPgGiven';
  return `${name}<${types.map((type) => `(${type})`).join(' & ')}>(${original})`;
}

const error_pattern = /^(?<file>[^(\s]+)\((?<line>\d+),\d+\): error TS\d+: (?<message>.*)$/gm;

/** Reads the errors of the compiler as faults. The differences of rows are types of texts, and each is a sentence. */
function readErrors(output: string): string[] {
  const unread = output.split('\n').filter((line) => line.startsWith('error'));
  if (unread.length > 0) throw new Error(unread.join('\n'));
  return [...output.matchAll(error_pattern)].flatMap(({ groups }) => {
    const { file, line, message } = groups as { file: string; line: string; message: string };
    const [, given, wanted] =
      /^Argument of type '(.*)' is not assignable to parameter of type '(.*)'\.$/.exec(message) ?? [];
    const sentences =
      given === '"none"'
        ? [...wanted!.matchAll(/"([^"]*)"/g)].map((each) => `${each[1]}.`)
        : [
            given === undefined
              ? message
              : `the parameter is of the type ${given}, and PostgreSQL takes ${wanted}.`,
          ];
    return sentences.map((sentence) => fault(file, Number(line), sentence));
  });
}
