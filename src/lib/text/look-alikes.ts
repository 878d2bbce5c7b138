/** Each of these letters and digits, and the letter that a reader takes it for. */
type Replacements = readonly (readonly [written: RegExp, read: string])[];

/** Characters that look alike in small letters, and pairs that look like one letter, each with the one that stands for all. */
export const lookAlikes: Replacements = [
  [/0/g, 'o'],
  [/1/g, 'l'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
];

/** Digits that are written for letters, and an i that is read as an l: what people do who want to pass for another person. */
export const disguises: Replacements = [
  [/[i!]/g, 'l'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
];

export function replaceLookAlikes(text: string, replacements: Replacements): string {
  return replacements.reduce((current, [written, read]) => current.replace(written, read), text);
}

/**
 * Letters of other alphabets, and Latin ones that Unicode does not decompose, that look like letters from a to z: the first line of each pair is read as
 * the second. A selection from the confusables of UTS #39: those in small and capital letters that fonts draw alike, not those that only resemble each other.
 */
const confusablePairs: readonly (readonly [written: string, read: string])[] = [
  // Cyrillic, small and capital letters.
  ['аеорсухіїјѕһԁԛԝкмтԍӏүѵ', 'aeopcyxiijshdqwkmtgiyv'],
  ['АВЕКМНОРСТУХІЇЈЅҺԌԜҮѴӀ', 'abekmhopctyxiijshgwyvl'],
  // Greek.
  ['αεικνορτυχγηωςϲϳ', 'aeikvoptuxynwscj'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ', 'abezhikmnoptyxcj'],
  // Armenian.
  ['սօոհցյքզԼՏՕՍ', 'uonhgjfqlsou'],
  // Cherokee.
  ['ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᎩᏃ', 'abcdeghijklmprstvwyz'],
  // Small capitals and further Latin letters.
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'],
  ['ıȷɑɡøđłħŧƚɩɪʋ', 'ijagodlhtliiv'],
  ['ɓƈɗɛƒɠɦƙɱɲŋƥʂƭʈƴƶɐǝʇɹᥱ€', 'bcdefghkmnnpsttyzaetree'],
  // Lisu.
  ['ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', 'bpdtgkjczfmnlsrvhwxyaeiou'],
];

const confusables: ReadonlyMap<string, string> = new Map(
  confusablePairs.flatMap(([written, read]) =>
    Array.from(written).map((character, index) => [character, read[index]!] as const),
  ),
);

/** The beginnings of alphabets from A to Z in circles, squares and flags, which Unicode does not decompose. */
const framedAlphabets: readonly number[] = [0x1_f150, 0x1_f170, 0x1_f1e6];

function readLetter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const framed = framedAlphabets.find((first) => code >= first && code < first + 26);
  if (framed !== undefined) return String.fromCodePoint(0x61 + code - framed);
  const small = character.toLowerCase();
  return confusables.get(character) ?? confusables.get(small) ?? small;
}

/**
 * Splits a name into what a reader sees of its words: letters and digits in one spelling, without accents, and letters of other alphabets as the Latin
 * letters that they look like. A capital after a small letter begins a word.
 */
export function listReadWords(name: string): readonly string[] {
  const words = name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  const read = Array.from(words).map(readLetter).join('');
  return read.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/**
 * Computes what a reader sees in a name: two names with the same result read alike. Case, accents, spaces, signs and letters that look alike do not matter. Empty
 * for a name without letters and digits.
 */
export function computeNameSkeleton(name: string): string {
  return replaceLookAlikes(listReadWords(name).join('').replaceAll('i', 'l'), lookAlikes);
}

/** The alphabets of which letters look like those of another one. */
const mistakenScripts = [
  /\p{scx=Latin}/u,
  /\p{scx=Cyrillic}/u,
  /\p{scx=Greek}/u,
  /\p{scx=Armenian}/u,
  /\p{scx=Cherokee}/u,
] as const;

/** Whether one word of a name has letters of several alphabets that are mistaken for each other, as no language writes it. */
export function hasMixedWord(name: string): boolean {
  const words = name.normalize('NFKC').split(/[^\p{L}\p{M}]+/u);
  return words.some((word) => {
    const letters = word.replace(/\P{L}/gu, '');
    return mistakenScripts.filter((script) => script.test(letters)).length > 1;
  });
}
