import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { runLimitedGuess } from '#modules/access/accounts';
import { operation, type Context } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { chooseLanguage } from '../items/languages.ts';
import { listBankLanguages } from '../items/translate-bank.ts';
import { loadItemBank, resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { chooseVolunteerItem, loadVolunteer, requireVolunteers } from './load-volunteer.ts';
import { volunteerConsent } from './rules.ts';
import { link_characters_max, openValidLink } from './sealed-links.ts';
import { insertVolunteer, lockCompleteVolunteer } from './store.ts';
import { generateCode, hashCode } from './volunteer-code.ts';
import { toVolunteerWire, volunteerWire } from './volunteer-reply.ts';
import { languageInput } from '../wire.ts';

export const startVolunteer = operation({
  name: 'traits.startVolunteer',
  title: 'Begin to answer for science',
  summary:
    'Begins a test of somebody who answers for science, without an account. The answers serve calibrations only. The reply has the code of the test, which the service does not know afterwards.',
  who: 'anyone',
  input: closedObject({
    agreed_version: field(
      Type.Literal(volunteerConsent.version),
      'The version of the text that the person has agreed to, of GET /volunteers.',
      volunteerConsent.version,
    ),
    language: Type.Optional(languageInput),
    invitation: Type.Optional(
      field(
        Type.String({ minLength: 1, maxLength: link_characters_max }),
        'For a second test: the token of the link in the invitation.',
        'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ',
      ),
    ),
  }),
  output: { 201: volunteerWire },
  location: ({ code }) => `/volunteers/${code}`,
  refuses: ['route_not_found', 'volunteer_link_invalid', 'too_many_requests'],
  run: async (context, { agreed_version, invitation, language }) => {
    requireVolunteers(context);
    const link = invitation === undefined ? undefined : openValidLink(context, 'invitation', invitation);
    if (invitation !== undefined && !link) throw new Refusal('volunteer_link_invalid');
    const { address } = context.request;
    const creation = { what: 'volunteer', account: address, user_id: undefined, address } as const;
    // Every test counts, so that one network cannot fill the database with people who do not exist.
    return runLimitedGuess(
      context,
      creation,
      () =>
        insertTest(context, {
          consent_version: agreed_version,
          first_id: link?.id ?? null,
          preferred: language,
        }),
      () => false,
    );
  },
});

type NewTest = {
  readonly consent_version: string;
  readonly first_id: string | null;
  readonly preferred: string | undefined;
};

async function insertTest(context: Context<never>, { consent_version, first_id, preferred }: NewTest) {
  const [id, code] = [randomUUID(), generateCode()];
  return context.transaction(async (tx) => {
    const parameter_version = await resolveVersionInUse(tx);
    const offered = listBankLanguages(await loadItemBank(context, tx, parameter_version));
    const language = chooseLanguage(preferred === undefined ? [] : [preferred], offered);
    const bank = await loadItemBank(context, tx, parameter_version, language);
    const asked = chooseVolunteerItem([], id, bank);
    if (!asked) throw new Error(`nothing can be asked with ${parameter_version}`);
    // The first test may have been deleted, or have a second one.
    const isPossible = first_id === null || (await lockCompleteVolunteer(tx, first_id));
    const began =
      isPossible &&
      (await insertVolunteer(tx, {
        id,
        first_id,
        code_hash: hashCode(context, code),
        consent_version,
        item_bank_version: bank.version,
        parameter_version,
        language,
        asked_id: asked.id,
        now: context.now(),
      }));
    if (!began) throw new Refusal('volunteer_link_invalid');
    return toVolunteerWire(code, await loadVolunteer(context, tx, code));
  });
}
