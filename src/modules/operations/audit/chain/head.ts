import * as jose from 'jose';
import { OperatorError } from '#platform/command-line.ts';
import type { Services } from '#platform/platform.ts';
import { signJws } from '#platform/security/jws.ts';
import type { ChainEnd } from './rules.ts';

/** The type in the header of a signed head. */
const typ = 'audit-head+jwt';

/** A chain of the audit log at a time: of an organisation, or of the installation where `org_id` is null. */
export type AuditHead = ChainEnd & { readonly org_id: string | null; readonly signed_at: Date };

/** Signs a head as a compact JWS with the key of credentials, so that anyone can verify it with the published keys. */
export function signHead({ keys, config }: Pick<Services, 'keys' | 'config'>, head: AuditHead): string {
  const key = keys.selectActive('credential');
  const { org_id, position, signed_at } = head;
  const payload = {
    iss: config.publicUrl,
    iat: Math.floor(signed_at.getTime() / 1000),
    org_id,
    position,
    head: head.head,
  };
  return signJws(key, { kid: key.kid, typ }, payload);
}

/**
 * Reads a signed head, as a JWS or as the reply that has it in `statement`, and verifies its signature.
 *
 * @throws OperatorError if it is none of this installation, or its key was revoked.
 */
export async function readSignedHead(
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  text: string,
): Promise<AuditHead> {
  const jws = readStatement(text);
  try {
    const { payload } = await jose.jwtVerify<Pick<AuditHead, 'org_id' | 'position' | 'head'>>(
      jws,
      async ({ kid = '' }) => {
        const key = await keys.find('credential', kid);
        if (!key)
          throw new OperatorError(
            `the head is signed with the key ${kid}, which this installation does not have`,
          );
        if (key.revoked_at)
          throw new OperatorError(`the key ${kid} of the head was revoked, so the head proves nothing`);
        return key.publicKey;
      },
      { typ, issuer: config.publicUrl, algorithms: ['ES256'] },
    );
    const { org_id, position, head, iat = 0 } = payload;
    return { org_id, position, head, signed_at: new Date(iat * 1000) };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError('the file has no head that this installation signed', { cause: error });
  }
}

/** The JWS in a file: the whole text, or the field `statement` of JSON. */
function readStatement(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return trimmed;
  try {
    const { statement } = JSON.parse(trimmed) as { readonly statement?: unknown };
    return typeof statement === 'string' ? statement : '';
  } catch {
    return '';
  }
}
