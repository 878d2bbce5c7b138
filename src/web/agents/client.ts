import type * as oauth from '#modules/oauth';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

/** What an agent asks for. */
export type Request = OperationBody<typeof oauth.readInteraction>;

/** Renders where the visitor returns to, and how far the name of a client can be believed. */
export function renderClient({ texts: { connect } }: Visit, client: Request['client']): Html {
  const { redirect_host, is_verified, is_local } = client;
  const words = is_local ? connect.local : is_verified ? connect.verified : connect.unverified;
  const isDoubtful = is_local || !is_verified;
  return html`<div class="client ${isDoubtful && 'doubtful'}">
    <p>${connect.returnsTo} <strong>${redirect_host}</strong></p>
    <p class="${!isDoubtful && 'quiet'}">${words}</p>
  </div>`;
}
