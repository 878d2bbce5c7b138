import { Type, type Static } from 'typebox';
import { whole_bps } from '#lib/money.ts';
import { closedObject, field } from '#platform/schema.ts';
import { stepCodes, type Legibility, type StepCode } from './rules.ts';

const part = Type.Number({ minimum: 0, maximum: 1 });
const multiplier = Type.Number({ minimum: 0.5, maximum: 2 });

/** How legible an identity is, for its member alone. */
export const legibilityWire = closedObject(
  {
    score: field(
      part,
      'How legible your identity is: 35 % completeness, 35 % confidence and 30 % queryability.',
      0.74,
    ),
    completeness: field(part, 'How many traits are measured, and how much of the profile is filled.', 0.95),
    confidence: field(part, 'How certain the traits are, compared with a complete assessment.', 0.71),
    queryability: field(part, 'How many of the four categories others may read.', 0.5),
    earning_multiplier: field(
      multiplier,
      'By what the base price of a read is multiplied, in steps of 0.05.',
      1.6,
    ),
    next_steps: field(
      Type.Array(
        closedObject({
          code: field(Type.Enum(stepCodes), 'The step.', 'approve_alignment'),
          description: field(
            Type.String(),
            'The step in words.',
            'Let organisations read the fit of their culture and you.',
          ),
          score_after: field(part, 'The score after this step alone; for the assessment, at most.', 0.81),
          multiplier_after: field(
            multiplier,
            'The multiplier after this step alone; for the assessment, at most.',
            1.7,
          ),
        }),
      ),
      'What would raise the score, the most effective first.',
    ),
  },
  { $id: 'Legibility' },
);

const descriptions: Readonly<Record<StepCode, string>> = {
  complete_assessment: 'Complete the assessment, so that every trait is measured as precisely as possible.',
  fill_profile: 'Fill in your profile: industry, years of experience, education and country.',
  consent_to_queries: 'Consent to assessment_data and identity_queries, and approve all four categories.',
  approve_archetype: 'Let organisations read your archetype.',
  approve_trait_profile: 'Let organisations read your trait profile.',
  approve_values_profile: 'Let organisations read your values profile.',
  approve_alignment: 'Let organisations read the fit of their culture and you.',
};

export function toLegibilityWire({
  score,
  completeness,
  confidence,
  queryability,
  multiplier_bps,
  next_steps,
}: Legibility): Static<typeof legibilityWire> {
  return {
    score: roundPart(score),
    completeness: roundPart(completeness),
    confidence: roundPart(confidence),
    queryability: roundPart(queryability),
    earning_multiplier: multiplier_bps / whole_bps,
    next_steps: next_steps.map(({ code, score_after, multiplier_after_bps }) => ({
      code,
      description: descriptions[code],
      score_after: roundPart(score_after),
      multiplier_after: multiplier_after_bps / whole_bps,
    })),
  };
}

function roundPart(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
