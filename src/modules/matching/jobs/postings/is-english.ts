import { listWords } from './find-trait-words.ts';

/** Frequent words that carry no meaning. English text consists of them to a quarter or more; the others stand for languages in the same letters. */
const english = new Set(
  'the and of to a an in for with is are you we our your will on as be or that have has by at from this it their who can must about'.split(
    ' ',
  ),
);
const others = new Set(
  'der die das und ist für mit wir sie ein eine zu von den auf sind le la les et des une est pour avec nous vous du el los las y en que por con una para il di che gli della het een van voor met zijn o os um uma com e da dos och att som är og er på til af vi w z na się jest oraz dla ja sekä dan yang untuk dengan ve bir için ile'.split(
    ' ',
  ),
);

/** A text with fewer words is English unless something speaks against it. */
const words_min = 12;

/** The least share of frequent English words in an English text. Lists of duties have far fewer than prose. */
const share_min = 0.05;

/** Says whether a text is written in English, by its most frequent words and its letters. */
export function isEnglish(text: string): boolean {
  const words = listWords(text.slice(0, 20_000)).map((word) => word.text);
  const own = words.filter((word) => english.has(word)).length;
  const foreign = words.filter((word) => others.has(word)).length;
  const latin = words.filter((word) => /^[a-z0-9']+$/.test(word)).length;
  if (words.length === 0 || latin < words.length * 0.8 || foreign > own) return false;
  return words.length < words_min || own >= words.length * share_min;
}
