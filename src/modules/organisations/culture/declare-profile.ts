import { computeSecondsUntil } from '#lib/wait-window.ts';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { culturePublished } from './events.ts';
import { findDeclarationFacts } from './find-declaration-facts.ts';
import { questionnaireVersion } from './questionnaire.ts';
import { decideDeclaration, declarationRefusals } from './rules.ts';
import { computeDeclaredScores } from './score.ts';
import { insertProfile, lockSurvey } from './store.ts';
import { cultureProfileWire, declarationInput, toWire } from './wire.ts';

export const declareProfile = operation({
  name: 'culture.declareProfile',
  title: 'Declare a culture profile',
  summary:
    'Publishes what an organisation of fewer than five users declares about its own culture. The profile is marked as declared wherever it is used, and has no respondents; the answers of five users replace it.',
  who: ['org_admin'],
  input: Type.Object(declarationInput),
  output: { 201: cultureProfileWire },
  refuses: [...declarationRefusals],
  idempotent: true,
  run: (context, declaration) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const survey = { org_id, questionnaire_version: questionnaireVersion };
      await lockSurvey(tx, survey);
      const now = context.now();
      const { refused, possible_from } = decideDeclaration(await findDeclarationFacts(tx, org_id), now);
      if (refused)
        throw new Refusal(refused, {
          headers: possible_from ? { 'retry-after': String(computeSecondsUntil(possible_from, now)) } : {},
        });
      const scores = computeDeclaredScores(declaration);
      const profile = { ...scores, respondents: 0, basis: 'declared', computed_at: now } as const;
      const version = await insertProfile(tx, survey, profile);
      await context.queue.emit(tx, culturePublished, { org_id });
      await recordCallerAudit(context, tx, {
        action: 'culture.profile_declared',
        org_id,
        detail: { version },
      });
      return toWire({ ...profile, version, questionnaire_version: questionnaireVersion });
    }),
});
