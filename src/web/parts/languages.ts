import type { Visit } from '../serving/page.ts';
import { html, type Html } from '../serving/html.ts';
import { renderForm, type Field } from './form.ts';

/** In which language items are read, and in which they can be. */
type Languages = { readonly language: string; readonly languages: readonly string[] };

/** Lets the visitor choose another language of the statements, where there are several. */
export function renderLanguages(visit: Visit, chosen: Languages): Html | false {
  if (chosen.languages.length < 2) return false;
  return html`<div class="languages">
    ${renderForm(visit, {
      action: 'translate',
      button: visit.texts.languages.change,
      look: 'quiet',
      fields: [buildLanguageField(visit, chosen)],
    })}
  </div>`;
}

/** Builds the field that chooses a language. Each is named in itself. */
export function buildLanguageField(
  { texts }: Pick<Visit, 'texts'>,
  { language, languages }: Languages,
): Field {
  return {
    name: 'language',
    label: texts.languages.label,
    value: language,
    options: languages.map((code) => [code, nameLanguage(code)]),
  };
}

/** Names a language in itself: Deutsch for de. */
export function nameLanguage(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}
