import { Refusal } from '#lib/refusal.ts';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { RequestFacts } from '#platform/operation.ts';
import type { Services } from '#platform/platform.ts';
import {
  interaction_cookie,
  login_age_parameter,
  type ClientDescription,
  type LoginDemand,
} from '../rules.ts';
import { findArtifact, type Artifact, type ArtifactPayload, upsertArtifact } from '../store-artifacts.ts';

/** An authorization request that waits for the decision of a person. */
export type Interaction = {
  readonly uid: string;
  readonly payload: ArtifactPayload;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly client: ClientDescription;
  /** The scopes of tools that the client asks for. */
  readonly scope: string;
  readonly login: LoginDemand;
  /** Where the browser continues after the decision. */
  readonly continue_url: string;
};

type FindingContext = Pick<Services, 'now'> & { readonly request: RequestFacts };

/**
 * Finds the authorization request of this browser. Its cookie is set for the pages of that request alone, so that nobody can make another
 * person decide about a request that they have started themselves.
 *
 * @throws Refusal `authorization_request_not_found` if it has expired, was decided, or was started by another browser.
 */
export async function findInteraction(
  { now, request }: FindingContext,
  db: Reader,
  uid: string,
): Promise<Interaction> {
  const artifact =
    request.cookies[interaction_cookie] === uid
      ? await findArtifact(db, { kind: 'Interaction', id: uid }, now())
      : undefined;
  if (!artifact || artifact.payload['result'] !== undefined)
    throw new Refusal('authorization_request_not_found');
  return toInteraction(uid, artifact);
}

function toInteraction(uid: string, { payload, created_at, expires_at }: Artifact): Interaction {
  // Written by the library, with the details of our own prompt (`protocol/open-provider.ts`).
  const { params, prompt, returnTo } = payload as {
    readonly params: {
      readonly scope: string;
      readonly prompt?: string;
      readonly [login_age_parameter]?: string;
    };
    readonly prompt: { readonly details: { readonly client: ClientDescription } };
    readonly returnTo: string;
  };
  const { client } = prompt.details;
  const { scope, [login_age_parameter]: age } = params;
  const age_max_s = age === undefined ? undefined : Number(age);
  const login = { prompt: params.prompt, age_max_s, requested_at: created_at };
  return { uid, payload, created_at, expires_at, client, scope, login, continue_url: returnTo };
}

/** Stores the decision of the person, which the library reads when the browser continues. @returns where it continues. */
export async function storeResult(
  tx: Transaction,
  { uid, payload, expires_at, continue_url }: Interaction,
  now: Date,
  result: Readonly<Record<string, unknown>>,
): Promise<{ readonly continue_url: string }> {
  await upsertArtifact(
    tx,
    { kind: 'Interaction', id: uid },
    { user_id: null, grant_id: null, payload: { ...payload, result }, now, expires_at },
  );
  return { continue_url };
}
