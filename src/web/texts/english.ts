import { agentTexts } from './agents/agents.ts';
import { accountTexts } from './account.ts';
import { entranceTexts } from './entrance.ts';
import { candidateTexts } from './organisation/candidates.ts';
import { frameTexts } from './frame.ts';
import { frontTexts } from './front/pages.ts';
import { operatorTemplates } from './front/templates.ts';
import { marketplaceTexts } from './marketplace.ts';
import { matchTexts } from './matches.ts';
import { archetypeTexts } from './member-archetype.ts';
import { memberConsentTexts } from './member-consent.ts';
import { credentialTexts } from './member-credentials.ts';
import { incomeTexts, memberMoneyTexts } from './member-income.ts';
import { preferenceTexts } from './member-preferences.ts';
import { memberTexts } from './member.ts';
import { operatorBankTexts } from './operator/banks.ts';
import { operatorFindingTexts } from './operator/findings.ts';
import { operatorLedgerTexts } from './operator/ledger.ts';
import { operatorTexts } from './operator/operator.ts';
import { taskTexts } from './operator/tasks.ts';
import { operatorWatchTexts } from './operator/watch.ts';
import { organisationBalanceTexts } from './organisation-balance.ts';
import { organisationCultureTexts } from './organisation-culture.ts';
import { organisationJobTexts } from './organisation-jobs.ts';
import { organisationPeopleTexts } from './organisation-people.ts';
import { organisationReadTexts } from './organisation-reads.ts';
import { organisationReportTexts } from './organisation-reports.ts';
import { organisationSsoTexts } from './organisation-sso.ts';
import { organisationWebhookTexts } from './organisation-webhooks.ts';
import { developerTexts } from './organisation/developers.ts';
import { organisationTableTexts } from './organisation/table.ts';
import { organisationTexts } from './organisation.ts';
import { offerTexts } from './organisation/offers.ts';
import { placementTexts } from './placements.ts';
import { refusalTexts } from './refusals.ts';
import { traitTexts } from './traits.ts';
import { volunteerTexts } from './volunteers.ts';

/** All text of the console in English, by area. A translation is another object of the same shape. */
export const english = {
  locale: 'en-GB',
  language: 'en',
  ...frameTexts,
  ...refusalTexts,
  ...entranceTexts,
  ...frontTexts,
  ...operatorTemplates,
  ...accountTexts,
  ...agentTexts,
  ...memberTexts,
  ...traitTexts,
  ...matchTexts,
  ...placementTexts,
  ...offerTexts,
  ...candidateTexts,
  ...memberConsentTexts,
  ...archetypeTexts,
  ...credentialTexts,
  ...incomeTexts,
  ...memberMoneyTexts,
  ...marketplaceTexts,
  ...preferenceTexts,
  ...organisationTexts,
  ...operatorTexts,
  ...operatorBankTexts,
  ...operatorFindingTexts,
  ...operatorLedgerTexts,
  ...operatorWatchTexts,
  ...taskTexts,
  ...organisationJobTexts,
  ...organisationPeopleTexts,
  ...organisationCultureTexts,
  ...organisationReadTexts,
  ...organisationBalanceTexts,
  ...organisationReportTexts,
  ...organisationSsoTexts,
  ...developerTexts,
  ...organisationTableTexts,
  ...organisationWebhookTexts,
  ...volunteerTexts,
} as const;

/** The shape of a catalogue: every translation has the same names, and functions with the same parameters. */
export type Texts = Widen<typeof english>;

type Widen<Value> = Value extends string
  ? string
  : Value extends (...values: infer Values) => string
    ? (...values: Values) => string
    : Value extends (...values: infer Values) => readonly string[]
      ? (...values: Values) => readonly string[]
      : { readonly [Name in keyof Value]: Widen<Value[Name]> };
