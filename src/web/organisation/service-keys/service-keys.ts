import * as serviceKeys from '#modules/access/service-keys';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import { showView, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin, showReadersOnly } from '../admins-only.ts';

/** An organisation has at most fifty keys, so one page has all. */
const keys_max = 50;

export type ServiceKey = OperationBody<typeof serviceKeys.listServiceKeys>['data'][number];

/** The service keys of the organisation: what each is for, how far it reaches, and whether it is used. */
export const serviceKeysPage: Page = {
  show: async (visit) => {
    const { serviceKeys: texts } = visit.texts;
    if (visit.caller.role === 'org_viewer') return showReadersOnly(visit, texts.title);
    const { data: keys } = await visit.call(serviceKeys.listServiceKeys, { limit: keys_max });
    const content = html`<header class="head with-action">
        <div>
          <h1>${texts.title}</h1>
          <p class="lead">${texts.lead}</p>
        </div>
        ${isAdmin(visit) && html`<p class="buttons"><a class="button" href="/app/keys/new">${texts.add}</a></p>`}
      </header>
      ${
        keys.length === 0
          ? html`<p>${texts.empty}</p>`
          : html`<ul class="list users">
              ${keys.map((key) => renderKey(visit, key))}
            </ul>`
      }
      <p class="after quiet">${texts.guide} <a href="/docs">${texts.guideLink}</a></p>`;
    return showView({ title: texts.title, layout: 'app', content });
  },
};

function renderKey(visit: Visit, key: ServiceKey): Html {
  const { serviceKeys: texts } = visit.texts;
  const name = html`<strong>${key.name}</strong>`;
  const isOver = new Date(key.expires_at) <= visit.now;
  return html`<li>
    <div>
      ${isAdmin(visit) ? html`<a href="/app/keys/${key.id}">${name}</a>` : name}
      <span class="small quiet block">${[texts.hint(key.hint), describeUse(visit, key)].join(' · ')}</span>
    </div>
    <span class="tag ${isOver && 'clay'}">${describeEnd(visit, key)}</span>
  </li>`;
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
