/** The language of the pages, of the words of agreement, and of our own bank. */
export const english = 'en';

const names = new Intl.DisplayNames([english], { type: 'language', fallback: 'none' });

/** Whether a text is the code of a language that exists, written as BCP 47 does: de, pt-BR. */
export function isLanguageCode(text: string): boolean {
  if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text)[0] === text && names.of(text) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Chooses the language of an assessment: the first of those that a person prefers that is offered, as it is or in another region (de for de-AT, and the
 * other way round); otherwise the first that is offered.
 */
export function chooseLanguage(preferred: readonly string[], offered: readonly string[]): string {
  for (const each of preferred) {
    const found =
      offered.find((language) => isSame(language, each)) ??
      offered.find((language) => isSame(readMain(language), readMain(each)));
    if (found !== undefined) return found;
  }
  return offered[0] ?? english;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

const readMain = (language: string) => language.split('-')[0]!;
