const name_characters_max = 80;

/** More marks on one letter than any language writes. Stacked ones cover the lines above and below. */
const marks_max = 4;

/** What a joiner may follow: the scripts whose words are misspelt without one, such as Persian, Sinhala and Malayalam. */
const joining =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u;

const breaks = /(?:(?![\u200c\u200d])[\p{C}\p{Z}\s])+/gu;

/** Characters that show nothing, although they are letters or signs: fillers, and the braille pattern without dots. */
const invisible = /(?!\u200c|\u200d|\ufe0f)[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Makes a name safe to show to a stranger, in an email or on a page: one short line without anything that a mail program would turn into a
 * link, because anyone can register a person, an organisation or an agent under any name. Empty if nothing of the name is visible.
 */
export function toPlainName(name: string, characters_max = name_characters_max): string {
  const line = limitMarks(removeLooseJoiners(name.replace(breaks, ' ').replace(invisible, ''))).trim();
  const characters = Array.from(line).slice(0, characters_max).join('').trim();
  return characters.replace(/([.:/@\u3002\uFF0E\uFF61])(?=\S)/gu, '$1 ');
}

/** Removes joiners, and the marks that make emoji of signs, where no word and no emoji needs them: there they are invisible. */
function removeLooseJoiners(text: string): string {
  return Array.from(text)
    .filter((character, index, all) => isNeeded(character, all[index - 1] ?? ''))
    .join('');
}

function isNeeded(character: string, before: string): boolean {
  if (character === '\ufe0f') return /\p{Extended_Pictographic}/u.test(before);
  const isInWord = /[\p{L}\p{M}]/u.test(before) && joining.test(before);
  if (character === '\u200c') return isInWord;
  if (character !== '\u200d') return true;
  return isInWord || /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u.test(before);
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
