const name_characters_max = 80;

/** More marks on one letter than any language writes. Stacked ones cover the lines above and below. */
const marks_max = 4;

/** Characters that show nothing, although they are letters or signs: fillers, and the braille pattern without dots. */
const invisible = /[\p{Default_Ignorable_Code_Point}\u2800]+/gu;

/**
 * Makes a name safe to show to a stranger, in an email or on a page: one short line without anything that a mail program would turn into a
 * link, because anyone can register a person, an organisation or an agent under any name. Empty if nothing of the name is visible.
 */
export function toPlainName(name: string): string {
  const line = limitMarks(name.replace(/[\p{C}\p{Z}\s]+/gu, ' ').replace(invisible, '')).trim();
  const characters = Array.from(line).slice(0, name_characters_max).join('').trim();
  return characters.replace(/([.:/@\u3002\uFF0E\uFF61])(?=\S)/gu, '$1 ');
}

function limitMarks(text: string): string {
  let marks = 0;
  return Array.from(text)
    .filter((character) => {
      marks = /\p{M}/u.test(character) ? marks + 1 : 0;
      return marks <= marks_max;
    })
    .join('');
}
