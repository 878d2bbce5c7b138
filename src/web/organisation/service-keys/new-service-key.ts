import * as serviceKeys from '#modules/access/service-keys';
import { requireRecent } from '../../account/require-recent.ts';
import { renderForm } from '../../parts/form.ts';
import { html } from '../../serving/html.ts';
import { showNarrow, type Page, type View, type Visit } from '../../serving/page.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { renderCopied } from '../webhooks/rotate-webhook.ts';

/** The rows that a purpose needs, by the beginning of their names. */
const purposes = {
  hiring: [
    /^(?:GET|POST|PATCH|DELETE) \/orgs\/me\/jobs/,
    /^(?:GET|POST|PUT) \/matches\//,
    /^GET \/orgs\/me(?:\/matches)?$/,
  ],
  reading: [/^GET /],
  directory: [/^SCIM /],
  partners: [/^PARTNER /],
} as const;

const usual_expiry = '365';

/** Creates a service key: for a usual purpose, or for rows that the administrator names. */
export const newServiceKeyPage: Page = {
  show: (visit) => {
    const { newServiceKey: texts, forms } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    requireRecent(visit);
    const form = renderForm(visit, {
      button: texts.button,
      fields: [
        { name: 'name', label: texts.name, hint: texts.nameHint, maxlength: 100 },
        {
          name: 'purpose',
          label: texts.purpose,
          look: 'radio',
          value: 'hiring',
          options: Object.entries(texts.purposes),
        },
        { name: 'permissions', label: texts.rows, hint: texts.rowsHint, lines: 4, optional: true },
        { name: 'networks', label: texts.networks, hint: texts.networksHint, lines: 2, optional: true },
        {
          name: 'expiry_days',
          label: texts.expiry,
          value: usual_expiry,
          options: Object.entries(texts.expiries),
        },
      ],
      after: html`<a href="/app/keys">${forms.cancel}</a>`,
    });
    return showNarrow({ title: texts.title, lead: texts.lead }, form);
  },
  actions: {
    send: async (visit, { name = '', purpose = '', permissions = '', networks = '', expiry_days = '' }) => {
      const created = await visit.call(serviceKeys.createServiceKey, {
        name,
        permissions: listPermissions(visit, purpose, permissions),
        networks: readLines(networks),
        expiry_days: Number(expiry_days),
      });
      return showKey(visit, visit.texts.newServiceKey.createdTitle, created);
    },
  },
};

function listPermissions(visit: Visit, purpose: string, named: string): string[] {
  const patterns = isPurpose(purpose) ? purposes[purpose] : [];
  const rows = serviceKeys.listPermissibleRows(visit.rows);
  const usual = rows.filter((row) => patterns.some((pattern) => pattern.test(row)));
  return [...new Set([...usual, ...readLines(named)])];
}

function isPurpose(text: string): text is keyof typeof purposes {
  return Object.hasOwn(purposes, text);
}

function readLines(text: string): string[] {
  return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
}

/** Shows a key. It exists only in the reply to the form. */
export function showKey(
  visit: Visit,
  title: string,
  { id, key }: { readonly id: string; readonly key: string },
): View {
  const { newServiceKey: texts } = visit.texts;
  const address = `${visit.publicUrl}/api/v1/orgs/me/jobs`;
  const content = html`<p class="lead" role="status">${texts.createdLead}</p>
    ${renderCopied(visit, key)}
    <h2>${texts.tryTitle}</h2>
    <p>${texts.tryLead}</p>
    ${renderCopied(visit, `curl -H "Authorization: Bearer ${key}" ${address}`)}
    <p class="buttons"><a class="button" href="/app/keys/${id}">${texts.done}</a></p>`;
  return showNarrow({ title }, content);
}
