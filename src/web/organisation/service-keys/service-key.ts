import { Refusal } from '#lib/refusal.ts';
import * as serviceKeys from '#modules/access/service-keys';
import { requireRecent } from '../../account/require-recent.ts';
import { renderDisclosure } from '../../parts/disclosure.ts';
import { renderFacts } from '../../parts/facts.ts';
import { renderForm } from '../../parts/form.ts';
import { html, type Html } from '../../serving/html.ts';
import { sendForm, showNarrow, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { describeEnd, describeUse, type ServiceKey } from './service-keys.ts';
import { showKey } from './new-service-key.ts';

const keys_max = 50;
const usual_overlap = '86400';
const usual_expiry_days = 365;

/** One service key: how far it reaches, and its replacement or end. */
export const serviceKeyPage: Page = {
  show: async (visit) => {
    const { serviceKeys: texts } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    const key = await findKey(visit);
    requireRecent(visit);
    const content = html`${renderFacts([
      [texts.ending, html`<code>…${key.hint}</code>`],
      [texts.use, describeUse(visit, key)],
      [texts.end, describeEnd(visit, key)],
      [texts.previous, key.previous_until === null ? undefined : visit.format.formatTime(key.previous_until)],
      [texts.networks, key.networks.length > 0 ? key.networks.join(', ') : texts.anyNetwork],
    ])}
    ${renderDisclosure(
      texts.permissions,
      html`<ul>
        ${key.permissions.map((each) => html`<li><code>${each}</code></li>`)}
      </ul>`,
      false,
    )}
    ${renderActs(visit, key)}`;
    return showNarrow({ title: key.name }, content, { back: ['/app/keys', texts.back] });
  },
  actions: {
    rotate: async (visit, { overlap_seconds = '' }) => {
      const rotated = await visit.call(serviceKeys.rotateServiceKey, {
        service_key_id: visit.params['service_key_id'] ?? '',
        overlap_seconds: Number(overlap_seconds),
        expiry_days: usual_expiry_days,
      });
      return showKey(visit, visit.texts.newServiceKey.rotatedTitle, rotated);
    },
    revoke: sendForm(serviceKeys.revokeServiceKey, '/app/keys', 'serviceKeyRevoked'),
  },
};

function renderActs(visit: Visit, { kind }: ServiceKey): Html {
  const { serviceKeys: texts } = visit.texts;
  // The program has the private key of a public one, so the API replaces that.
  return html`${kind === 'secret' && renderRotation(visit)}
    <h2>${texts.revoke}</h2>
    <p>${texts.revokeLead}</p>
    ${renderForm(visit, { action: 'revoke', button: texts.revoke, look: 'danger' })}`;
}

function renderRotation(visit: Visit): Html {
  const { serviceKeys: texts, rotateWebhook } = visit.texts;
  return html`<h2>${texts.rotate}</h2>
    <p>${texts.rotateLead}</p>
    ${renderForm(visit, {
      action: 'rotate',
      button: texts.rotate,
      fields: [
        {
          name: 'overlap_seconds',
          label: rotateWebhook.overlap,
          look: 'radio',
          value: usual_overlap,
          options: Object.entries(rotateWebhook.overlaps),
        },
      ],
    })}`;
}

/** @throws Refusal `service_key_not_found`. */
async function findKey(visit: Visit): Promise<ServiceKey> {
  const { data } = await visit.call(serviceKeys.listServiceKeys, { limit: keys_max });
  const key = data.find(({ id }) => id === visit.params['service_key_id']);
  if (!key) throw new Refusal('service_key_not_found');
  return key;
}
