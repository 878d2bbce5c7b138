import type { AttestationTier, Claims, CredentialType } from '../rules.ts';
import { buildStatusListUrl, type Issuer } from './issuer.ts';

/** The content of a credential before it is signed. */
export type CredentialStatement = {
  readonly id: string;
  readonly member_id: string;
  readonly credential_type: CredentialType;
  readonly attestation_tier: AttestationTier;
  readonly claims: Claims;
  /** Whole seconds. */
  readonly issued_at: Date;
  readonly expires_at: Date;
  readonly status_list_id: string;
  readonly status_index: number;
};

/** The status list entry of a credential (Bitstring Status List section 2.1). */
export function buildBitstringEntry(
  issuer: Issuer,
  { status_list_id, status_index }: Pick<CredentialStatement, 'status_list_id' | 'status_index'>,
) {
  const list = buildStatusListUrl(issuer, status_list_id);
  return {
    id: `${list}#${status_index}`,
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex: String(status_index),
    statusListCredential: list,
  };
}

/** Formats a time as dateTimeStamp, without the fraction of a second, which is always zero. */
export function formatDateTimeStamp(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
