import { Refusal } from '#lib/refusal.ts';
import type * as sso from '#modules/access/sso';
import type { OperationInput } from '#platform/operation.ts';
import { readList } from '../../parts/read-list.ts';

type SetUp = Omit<OperationInput<typeof sso.configureSso>, 'org_id'>;

/** The ways to name an identity provider. */
export const ways = ['url', 'xml', 'fields', 'openid'] as const;

export type Way = (typeof ways)[number];

/** Reads the form of the set-up. Only the fields of the chosen way are sent. The operation refuses wrong values. */
export function readSetUp(fields: Readonly<Record<string, string>>): SetUp {
  const read = (name: string) => fields[name]?.trim() ?? '';
  const name = read('attribute_name');
  return {
    ...readProvider(read),
    email_domains: [...readList(read('email_domains').replaceAll(/\s+/g, '\n'))],
    attribute_mapping: { email: read('attribute_email') || 'email', ...(name !== '' && { name }) },
    default_role: read('default_role') as 'org_viewer' | 'auditor',
    allow_idp_initiated: read('allow_idp_initiated') === 'true',
    enabled: read('enabled') === 'true',
  };
}

function readProvider(read: (name: string) => string): Partial<SetUp> {
  const way = read('way');
  if (way === 'xml') return { idp_metadata_xml: read('idp_metadata_xml') };
  if (way === 'fields')
    return {
      idp_entity_id: read('idp_entity_id'),
      idp_sso_url: read('idp_sso_url'),
      idp_certificates: [...splitCertificates(read('idp_certificates'))],
    };
  return { idp_metadata_url: read('idp_metadata_url') };
}

/** Splits certificates that follow each other. One without the lines of PEM is bare base64. */
export function splitCertificates(text: string): readonly string[] {
  const end = '-----END CERTIFICATE-----';
  if (!text.includes(end)) return text.trim() === '' ? [] : [text.trim()];
  return text
    .split(end)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => `${part}\n${end}`);
}

/** Runs the set-up. A refusal names the fields as the form does. */
export async function renameSetUpFields<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.extras.errors) throw error;
    const errors = error.extras.errors.map(({ pointer, reason }) => ({
      pointer: pointer
        .replace(/^\/attribute_mapping\/(?=email|name)/, '/attribute_')
        .replace(/^\/role_mapping\/claim$/, '/role_claim')
        .replace(/^\/role_mapping\/auditor/, '/auditor_values'),
      reason,
    }));
    throw new Refusal(error.code, { ...error.extras, errors });
  }
}
