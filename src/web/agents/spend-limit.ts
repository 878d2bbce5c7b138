import { Refusal } from '#lib/refusal.ts';
import { listGrants, setSpendCap, spend_cap_dollars_max } from '#modules/access/agents';
import { requireRecent } from '../account/require-recent.ts';
import { renderForm } from '../parts/form.ts';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page } from '../serving/page.ts';

const back = '/app/agents';

/** Changes how much an agent may spend. */
export const spendLimitPage: Page = {
  show: async (visit) => {
    requireRecent(visit);
    const { agents, forms } = visit.texts;
    const { data } = await visit.call(listGrants, { limit: 50 });
    const grant = data.find(({ id }) => id === visit.params['grant_id']);
    if (!grant || grant.spend_cap === null) throw new Refusal('grant_not_found');
    const content = html`${renderForm(visit, {
      button: agents.limitButton,
      fields: [
        {
          name: 'spend_cap',
          label: agents.limitField,
          type: 'number',
          step: 0.01,
          max: spend_cap_dollars_max,
          value: grant.spend_cap,
        },
      ],
      after: html`<a href="${back}">${forms.cancel}</a>`,
    })}`;
    return showNarrow({ title: agents.limitTitle, lead: agents.limitLead(grant.client_name) }, content);
  },
  actions: {
    send: async ({ call, params }, { spend_cap = '' }) => {
      await call(setSpendCap, { grant_id: params['grant_id'] ?? '', spend_cap: Number(spend_cap) });
      return goTo(back, 'limitChanged');
    },
  },
};
