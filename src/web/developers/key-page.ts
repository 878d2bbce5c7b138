import { Refusal } from '#lib/refusal.ts';
import { renderOnceConfirmed } from '../account/require-recent.ts';
import { renderDisclosure } from '../parts/disclosure.ts';
import { renderFacts } from '../parts/facts.ts';
import { renderForm, type Field } from '../parts/form.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showNarrow, type Page, type Visit } from '../serving/page.ts';
import { showReadersOnly } from '../organisation/admins-only.ts';
import { isMaker, type KeyOwner, type ServiceKey } from './key-owners.ts';
import { renderRequests } from './key-requests.ts';
import { describeEnd, describeUse } from './keys-page.ts';
import { showKey } from './new-key-page.ts';
import { buildPublicKeyField, readPublicKey } from './public-key-field.ts';
import { renderQuickstart } from './quickstart.ts';

const usual_overlap = '86400';
const usual_expiry_days = 365;

/** Builds the page of one service key: how far it reaches, what it was used for lately, and its replacement or end. */
export function buildKeyPage(owner: KeyOwner): Page {
  return {
    show: async (visit) => {
      const { serviceKeys: texts } = visit.texts;
      if (visit.caller.role === 'org_viewer') return showReadersOnly(visit, texts.title);
      const key = await findKey(visit, owner);
      const requests = await owner.listRequests(visit, key.id);
      const content = html`${renderReach(visit, key)} ${renderRequests(visit, requests)}
      ${isMaker(visit, owner) && renderOnceConfirmed(visit, () => renderActs(visit, key))}
      ${renderQuickstart(visit, key)}`;
      return showNarrow({ title: key.name }, content, { back: [owner.address, texts.title] });
    },
    actions: {
      rotate: async (visit, fields) => {
        const rotated = await owner.rotate(visit, readReplacement(visit, fields));
        return showKey(visit, owner, visit.texts.newServiceKey.rotatedTitle, rotated);
      },
      replace: async (visit, fields) => {
        const public_key = readPublicKey(fields['public_key'] || '""')!;
        const replaced = await owner.replace(visit, { ...readReplacement(visit, fields), public_key });
        return goTo(`${owner.address}/${replaced.id}`, 'publicKeyReplaced');
      },
      revoke: async (visit) => {
        await owner.revoke(visit, readId(visit));
        return goTo(owner.address, 'serviceKeyRevoked');
      },
    },
  };
}

function readId({ params }: Visit): string {
  return params['service_key_id'] ?? '';
}

function readReplacement(
  visit: Visit,
  { overlap_seconds = '' }: Readonly<Record<string, string>>,
): { service_key_id: string; overlap_seconds: number; expiry_days: number } {
  const service_key_id = readId(visit);
  return { service_key_id, overlap_seconds: Number(overlap_seconds), expiry_days: usual_expiry_days };
}

/** @throws Refusal `service_key_not_found`. */
async function findKey(visit: Visit, owner: KeyOwner): Promise<ServiceKey> {
  const key = (await owner.list(visit)).find(({ id }) => id === readId(visit));
  if (!key) throw new Refusal('service_key_not_found');
  return key;
}

function renderReach(visit: Visit, key: ServiceKey): Html {
  const { serviceKeys: texts } = visit.texts;
  return html`${renderFacts([
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
  )}`;
}

function renderActs(visit: Visit, { kind }: ServiceKey): Html {
  const { serviceKeys: texts } = visit.texts;
  return html`<section class="after spaced">
      <h2>${texts.rotate}</h2>
      <p>${kind === 'secret' ? texts.rotateLead : texts.replaceLead}</p>
      ${renderForm(visit, {
        action: kind === 'secret' ? 'rotate' : 'replace',
        button: texts.rotate,
        fields: [...(kind === 'secret' ? [] : [buildPublicKeyField(visit)]), buildOverlapField(visit)],
      })}
    </section>
    <section class="after spaced">
      <h2>${texts.revoke}</h2>
      <p>${texts.revokeLead}</p>
      ${renderForm(visit, { action: 'revoke', button: texts.revoke, look: 'danger' })}
    </section>`;
}

function buildOverlapField({ texts: { rotateWebhook: texts } }: Visit): Field {
  return {
    name: 'overlap_seconds',
    label: texts.overlap,
    look: 'radio',
    value: usual_overlap,
    options: Object.entries(texts.overlaps),
  };
}
