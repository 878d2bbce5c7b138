import type { Refusal } from '#lib/refusal.ts';
import type { RefusalCode } from '#lib/refusals.ts';
import { schemaNames } from '../wire.ts';

/** The kinds of errors that SCIM names (RFC 7644 section 3.12), by our codes. */
const scimTypes: Partial<Readonly<Record<RefusalCode, string>>> = {
  directory_user_exists: 'uniqueness',
  directory_group_full: 'tooMany',
  directory_group_limit_reached: 'tooMany',
  directory_filter_refused: 'invalidFilter',
  directory_path_refused: 'invalidPath',
  directory_patch_refused: 'invalidSyntax',
  directory_value_fixed: 'mutability',
  body_malformed: 'invalidSyntax',
  body_missing: 'invalidSyntax',
  field_invalid: 'invalidValue',
};

/** Writes a refusal as an error of SCIM. What is wrong with a value is 400 there, and 422 in the API. */
export function buildScimError({ code, status, message, extras }: Refusal) {
  const scimType = scimTypes[code];
  const written = status === 422 ? 400 : status;
  return {
    status: written,
    headers: {
      ...extras.headers,
      ...(status === 401 && { 'www-authenticate': 'Bearer realm="tessera"' }),
    },
    body: {
      schemas: [schemaNames.error],
      status: String(written),
      ...(scimType !== undefined && { scimType }),
      detail: message,
    },
  };
}
