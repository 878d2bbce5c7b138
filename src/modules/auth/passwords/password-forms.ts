/** How much around a common password still leaves it one: `Password1234!`, `!!Dragon2024`, `Aa123456789!`. */
const around_characters_max = 8;
/** Letters are what makes another word; two of them are only there for the rule. */
const around_letters_max = 2;

const letter = /\p{L}/u;

/** What people write for a letter. `1` and `!` stand for two of them. */
const disguises: readonly Readonly<Record<string, string>>[] = ['i', 'l'].map((one) => ({
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
 * What of a password is to be looked up among the common ones: itself, and its inner parts with up to eight characters left out around them,
 * at most two of these letters; each as it is and with disguised letters read as letters, and where it is a word said twice, the word.
 * All in lower case. At most 270 forms, whatever the length.
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
  for (const read of [
    characters,
    ...disguises.map((letters) => characters.map((each) => letters[each] ?? each)),
  ]) {
    const word = read.join('');
    forms.add(word);
    const first = read.slice(0, half).join('');
    if (Number.isInteger(half) && first === read.slice(half).join('')) forms.add(first);
  }
}
