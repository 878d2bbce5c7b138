import { dataTypes, type DataType } from '#modules/income/reads';
import type { Visit } from '../serving/page.ts';
import type { Field } from './form.ts';

/** Builds the field for the address of an account; `changes` is what the form asks for besides. */
export function buildEmailField(label: string, changes: Partial<Field> = {}): Field {
  return { name: 'email', label, type: 'email', autocomplete: 'username', maxlength: 254, ...changes };
}

/** Builds the field for a password: a new one with a hint, and the one in use without. */
export function buildPasswordField(label: string, hint?: string, name = 'password'): Field {
  const autocomplete = hint === undefined ? 'current-password' : 'new-password';
  return { name, label, type: 'password', autocomplete, maxlength: 256, ...(hint !== undefined && { hint }) };
}

/** Builds the field for a code of an authenticator app. */
export function buildCodeField(label: string): Field {
  return { name: 'code', label, inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 10 };
}

/** Builds the choice of the data of a read, of which the first is chosen at first. */
export function buildDataTypeField(label: string, describe: (type: DataType) => string): Field {
  const options = dataTypes.map((type) => [type, describe(type)] as const);
  return { name: 'data_type', label, look: 'radio', value: dataTypes[0], options };
}

/** Builds the field that chooses a language. Each is named in itself. */
export function buildLanguageField(
  { texts }: Pick<Visit, 'texts'>,
  { language, languages }: { readonly language: string; readonly languages: readonly string[] },
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
