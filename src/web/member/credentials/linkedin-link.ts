import {
  buildIssuer,
  describeEarned,
  findVoucher,
  formatAchievementTitle,
} from '#modules/credentials/credentials';
import type { Credential } from './credential-facts.ts';

type Shared = Pick<
  Credential,
  'id' | 'credential_type' | 'attestation_tier' | 'claims' | 'issued_at' | 'expires_at'
>;

/**
 * The link that opens LinkedIn's form for a licence or certification, filled in (LinkedIn Help, "Add a certification to your profile": name,
 * organizationName, issueYear, issueMonth, expirationYear, expirationMonth, certUrl, certId). Nothing is sent before the member presses a button there.
 */
export function buildLinkedInLink(publicUrl: string, credential: Shared): string {
  const { id, claims, issued_at, expires_at } = credential;
  const issuer = buildIssuer(publicUrl);
  const [issued, expires] = [new Date(issued_at), new Date(expires_at)];
  const fields = {
    startTask: 'CERTIFICATION_NAME',
    name: formatAchievementTitle(describeEarned(issuer, credential, claims), claims),
    organizationName: findVoucher(issuer, credential, claims),
    issueYear: String(issued.getUTCFullYear()),
    issueMonth: String(issued.getUTCMonth() + 1),
    expirationYear: String(expires.getUTCFullYear()),
    expirationMonth: String(expires.getUTCMonth() + 1),
    certUrl: `${publicUrl}/verify/${id}`,
    certId: id,
  };
  return `https://www.linkedin.com/profile/add?${new URLSearchParams(fields).toString()}`;
}
