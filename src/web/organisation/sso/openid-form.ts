import type * as sso from '#modules/access/sso';
import type { OperationInput } from '#platform/operation.ts';
import type { Field } from '../../parts/form.ts';
import { readList } from '../../parts/read-list.ts';
import type { Visit } from '../../serving/page.ts';
import type { OpenidConfiguration } from './configuration.ts';

type SetUp = Omit<OperationInput<typeof sso.configureOpenid>, 'org_id'>;

/** Builds the fields of an OpenID Connect provider. The secret is never shown again, and stays if the field is left empty. */
export function buildOpenidFields(
  { texts: { sso: texts } }: Visit,
  configuration: OpenidConfiguration | undefined,
): readonly Field[] {
  return [
    {
      name: 'issuer',
      label: texts.issuer,
      hint: texts.issuerHint,
      value: configuration?.issuer,
      maxlength: 2_000,
    },
    { name: 'client_id', label: texts.clientId, value: configuration?.client_id, maxlength: 255 },
    {
      name: 'client_secret',
      label: texts.clientSecret,
      ...(configuration && { hint: texts.clientSecretKept, may_be_empty: true }),
      type: 'password',
      autocomplete: 'off',
      maxlength: 1_000,
    },
  ];
}

/** Builds the fields by which the provider decides who is an auditor. */
export function buildRoleFields(
  { texts: { sso: texts } }: Visit,
  configuration: OpenidConfiguration | undefined,
): readonly Field[] {
  return [
    {
      name: 'role_claim',
      label: texts.roleClaim,
      hint: texts.roleClaimHint,
      value: configuration?.role_mapping?.claim,
      maxlength: 256,
      optional: true,
    },
    {
      name: 'auditor_values',
      label: texts.auditorValues,
      hint: texts.auditorValuesHint,
      value: configuration?.role_mapping?.auditor.join('\n'),
      lines: 2,
      maxlength: 10_000,
      optional: true,
    },
  ];
}

/** Reads the form of an OpenID Connect provider. The operation refuses wrong values. */
export function readOpenidSetUp(fields: Readonly<Record<string, string>>): SetUp {
  const read = (name: string) => fields[name]?.trim() ?? '';
  const [secret, claim] = [read('client_secret'), read('role_claim')];
  return {
    issuer: read('issuer'),
    client_id: read('client_id'),
    ...(secret !== '' && { client_secret: secret }),
    email_domains: [...readList(read('email_domains').replaceAll(/\s+/g, '\n'))],
    default_role: read('default_role') as 'org_viewer' | 'auditor',
    role_mapping: claim === '' ? null : { claim, auditor: readLines(read('auditor_values')) },
    enabled: read('enabled') === 'true',
  };
}

/** The names of groups may have commas in them. */
function readLines(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}
