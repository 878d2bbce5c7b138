import type * as agents from '#modules/access/agents';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

/** What an agent asks for. */
export type Request = OperationBody<typeof agents.readInteraction>;

/** What the headings call a client: its domain if that is proven, else the name that it claims. */
export function nameClient({ name, redirect_host, is_verified }: Request['client']): string {
  return is_verified ? redirect_host : name;
}

/** Renders where the visitor returns to, and how far the name of a client can be believed. */
export function renderClient({ texts: { connect } }: Visit, client: Request['client']): Html {
  const { name, redirect_host, is_verified, is_local } = client;
  const words = is_local ? connect.local : is_verified ? connect.verified : connect.unverified;
  const isDoubtful = is_local || !is_verified;
  return html`<div class="client ${isDoubtful && 'doubtful'}">
    <p>${connect.returnsTo} <strong>${redirect_host}</strong></p>
    <p class="${!isDoubtful && 'quiet'}">${words(name)}</p>
  </div>`;
}
