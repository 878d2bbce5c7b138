import { Refusal } from '#lib/refusal.ts';
import * as accounts from '#modules/access/accounts';
import * as agents from '#modules/access/agents';
import type { OperationInput } from '#platform/operation.ts';
import { renderForm } from '../parts/form.ts';
import { readUnlessRefused } from '../parts/read-unless-refused.ts';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, showView, type Page, type View, type Visit } from '../serving/page.ts';
import { renderAccount, showConsent, nameClient, renderClient, type Request } from './consent-form.ts';

type Decision = OperationInput<typeof agents.finishConsent>;

/** What an agent asks for: its user logs in or chooses a handle, then decides what the agent may do. */
export const interactionPage: Page = {
  show: async (visit) => {
    const uid = visit.params['uid'] ?? '';
    const request = await readUnlessRefused(['authorization_request_not_found', 'field_invalid'], () =>
      visit.call(agents.readInteraction, { uid }),
    );
    if (!request) return showOver(visit);
    if (visit.caller.role === 'anonymous') return showArrival(visit, request);
    return request.prompt === 'login' ? showAgain(visit, request) : showConsent(visit, request);
  },
  actions: {
    allow: async (visit, fields) => {
      const uid = visit.params['uid'] ?? '';
      const request = await visit.call(agents.readInteraction, { uid });
      const decision = readDecision(visit, fields);
      try {
        const { continue_url } = await visit.call(agents.finishConsent, { uid, ...decision });
        return showEnd(visit, request, continue_url, true);
      } catch (error) {
        if (!(error instanceof Refusal && error.code === 'recent_authentication_required')) throw error;
        return goTo(buildConfirmation(visit, decision));
      }
    },
    deny: async (visit) => {
      const uid = visit.params['uid'] ?? '';
      const request = await visit.call(agents.readInteraction, { uid });
      const { continue_url } = await visit.call(agents.denyInteraction, { uid });
      return showEnd(visit, request, continue_url, false);
    },
    switch: async (visit) => {
      await visit.call(accounts.logOut);
      return goTo(visit.address);
    },
  },
};

/** Reads what is ticked. The operation checks all of it. */
function readDecision(
  { caller, tools }: Visit,
  fields: Readonly<Record<string, string>>,
): Omit<Decision, 'uid'> {
  const { spend_cap = '', lifetime_days = '' } = fields;
  const offered =
    caller.role === 'anonymous' ? [] : agents.listOfferedTools(tools, caller.role, Object.keys(fields));
  return {
    tools: offered.filter(({ name }) => fields[name] === 'true').map(({ name }) => name),
    spend_cap: spend_cap.trim() === '' ? null : Number(spend_cap),
    lifetime_days: Number(lifetime_days) as agents.LifetimeDays,
  };
}

/** Where the visitor confirms who they are, and from where they return to the same choices. */
function buildConfirmation(
  { address }: Visit,
  { tools, spend_cap, lifetime_days }: Omit<Decision, 'uid'>,
): string {
  const chosen = new URLSearchParams({
    ticked: tools.join(' '),
    lifetime_days: String(lifetime_days),
    ...(spend_cap !== null && { spend_cap: String(spend_cap) }),
  });
  const to = `${address.split('?', 1)[0]}?${chosen.toString()}`;
  return `/app/account/confirm?continue=${encodeURIComponent(to)}`;
}

function showArrival(visit: Visit, { client }: Request): View {
  const { connect } = visit.texts;
  const title = connect.asks(nameClient(client));
  const returning = `continue=${encodeURIComponent(visit.address)}`;
  const content = html`<div class="narrow agent-request">
    <h1>${title}</h1>
    <p class="lead">${connect.lead}</p>
    ${renderClient(visit, client)}
    <section class="panel">
      <h2>${connect.newTitle}</h2>
      <p>${connect.newText}</p>
      <p class="buttons"><a class="button" href="/oauth/handle?${returning}">${connect.create}</a></p>
    </section>
    <section class="panel">
      <h2>${connect.knownTitle}</h2>
      <p class="buttons"><a class="button quiet" href="/sign-in?${returning}">${connect.logIn}</a></p>
    </section>
    ${renderForm(visit, { action: 'deny', button: connect.deny, look: 'quiet' })}
  </div>`;
  return showView({ title, layout: 'open', content });
}

/** The client asks for a newer login than that of the visitor. Who cannot confirm it in place logs out and in again. */
async function showAgain(visit: Visit, { client }: Request): Promise<View> {
  const { connect } = visit.texts;
  const to = `/app/account/confirm?continue=${encodeURIComponent(visit.address)}`;
  const content = html`<div class="narrow agent-request">
    <h1>${connect.againTitle}</h1>
    <p class="lead">${connect.again(nameClient(client))}</p>
    ${await renderAccount(visit)} ${renderClient(visit, client)}
    <p class="buttons"><a class="button" href="${to}">${connect.confirm}</a></p>
    ${renderForm(visit, { action: 'deny', button: connect.deny, look: 'quiet' })}
  </div>`;
  return showView({ title: connect.againTitle, layout: 'focus', content });
}

function showOver(visit: Visit): View {
  const { connect } = visit.texts;
  const content = html`${visit.caller.role !== 'anonymous' && html`<p><a href="/app/agents">${connect.toAgents}</a></p>`}`;
  return showNarrow({ title: connect.overTitle, lead: connect.over }, content, {
    layout: 'focus',
    status: 404,
  });
}

/**
 * Says what was decided, and leads back to the client. The page goes there itself, because our own policy forbids that a form ends at another
 * site.
 */
function showEnd(visit: Visit, { client }: Request, continue_url: string, is_allowed: boolean): View {
  const { connect } = visit.texts;
  const title = is_allowed ? connect.doneTitle : connect.deniedTitle;
  const content = html`<p class="lead" role="status">
      ${is_allowed ? connect.done(nameClient(client)) : connect.denied(nameClient(client))}
    </p>
    <p class="buttons"><a class="button" href="${continue_url}">${connect.back(client.redirect_host)}</a></p>
    <p class="quiet">${connect.close}</p>`;
  return showNarrow({ title }, content, { layout: 'focus', refresh_s: 2, refresh_to: continue_url });
}
