import { html, type Html } from '../serving/html.ts';
import { showView, type Page, type Visit } from '../serving/page.ts';
import { showReadersOnly } from '../organisation/admins-only.ts';
import { isMaker, type KeyOwner, type ServiceKey } from './key-owners.ts';
import { renderQuickstart, selectFirstRow } from './quickstart.ts';

/** Builds the page for developers: the service keys, the first steps with the newest one, and where everything else is. */
export function buildKeysPage(owner: KeyOwner): Page {
  return {
    show: async (visit) => {
      const { serviceKeys: texts } = visit.texts;
      if (visit.caller.role === 'org_viewer') return showReadersOnly(visit, texts.title);
      const keys = await owner.list(visit);
      const content = html`<header class="head with-action">
          <div>
            <h1>${texts.title}</h1>
            <p class="lead">${texts.leads[owner.of]}</p>
          </div>
          ${isMaker(visit, owner) && html`<p class="buttons"><a class="button" href="${owner.address}/new">${texts.add}</a></p>`}
        </header>
        ${renderKeys(visit, owner, keys)} ${renderPlaces(visit, owner)} ${renderFirstSteps(visit, keys)}`;
      return showView({ title: texts.title, layout: 'app', content });
    },
  };
}

function renderKeys(visit: Visit, owner: KeyOwner, keys: readonly ServiceKey[]): Html {
  const { serviceKeys: texts } = visit.texts;
  return html`<section>
    <h2>${texts.keys}</h2>
    ${
      keys.length === 0
        ? html`<p>${texts.empty}</p>`
        : html`<ul class="list users">
            ${keys.map((key) => renderKey(visit, owner, key))}
          </ul>`
    }
  </section>`;
}

function renderKey(visit: Visit, { address }: KeyOwner, key: ServiceKey): Html {
  const { serviceKeys: texts } = visit.texts;
  const isOver = new Date(key.expires_at) <= visit.now;
  return html`<li>
    <div>
      <a href="${address}/${key.id}"><strong>${key.name}</strong></a>
      <span class="small quiet block">${[texts.hint(key.hint), describeUse(visit, key)].join(' · ')}</span>
    </div>
    <span class="tag ${isOver && 'clay'}">${describeEnd(visit, key)}</span>
  </li>`;
}

/** The first steps with the newest key that is accepted, if possible one that can be tried without an id. */
function renderFirstSteps(visit: Visit, keys: readonly ServiceKey[]): Html | undefined {
  const open = keys.filter(({ expires_at }) => new Date(expires_at) > visit.now);
  const started = open.find(({ permissions }) => selectFirstRow(visit.rows, permissions)) ?? open[0];
  return started && renderQuickstart(visit, started);
}

/** Where the rest is that a program needs: each with a sentence. */
function renderPlaces({ caller, texts }: Visit, { of }: KeyOwner): Html {
  const { serviceKeys, developerPlaces: places } = texts;
  const ofOrganisation = [
    ...(caller.role === 'auditor' ? [] : [['/app/webhooks', places.events] as const]),
    ['/app/partners', places.partners] as const,
    ['/app/sso', places.directory] as const,
    ['/app/audit', places.audit] as const,
  ];
  const links = [...(of === 'organisation' ? ofOrganisation : []), ['/docs', places.reference] as const];
  return html`<section class="after spaced">
    <h2>${serviceKeys.places}</h2>
    <ul class="ticks">
      ${links.map(([link, { label, sentence }]) => html`<li><a href="${link}">${label}</a>: ${sentence}</li>`)}
      <li>${places.sandbox.sentence} <code>npm run sandbox</code></li>
    </ul>
  </section>`;
}

/** Says when a key was last used. */
export function describeUse(
  { texts: { serviceKeys: texts }, format }: Visit,
  { last_used_at }: ServiceKey,
): string {
  return last_used_at === null ? texts.unused : texts.used(format.formatTime(last_used_at));
}

/** Says until when a key is accepted. */
export function describeEnd(
  { texts: { serviceKeys: texts }, format, now }: Visit,
  { expires_at }: ServiceKey,
): string {
  const date = format.formatDate(expires_at);
  return new Date(expires_at) <= now ? texts.expired(date) : texts.expires(date);
}
