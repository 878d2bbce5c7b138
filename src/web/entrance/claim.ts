import * as stubs from '#modules/income/stubs';
import type { OperationBody } from '#platform/operation.ts';
import { renderDocuments } from '../parts/documents.ts';
import { renderFacts } from '../parts/facts.ts';
import { renderForm } from '../parts/form.ts';
import { readUnlessRefused } from '../parts/read-unless-refused.ts';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page, type View, type Visit } from '../serving/page.ts';
import { buildEmailField, buildPasswordField } from '../parts/fields.ts';

/** Claims a prepared identity: first its code, then what it is and the account. The code stays in the form, and in no address. */
export const claimPage: Page = {
  show: async (visit) => {
    if (visit.caller.role !== 'anonymous') return goTo('/app');
    const { claim_code } = visit.form.values;
    if (visit.form.action === 'claim' && claim_code !== undefined) {
      const stub = await readUnlessRefused(['stub_not_found', 'stub_claimed', 'too_many_requests'], () =>
        visit.call(stubs.readStub, { claim_code }),
      );
      if (stub) return showStub(visit, stub);
    }
    return showCodeForm(visit);
  },
  actions: {
    send: async (visit, { claim_code = '' }) =>
      showStub(visit, await visit.call(stubs.readStub, { claim_code })),
    claim: async ({ call }, { claim_code = '', email = '', password = '', tos_accepted = '' }) => {
      await call(stubs.claimIdentity, {
        claim_code,
        email: email.trim(),
        password,
        // The operation refuses a claim without the box.
        tos_accepted: (tos_accepted === 'true') as true,
      });
      return goTo('/app', 'identityClaimed');
    },
  },
};

function showCodeForm(visit: Visit): View {
  const { claim: words } = visit.texts;
  return showNarrow(
    words,
    html`${renderForm(visit, {
        button: words.look,
        focus: true,
        fields: [
          {
            name: 'claim_code',
            label: words.code,
            hint: words.codeHint,
            value: visit.query['code'],
            maxlength: 40,
          },
        ],
      })}
      <p>${words.noCode} <a href="/register">${words.register}</a></p>`,
    { layout: 'open' },
  );
}

type Stub = OperationBody<typeof stubs.readStub>;

function showStub(visit: Visit, stub: Stub): View {
  const { claim: words, register } = visit.texts;
  const { formatNumber, formatAmount, formatDate } = visit.format;
  return showNarrow(
    { title: words.found, lead: words.foundLead },
    html`${renderFacts([
        [words.known, words.bands[stub.attunement_band]],
        [words.traits, formatNumber(stub.trait_count)],
        [words.reads, formatNumber(stub.query_count)],
        [words.earned, formatAmount(stub.accrued_earnings, 'USD')],
        [words.created, formatDate(stub.created_at)],
      ])}
      <p>${words.after}</p>
      ${renderForm(visit, {
        action: 'claim',
        button: words.claim,
        before_buttons: renderDocuments(visit),
        hidden: { claim_code: stub.claim_code },
        fields: [
          buildEmailField(register.email),
          buildPasswordField(register.password, register.passwordHint),
          { name: 'tos_accepted', label: words.terms, look: 'check' },
        ],
        after: html`<a href="/claim">${words.otherCode}</a>`,
      })}`,
    { layout: 'open' },
  );
}
