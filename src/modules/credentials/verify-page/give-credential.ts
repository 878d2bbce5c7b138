import { readOutsideValue } from '#lib/outside-values.ts';
import { Refusal } from '#lib/refusal.ts';
import { buildIssuer } from '#modules/credentials/credentials';
import { verifyAnyCredential, type AnyVerification } from '#modules/credentials/foreign-credentials';
import type { OriginHandler, OriginOptions, OriginReply } from '#platform/http/origin-routes.ts';
import type { Platform } from '#platform/platform.ts';
import { buildForeignVerdict } from './foreign-verdict.ts';
import { buildGivingPolicy } from './page-style.ts';
import { buildVerdict, type Verdict } from './verdict.ts';
import { renderGivingHtml, type GivenResult } from './verify-html.ts';

/** A credential in a form, each character of which may take three. */
const body_bytes_max = 262_144;

/** The form is read here, and one that is too long is answered by the page. */
export const giveCredentialOptions: OriginOptions = { body: 'bytes', body_bytes_max };

/** The page on which anyone pastes, scans or drops a credential of any issuer. */
export const serveGivingPage: OriginHandler = (platform) => buildReply(platform, 200, undefined);

/** The same page with the verdict on what was given. Nothing of it is stored. */
export const serveGivenCredential: OriginHandler = async (platform, { body }) => {
  const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString() : '');
  const given = form.get('credential') ?? '';
  const own = findOwnAddress(platform, given.trim());
  if (own !== undefined) return { status: 303, headers: { location: own }, content: '' };
  try {
    return buildReply(platform, 200, {
      verdict: describe(await verifyAnyCredential(platform, given), platform),
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [first] = error.extras.errors ?? [];
    const fault = first ? `This ${first.reason}.` : error.message;
    return buildReply(platform, error.status, { fault, given });
  }
};

function buildReply(platform: Platform, status: number, result: GivenResult): OriginReply {
  const context = { publicUrl: platform.config.publicUrl, address: undefined, checked_at: platform.now() };
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': buildGivingPolicy() },
    content: renderGivingHtml(result, context),
  };
}

const idOrAddress = /^(?:(\S+)\/verify\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** The address of the page of a credential of this service, if its link or its number was given. */
function findOwnAddress({ config }: Platform, given: string): string | undefined {
  const [, origin = config.publicUrl, id] = idOrAddress.exec(given) ?? [];
  return id !== undefined && origin === config.publicUrl
    ? `/verify/${readOutsideValue('id', id)}`
    : undefined;
}

/** A token of this service is described like the stored credential, because everything about it is known. */
function describe(verified: AnyVerification, platform: Platform): Verdict {
  const { own, verdict } = verified;
  if (!own?.content) return buildForeignVerdict(verified);
  const { content, valid, checks } = own;
  const { credential_id, credential_type, attestation_tier, claims, issued_at, expires_at } = content;
  return buildVerdict({
    credential_id,
    status: verdict === 'revoked' || verdict === 'expired' ? verdict : 'active',
    issuer: buildIssuer(platform.config.publicUrl).did,
    attestation_tier,
    valid,
    checks,
    checked_at: platform.now().toISOString(),
    credential: { credential_id, credential_type, attestation_tier, claims, issued_at, expires_at },
  });
}
