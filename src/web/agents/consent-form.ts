import * as accounts from '#modules/access/accounts';
import type * as agents from '#modules/access/agents';
import { lifetimes_days, listOfferedTools, spend_cap_dollars_max } from '#modules/access/agents';
import { renderForm } from '../parts/form.ts';
import { html, type Html } from '../serving/html.ts';
import { showView, type View, type Visit } from '../serving/page.ts';
import type { OperationBody } from '#platform/operation.ts';

type Tool = ReturnType<typeof listOfferedTools>[number];

/** The groups in which tools are shown, the least serious first. */
const kinds = ['read', 'write', 'spend'] as const;

/**
 * Asks what an agent may do. What it would read is ticked, as its user has just asked for the connection; what would change something or spend
 * money is not. Nothing is allowed without the button.
 */
export async function showConsent(visit: Visit, request: Request): Promise<View> {
  const { connect } = visit.texts;
  const { client, tools } = request;
  const { caller } = visit;
  const offered = caller.role === 'anonymous' ? [] : listOfferedTools(visit.tools, caller.role, tools);
  const title = offered.length === 0 ? connect.nothingTitle : connect.choose(nameClient(client));
  const content = html`<div class="narrow agent-request">
    <h1>${title}</h1>
    <p class="lead">
      ${offered.length > 0 ? connect.chooseLead : caller.role === 'platform_admin' ? connect.operator : connect.nothing}
    </p>
    ${await renderAccount(visit)} ${renderClient(visit, client)}
    ${offered.length > 0 && renderChoices(visit, offered)}
    ${renderForm(visit, { action: 'deny', button: connect.deny, look: 'quiet' })}
  </div>`;
  return showView({ title, layout: 'focus', content });
}

/** Renders as whom the visitor decides, and the way to another account. */
export async function renderAccount(visit: Visit): Promise<Html> {
  const { connect } = visit.texts;
  const me = await visit.call(accounts.readMe);
  const name = me.handle === null ? accounts.toLoginName(me) : `@${me.handle}`;
  return html`<div class="acting">
    <p>${connect.you} <strong>${name}</strong></p>
    ${renderForm(visit, { action: 'switch', button: connect.switch, look: 'quiet' })}
  </div>`;
}

function renderChoices(visit: Visit, offered: readonly Tool[]): Html {
  const { connect } = visit.texts;
  const { lifetimes } = connect;
  const groups = kinds.map((kind) => [kind, offered.filter((tool) => tool.kind === kind)] as const);
  const spends = offered.some(({ kind }) => kind === 'spend');
  return renderForm(visit, {
    action: 'allow',
    button: connect.allow,
    before_fields: groups
      .filter(([, tools]) => tools.length > 0)
      .map(([kind, tools]) => renderGroup(visit, kind, tools)),
    fields: [
      ...(spends
        ? [
            {
              name: 'spend_cap',
              label: connect.cap,
              hint: connect.capHint,
              type: 'number',
              step: 0.01,
              max: spend_cap_dollars_max,
              optional: 'unmarked',
              value: visit.query['spend_cap'],
            } as const,
          ]
        : []),
      {
        name: 'lifetime_days',
        label: connect.lifetime,
        look: 'radio',
        value: visit.query['lifetime_days'] ?? 90,
        options: lifetimes_days.map((days) => [String(days), lifetimes[days]] as const),
      },
    ],
  });
}

function renderGroup(visit: Visit, kind: (typeof kinds)[number], tools: readonly Tool[]): Html {
  const { connect } = visit.texts;
  const hint = { read: connect.readHint, write: connect.writeHint, spend: connect.spendHint }[kind];
  return html`<fieldset class="tools ${kind}" aria-describedby="tools-${kind}">
    <legend>${connect[kind]}</legend>
    <p class="hint" id="tools-${kind}">${hint}</p>
    ${tools.map(
      ({ name, consent }) =>
        html`<label
          ><input type="checkbox" name="${name}" value="true" ${isTicked(visit, kind, name) && 'checked'} />
          <span>${consent}</span></label
        >`,
    )}
  </fieldset>`;
}

/** A form that was refused has what was sent, and one after a confirmation what was chosen before it. */
function isTicked({ form, query }: Visit, kind: (typeof kinds)[number], name: string): boolean {
  if (form.action === 'allow') return form.values[name] === 'true';
  const { ticked } = query;
  return ticked === undefined ? kind === 'read' : ticked.split(' ').includes(name);
}

export type Request = OperationBody<typeof agents.readInteraction>;

/** What the headings call a client: its domain if that is proven, else the name that it claims. */
export function nameClient({ name, redirect_host, is_verified }: Request['client']): string {
  return is_verified ? redirect_host : name;
}

/**
 * Renders who publishes the client, where the visitor returns to, and how far the name of the client can be believed. At an address on this
 * device any program can answer, so there the host of the document says only whose client it should be.
 */
export function renderClient({ texts: { connect } }: Visit, client: Request['client']): Html {
  const { name, is_named, document_host, redirect_host, is_verified, is_local } = client;
  const words = is_local ? connect.local : is_verified ? connect.verified : connect.unverified;
  const isDoubtful = is_local || !is_verified;
  return html`<div class="client ${isDoubtful && 'doubtful'}">
    ${document_host !== null && !is_verified && html`<p>${connect.publishedBy} <strong>${document_host}</strong></p>`}
    <p>${is_local ? connect.returnsToDevice : connect.returnsTo} <strong>${redirect_host}</strong></p>
    <p class="words ${!isDoubtful && 'quiet'}">
      ${is_named ? connect.callsItself(name) : connect.unnamed} ${words}
    </p>
  </div>`;
}
