import { ConfigError } from '#platform/config-numbers.ts';

/** What the operator says about itself and its service; null for what it has not set. */
export type OperatorDocuments = {
  /** Where people read the terms of service and the privacy notice, if they are elsewhere. */
  readonly terms: string | null;
  readonly privacy: string | null;
  /** Where the source of the program is that runs. */
  readonly source: string | null;
  /** The operator's own texts for the pages that say who runs the service, its terms, and what happens to data. */
  readonly texts: Readonly<Record<'about' | 'terms' | 'privacy', string | null>>;
};

/** The form of an address of a document. */
export const documentUrl = {
  pattern: /^https?:\/\/[^\s"<>]{1,500}$/,
  description: 'an http or https URL of at most 500 characters',
} as const;

/** The form of a text of the operator. */
export const operatorText = {
  pattern: /^(?=[^]*\S)[^\0]{1,60000}$/,
  description: 'a text of at most 60,000 characters',
} as const;

type Values = Readonly<
  Record<
    | 'TESSERA_TERMS_URL'
    | 'TESSERA_PRIVACY_URL'
    | 'TESSERA_SOURCE_URL'
    | 'TESSERA_ABOUT_TEXT'
    | 'TESSERA_TERMS_TEXT'
    | 'TESSERA_PRIVACY_TEXT',
    string | undefined
  >
>;

/**
 * Reads the documents of the operator from variables whose forms have been checked.
 *
 * @throws ConfigError for a document that has both an address and a text.
 */
export function readDocuments(values: Values): OperatorDocuments {
  for (const name of ['TERMS', 'PRIVACY'] as const)
    if (values[`TESSERA_${name}_URL`] && values[`TESSERA_${name}_TEXT`])
      throw new ConfigError(`TESSERA_${name}_URL and TESSERA_${name}_TEXT are both set: set one of them`);
  return {
    terms: values.TESSERA_TERMS_URL ?? null,
    privacy: values.TESSERA_PRIVACY_URL ?? null,
    source: values.TESSERA_SOURCE_URL ?? null,
    texts: {
      about: values.TESSERA_ABOUT_TEXT ?? null,
      terms: values.TESSERA_TERMS_TEXT ?? null,
      privacy: values.TESSERA_PRIVACY_TEXT ?? null,
    },
  };
}
