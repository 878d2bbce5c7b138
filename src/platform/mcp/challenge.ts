import type { CallerGrant } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Tool } from '#lib/tool.ts';
import type { Platform } from '#platform/platform.ts';
import { listFirstScopes, listStepUpScopes } from './access.ts';

/** Where clients find out who issues tokens for the endpoint (RFC 9728, section 3.1). */
const metadata_path = '/.well-known/oauth-protected-resource/mcp';

type Challenger = Pick<Platform, 'config' | 'tools'>;

/**
 * Refuses a request without a usable token, and says which scopes to ask for. All of them at once, because many clients cannot ask for more
 * later.
 *
 * @param error Why the token that was sent is not accepted; undefined if none was sent.
 */
export function refuseStranger({ config, tools }: Challenger, error: unknown, needed?: Tool): Refusal {
  const isRefused = error instanceof Refusal;
  const refusal = isRefused ? error : new Refusal('authentication_required');
  // A token that is valid, but whose user is suspended, is not replaced by another one.
  if (refusal.status !== 401) return refusal;
  const challenge = buildChallenge(
    config.publicUrl,
    listFirstScopes(tools, needed),
    isRefused ? 'invalid_token' : undefined,
  );
  return new Refusal(refusal.code, { ...refusal.extras, headers: { 'www-authenticate': challenge } });
}

/** Refuses a call for which the token lacks the scope, and names all scopes to ask for (RFC 6750, section 3.1). */
export function refuseScope(
  { config, tools }: Challenger,
  grant: CallerGrant | undefined,
  needed: Tool,
): Refusal {
  const scopes = listStepUpScopes(tools, grant?.tools ?? new Set(), needed);
  const challenge = buildChallenge(config.publicUrl, scopes, 'insufficient_scope');
  return new Refusal('scope_insufficient', { headers: { 'www-authenticate': challenge } });
}

function buildChallenge(publicUrl: string, scopes: readonly string[], error: string | undefined): string {
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${publicUrl}${metadata_path}"`,
    `scope="${scopes.join(' ')}"`,
  ];
  return `Bearer realm="tessera", ${parameters.join(', ')}`;
}
