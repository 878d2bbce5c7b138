import {
  buildIssuer,
  describeAchievement,
  describeEarned,
  findVoucher,
  formatAchievementTitle,
} from '#modules/credentials/credentials';
import type { CredentialVerification, Verdict } from './verdict.ts';

/** What a link to a credential looks like elsewhere. It says nothing that its page does not say. */
export type ShareCard = { readonly title: string; readonly description: string; readonly image: string };

/** An achievement as a page of a credential may show it. */
export type ShownAchievement = {
  readonly title: string;
  readonly voucher: string;
  readonly image: string;
  readonly card: string;
};

/** The achievement of a credential, while its page shows the content and the credential is good. */
export function findShownAchievement(
  publicUrl: string,
  { tone }: Pick<Verdict, 'tone'>,
  verified: CredentialVerification | undefined,
): ShownAchievement | undefined {
  const credential = tone === 'bad' ? null : verified?.credential;
  if (!credential) return undefined;
  const issuer = buildIssuer(publicUrl);
  const { id } = describeAchievement(issuer, credential);
  const { attestation_tier, claims } = credential;
  return {
    title: formatAchievementTitle(describeEarned(issuer, credential, claims), claims),
    voucher: describeVoucher(attestation_tier, findVoucher(issuer, credential, claims)),
    // That of the organisation, or ours, which is sharp at any size.
    image: claims.achievement_image ?? `${id}/badge.svg`,
    card: `${id}/card.png`,
  };
}

function describeVoucher(tier: CredentialVerification['attestation_tier'], voucher: string): string {
  return tier === 'self_attested'
    ? `The holder says so. ${voucher} signed the statement, and has not checked it.`
    : `${voucher} says so.`;
}

/** The card of a page: that of its achievement, or one that says only whether the credential is good. */
export function buildShareCard(
  publicUrl: string,
  verdict: Verdict,
  verified: CredentialVerification | undefined,
): ShareCard {
  const shown = findShownAchievement(publicUrl, verdict, verified);
  const invitation = 'Anyone can check it here, free and without an account.';
  return shown
    ? { title: shown.title, description: `${shown.voucher} ${invitation}`, image: shown.card }
    : { title: verdict.headline, description: invitation, image: `${publicUrl}/achievements/card.png` };
}
