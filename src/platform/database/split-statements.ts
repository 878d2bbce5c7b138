/** A quoted text, a quoted name, a comment, or a text between dollars: a semicolon in it ends no statement. */
const part = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|\$(\w*)\$[^]*?\$\1\$|;|[^;'"$/-]+|[^]/g;

/** Splits SQL into its statements, without the semicolons between them. Comments stay with the statement that follows. */
export function splitStatements(text: string): readonly string[] {
  const statements = [''];
  for (const [found] of text.matchAll(part)) {
    if (found === ';') statements.push('');
    else statements[statements.length - 1] += found;
  }
  return statements.map((statement) => statement.trim()).filter((statement) => !isComment(statement));
}

function isComment(statement: string): boolean {
  return [...statement.matchAll(part)].every(([found]) => /^(?:--|\/\*|\s*$)/.test(found));
}
