import * as serviceKeys from '#modules/access/service-keys';
import { requireRecent } from '../account/require-recent.ts';
import { renderForm, type Field } from '../parts/form.ts';
import { html } from '../serving/html.ts';
import { showNarrow, type Page, type View, type Visit } from '../serving/page.ts';
import { showAdminsOnly } from '../organisation/admins-only.ts';
import { renderCopied } from '../organisation/webhooks/rotate-webhook.ts';
import { isMaker, type KeyOwner, type ServiceKey } from './key-owners.ts';
import { renderQuickstart } from './quickstart.ts';
import { buildPublicKeyField, readPublicKey } from './public-key-field.ts';

const usual_expiry = '365';

/** Builds the page that creates a service key: for a usual purpose, or for rows that the administrator names. */
export function buildNewKeyPage(owner: KeyOwner): Page {
  return {
    show: (visit) => {
      const { newServiceKey: texts, forms } = visit.texts;
      if (!isMaker(visit, owner)) return showAdminsOnly(visit, texts.title);
      requireRecent(visit);
      const form = renderForm(visit, {
        button: texts.button,
        fields: buildFields(visit, owner),
        after: html`<a href="${owner.address}">${forms.cancel}</a>`,
      });
      return showNarrow({ title: texts.title, lead: texts.lead }, form);
    },
    actions: {
      send: async (visit, fields) => {
        const { name = '', purpose = '', permissions = '', networks = '', expiry_days = '' } = fields;
        const reach = {
          name,
          permissions: listPermissions(visit, owner, purpose, permissions),
          networks: readLines(networks),
          expiry_days: Number(expiry_days),
        };
        const public_key = readPublicKey(fields['public_key']);
        const { createdTitle, registeredTitle } = visit.texts.newServiceKey;
        if (!public_key) return showKey(visit, owner, createdTitle, await owner.create(visit, reach));
        return showKey(visit, owner, registeredTitle, await owner.register(visit, { ...reach, public_key }));
      },
    },
  };
}

function buildFields(visit: Visit, { of, purposes }: KeyOwner): readonly Field[] {
  const { newServiceKey: texts } = visit.texts;
  const words: Readonly<Record<string, string>> = texts.purposes[of];
  const [usual = ''] = Object.keys(purposes);
  const asked = visit.query['purpose'] ?? '';
  return [
    { name: 'name', label: texts.name, hint: texts.nameHint, maxlength: 100 },
    {
      name: 'purpose',
      label: texts.purpose,
      look: 'radio',
      value: Object.hasOwn(purposes, asked) ? asked : usual,
      options: Object.keys(purposes).map((purpose) => [purpose, words[purpose] ?? purpose] as const),
    },
    { name: 'permissions', label: texts.rows, hint: texts.rowsHints[of], lines: 4, optional: true },
    { name: 'networks', label: texts.networks, hint: texts.networksHint, lines: 2, optional: true },
    {
      name: 'expiry_days',
      label: texts.expiry,
      value: usual_expiry,
      options: Object.entries(texts.expiries),
    },
    { ...buildPublicKeyField(visit), hint: texts.publicKeyHint, optional: true },
  ];
}

function listPermissions(
  visit: Visit,
  { maker, purposes }: KeyOwner,
  purpose: string,
  named: string,
): string[] {
  const patterns = Object.hasOwn(purposes, purpose) ? (purposes[purpose] ?? []) : [];
  const rows = serviceKeys.listPermissibleRows(visit.rows, maker);
  const usual = rows.filter((row) => patterns.some((pattern) => pattern.test(row)));
  return [...new Set([...usual, ...readLines(named)])];
}

function readLines(text: string): string[] {
  return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
}

/** Shows a key and the first steps with it. A secret exists only in the reply to the form. */
export function showKey(
  visit: Visit,
  { address }: KeyOwner,
  title: string,
  key: ServiceKey & { readonly key?: string },
): View {
  const { newServiceKey: texts } = visit.texts;
  const content = html`${
      key.key === undefined
        ? html`<p class="lead" role="status">${texts.registeredLead}</p>`
        : html`<p class="lead" role="status">${texts.createdLead}</p>
            ${renderCopied(visit, key.key)}`
    }
    <p class="buttons">
      <a class="button" href="${address}/${key.id}">${key.key === undefined ? texts.look : texts.done}</a>
    </p>
    ${renderQuickstart(visit, key)}`;
  return showNarrow({ title }, content);
}
