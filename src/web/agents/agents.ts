import {
  findDocumentHost,
  listGrants,
  removeGrantTool,
  revokeGrant,
  revokeGrants,
} from '#modules/access/agents';
import type { OperationBody } from '#platform/operation.ts';
import { renderCopyButton } from '../serving/copy-button.ts';
import { renderDisclosure } from '../parts/disclosure.ts';
import { renderFacts } from '../parts/facts.ts';
import { renderForm } from '../parts/form.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showHeaded, type Page, type Visit } from '../serving/page.ts';

type Grant = OperationBody<typeof listGrants>['data'][number];

const path = '/app/agents';

/** As many as a user can have. */
const shown_max = 50;

/** What the visitor's agents may do, and how another one is connected. */
export const agentsPage: Page = {
  show: async (visit) => {
    const { agents } = visit.texts;
    const { data } = await visit.call(listGrants, { limit: shown_max });
    const content = html`${
      data.length > 0
        ? html`<ul class="plain-list agents">
            ${data.map((grant) => html`<li class="panel">${renderGrant(visit, grant)}</li>`)}
          </ul>`
        : html`<p class="empty">${agents.emptyTitle}.</p>`
    }
    ${renderInstructions(visit)}
    ${
      data.length > 1 &&
      html`<div class="after">
        ${renderForm(visit, { action: 'disconnect_all', button: agents.disconnectAll, look: 'quiet' })}
      </div>`
    }`;
    return showHeaded(agents, content);
  },
  actions: {
    take: async ({ call }, { grant_id = '', tool = '' }) => {
      await call(removeGrantTool, { grant_id, tool });
      return goTo(path, 'toolTaken');
    },
    disconnect: async ({ call }, { grant_id = '' }) => {
      await call(revokeGrant, { grant_id });
      return goTo(path, 'agentDisconnected');
    },
    disconnect_all: async ({ call }) => {
      await call(revokeGrants);
      return goTo(path, 'agentsDisconnected');
    },
  },
};

function renderGrant(visit: Visit, grant: Grant): Html {
  const { agents } = visit.texts;
  const { formatDate, formatTime, formatAmount } = visit.format;
  const {
    id,
    client_id,
    client_name,
    redirect_host,
    tools,
    spend_cap,
    spent,
    created_at,
    last_used_at,
    expires_at,
  } = grant;
  const spending =
    spend_cap === null
      ? undefined
      : html`${agents.spentOf(formatAmount(spent, 'USD'), formatAmount(spend_cap, 'USD'))} ·
          <a href="${path}/${id}/limit">${agents.limit}<span class="hidden">: ${client_name}</span></a>`;
  return html`<h2>${client_name}</h2>
    ${renderFacts([
      [agents.publishedBy, findDocumentHost(client_id) ?? undefined],
      [agents.returnsTo, redirect_host],
      [agents.connected, formatDate(created_at)],
      [agents.used, last_used_at === null ? agents.unused : formatTime(last_used_at)],
      [agents.until, formatDate(expires_at)],
      [agents.spent, spending],
    ])}
    ${renderDisclosure(agents.tools(tools.length), renderTools(visit, grant), false)}
    ${renderForm(visit, {
      action: 'disconnect',
      button: agents.disconnect,
      button_label: agents.disconnectThis(client_name),
      look: 'quiet',
      hidden: { grant_id: id },
    })}`;
}

function renderTools(visit: Visit, { id, tools }: Grant): Html {
  const { agents } = visit.texts;
  return html`<ul class="plain-list granted-tools">
    ${tools.map((tool) => {
      const words = visit.tools.find(({ name }) => name === tool)?.consent ?? tool;
      return html`<li>
        <span>${words}</span>
        ${renderForm(visit, {
          action: 'take',
          button: agents.take,
          button_label: agents.takeThis(words),
          look: 'quiet',
          hidden: { grant_id: id, tool },
        })}
      </li>`;
    })}
  </ul>`;
}

/** How an AI client is connected, with the address to copy. */
function renderInstructions({ texts: { agents }, publicUrl }: Visit): Html {
  const address = `${publicUrl}/mcp`;
  return html`<section class="panel connecting">
    <h2>${agents.howTitle}</h2>
    <ol>
      ${agents.how.map((step) => html`<li>${step}</li>`)}
    </ol>
    <p class="address">
      <span class="hidden">${agents.address}: </span><code>${address}</code>
      ${renderCopyButton(address, agents)}
    </p>
  </section>`;
}
