const name_characters_max = 80;

/**
 * Makes a name safe for an email to a stranger: one short line without anything that a mail program would turn into a link, because anyone
 * can register a person or an organisation under any name.
 */
export function toPlainName(name: string): string {
  const line = name.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim();
  const characters = Array.from(line).slice(0, name_characters_max).join('');
  return characters.replace(/([.:/@\u3002\uFF0E\uFF61])(?=\S)/gu, '$1 ');
}
