import { computeLine, type Source } from './source.ts';

/** A function that has a name, and the line of its declaration. */
export type NamedFunction = { readonly name: string; readonly line: number };

/** The function declarations of a file, and the constants whose value is a function, in their order. */
export function listFunctions({ code }: Source): NamedFunction[] {
  const declarations = [...code.matchAll(/\bfunction\s*\*?\s*([\w$]+)\s*(?=[(<])/g)];
  const constants = [...code.matchAll(/\b(?:const|let)\s+([\w$]+)\s*(?=[:=])/g)].filter((match) =>
    hasFunctionValue(code, match.index + match[0].length),
  );
  return [...declarations, ...constants]
    .toSorted((one, other) => one.index - other.index)
    .map((match) => ({ name: match[1]!, line: computeLine(code, match.index) }));
}

/**
 * The methods that object types and interfaces declare, and the properties whose type is a function: `find(id: string): Job` and
 * `readonly find: (id: string) => Job`.
 */
export function listDeclaredMethods({ code }: Source): NamedFunction[] {
  return [...code.matchAll(/\b(?:interface\s+[\w$]+[^{;]*|type\s+[\w$]+[^=;{]*=[^{;]*)\{/g)].flatMap(
    (match) => {
      const start = match.index + match[0].length;
      const body = code.slice(start, findClosing(code, start - 1) - 1);
      return listMembers(body)
        .filter(({ text }) => methodPattern.test(text))
        .map(({ text, offset }) => ({
          name: /[\w$]+(?=\??\s*[:(<])/.exec(text)![0],
          line: computeLine(code, start + offset),
        }));
    },
  );
}

const methodPattern =
  /^(?:readonly\s+)?[\w$]+\??\s*(?:[(<]|:\s*(?:\(\s*(?:\)\s*=>|\.\.\.|\{[^}]*\}\s*[,:)]|this\s*:|[\w$]+\s*\??\s*[,:])|<[^>]*>\s*\())/;

/** The members of an object type, each with its offset in the body. */
function listMembers(body: string): { readonly text: string; readonly offset: number }[] {
  const members: { text: string; offset: number }[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= body.length; at++) {
    const character = body[at] ?? ';';
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (depth > 0 || character !== ';') continue;
    const text = body.slice(from, at);
    members.push({ text: text.trim(), offset: from + text.length - text.trimStart().length });
    from = at + 1;
  }
  return members;
}

/** Whether the declaration, of which the type or the value begins at `offset`, has a function as its value. */
function hasFunctionValue(code: string, offset: number): boolean {
  const assignment = code[offset] === ':' ? findOutside(code, offset + 1, /=(?!>)/y) : offset;
  if (assignment === undefined) return false;
  const start = skip(code, assignment + 1, /\s*(?:async\b\s*)?/y);
  if (skip(code, start, /function\b|[\w$]+\s*=>/y) > start) return true;
  const parameters = code[start] === '<' ? skip(code, findClosing(code, start), /\s*/y) : start;
  if (code[parameters] !== '(') return false;
  const end = skip(code, findClosing(code, parameters), /\s*/y);
  if (code[end] === ':') return findOutside(code, end + 1, /=>/y) !== undefined;
  return code.startsWith('=>', end);
}

function skip(code: string, offset: number, pattern: RegExp): number {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = offset;
  return sticky.test(code) ? sticky.lastIndex : offset;
}

const closings: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** The offset behind the bracket that closes the one at `offset`. An arrow closes no angle bracket. */
function findClosing(code: string, offset: number): number {
  const [opening, closing] = [code[offset]!, closings[code[offset]!]];
  let depth = 0;
  for (let at = offset; at < code.length; at++) {
    if (code[at] === opening) depth++;
    else if (code[at] === closing && !code.startsWith('=>', at - 1)) depth--;
    if (depth === 0) return at + 1;
  }
  return code.length;
}

/** Where a pattern matches first, outside all brackets and before the end of the statement. */
function findOutside(code: string, offset: number, pattern: RegExp): number | undefined {
  let depth = 0;
  for (let at = offset; at < code.length; at++) {
    const character = code[at]!;
    if (depth === 0 && skip(code, at, pattern) > at) return at;
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (depth < 0 || (depth === 0 && character === ';')) return undefined;
  }
  return undefined;
}
