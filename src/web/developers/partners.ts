import { partners, type Partner } from '#modules/matching/candidates';
import * as connections from '#modules/matching/partners';
import type { OperationBody } from '#platform/operation.ts';
import { renderOnceConfirmed } from '../account/require-recent.ts';
import { renderDisclosure, renderTicks } from '../parts/disclosure.ts';
import { renderFacts } from '../parts/facts.ts';
import { renderForm } from '../parts/form.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { isAdmin } from '../organisation/admins-only.ts';

const address = '/app/partners';

type Connection = OperationBody<typeof connections.listConnections>['data'][number];

/** The applicant tracking systems: which are connected, what to enter where, and the key by which each takes results. */
export const partnersPage: Page = {
  show: async (visit) => {
    const { partners: texts } = visit.texts;
    const { data } = await visit.call(connections.listConnections);
    const content = html`${!isAdmin(visit) && html`<p class="quiet">${texts.administrators}</p>`}
    ${partners.map((partner) =>
      renderPartner(
        visit,
        partner,
        data.find((each) => each.partner === partner),
      ),
    )}`;
    const back = visit.caller.role === 'org_viewer' ? undefined : (['/app/keys', texts.back] as const);
    return showHeaded(texts, content, { ...(back && { back }) });
  },
  actions: Object.fromEntries(
    partners.flatMap((partner) => [
      [
        `connect-${partner}`,
        async (visit: Visit, { key = '', origin = '' }: Readonly<Record<string, string>>) => {
          const given = { partner, key: key.trim(), ...(origin.trim() !== '' && { origin: origin.trim() }) };
          await visit.call(connections.setConnection, given);
          return goTo(address, 'partnerConnected');
        },
      ],
      [
        `disconnect-${partner}`,
        async (visit: Visit) => {
          await visit.call(connections.deleteConnection, { partner });
          return goTo(address, 'partnerDisconnected');
        },
      ],
    ]),
  ),
};

function renderPartner(visit: Visit, partner: Partner, connection: Connection | undefined): Html {
  const { partners: texts } = visit.texts;
  const state = connection
    ? texts.connected(visit.format.formatDate(connection.created_at))
    : texts.disconnected;
  return html`<section class="group spaced" id="${partner}">
    <h2>${texts.names[partner]}</h2>
    <p><span class="tag ${!connection && 'plain'}">${state}</span></p>
    ${
      connection &&
      renderFacts([
        [texts.origin, html`<code>${connection.origin}</code>`],
        [texts.changed, visit.format.formatTime(connection.updated_at)],
      ])
    }
    ${isAdmin(visit) && renderSteps(visit, partner, connection)}
    ${isAdmin(visit) && connection && renderDisconnection(visit, partner)}
  </section>`;
}

function renderSteps(visit: Visit, partner: Partner, connection: Connection | undefined): Html {
  const { partners: texts } = visit.texts;
  const steps = html`<ol class="spaced">
      <li><a href="/app/keys/new?purpose=partners">${texts.createKey}</a>. ${texts.createKeyLead}</li>
      <li>
        ${texts.enter[partner]}
        ${renderFacts(
          listAddresses(visit, partner).map(([name, url]) => [name, html`<code>${url}</code>`]),
          'rows addresses',
        )}
      </li>
      <li>${texts.store[partner]}</li>
    </ol>
    ${renderOnceConfirmed(visit, () => renderKeyForm(visit, partner, connection))}`;
  const is_refused = visit.form.action === `connect-${partner}`;
  return connection ? renderDisclosure(texts.replace(texts.names[partner]), steps, is_refused) : steps;
}

/** What a system asks for, and the address to enter there. */
function listAddresses(
  { publicUrl, texts: { partners: texts } }: Visit,
  partner: Partner,
): readonly (readonly [name: string, url: string])[] {
  if (partner === 'ashby') return [[texts.addresses, `${publicUrl}${connections.ashby_path}`]];
  return connections.partnerPaths
    .filter((path) => path.startsWith(`${connections.greenhouse_path}/`))
    .map((path) => [path.slice(connections.greenhouse_path.length + 1), `${publicUrl}${path}`]);
}

function renderKeyForm(visit: Visit, partner: Partner, connection: Connection | undefined): Html {
  const { partners: texts } = visit.texts;
  const name = texts.names[partner];
  return renderForm(visit, {
    action: `connect-${partner}`,
    button: connection ? texts.replace(name) : texts.connect(name),
    fields: [
      {
        name: 'key',
        label: texts.key[partner],
        hint: texts.keyHint,
        type: 'password',
        autocomplete: 'off',
        maxlength: 300,
      },
      {
        name: 'origin',
        label: texts.originLabel,
        hint: texts.originHint(connections.defaultOrigins[partner]),
        value: connection?.origin === connections.defaultOrigins[partner] ? undefined : connection?.origin,
        maxlength: 300,
        optional: true,
      },
    ],
  });
}

function renderDisconnection(visit: Visit, partner: Partner): Html {
  const { partners: texts } = visit.texts;
  const title = texts.disconnect(texts.names[partner]);
  const action = `disconnect-${partner}`;
  const content = html`${renderTicks(texts.consequences)}
  ${renderOnceConfirmed(visit, () => renderForm(visit, { action, button: title, look: 'danger' }))}`;
  return renderDisclosure(title, content, visit.form.action === action);
}
