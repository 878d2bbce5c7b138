/** A common password with at most this many added characters is still common: `Password1234!`, `!!Dragon2024`, `Aa123456789!`. */
const around_characters_max = 8;
/** More than two added letters make a different word; up to two are usually added to meet the password rule. */
const around_letters_max = 2;

const letter = /\p{L}/u;

/** Characters that users write instead of a letter. `1`, `!` and `|` can replace i or l. */
const substitutions: readonly Readonly<Record<string, string>>[] = ['i', 'l'].map((one) => ({
  '0': 'o',
  '1': one,
  '!': one,
  '|': one,
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '+': 't',
}));

/**
 * Lists the forms of a password to look up among the common ones, in lower case: the password, and its inner parts after removing up to
 * eight characters around them, at most two of which are letters. Each is listed unchanged and with substituted letters restored, and if it
 * is a word written twice, and so is the word. At most 270 forms for any length.
 */
export function listPasswordForms(password: string): readonly string[] {
  const characters = Array.from(password.normalize('NFKC').toLowerCase());
  const forms = new Set<string>();
  for (let start = 0; start <= around_characters_max; start++) {
    for (let left = 0; start + left <= around_characters_max; left++) {
      const end = characters.length - left;
      if (end <= start) continue;
      const around = [...characters.slice(0, start), ...characters.slice(end)];
      if (around.filter((each) => letter.test(each)).length > around_letters_max) continue;
      addForms(forms, characters.slice(start, end));
    }
  }
  return [...forms];
}

function addForms(forms: Set<string>, characters: readonly string[]): void {
  const half = characters.length / 2;
  for (const spelling of [
    characters,
    ...substitutions.map((letters) => characters.map((each) => letters[each] ?? each)),
  ]) {
    const word = spelling.join('');
    forms.add(word);
    const first = spelling.slice(0, half).join('');
    if (Number.isInteger(half) && first === spelling.slice(half).join('')) forms.add(first);
  }
}
