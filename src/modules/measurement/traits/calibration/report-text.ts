import type { ItemReport, TraitReport } from './calibrate-bank.ts';
import type { ChoiceReport } from './calibrate-choices.ts';
import type { CalibrationResult } from './calibration-result.ts';

type CalibrationSummary = Omit<CalibrationResult, 'traits' | 'choices' | 'correlations' | 'left_out'> & {
  readonly left_out: string;
  readonly report: string;
};

/** Formats a calibration for the operator. `--json` prints every number instead. */
export function formatCalibration(result: CalibrationResult): CalibrationSummary {
  const { version, is_new, provisional, respondents, left_out, missing, traits, choices } = result;
  return {
    version,
    is_new,
    provisional,
    respondents,
    left_out: `${left_out.careless} careless respondents, ${left_out.columns} columns${left_out.retests === undefined ? '' : `, ${left_out.retests} second tests`}${left_out.languages ? `, ${left_out.languages} in another language` : ''}`,
    ...(missing && { missing }),
    report: `\n${[formatReport(traits), ...choices.map(formatChoices)].join('\n')}`,
  };
}

/** Formats one line for each trait, then the flagged items and pairs of items. */
function formatReport(traits: readonly TraitReport[]): string {
  const width = Math.max(...traits.map(({ trait }) => trait.length), 'trait'.length);
  const rows = traits.map(({ trait, reliability, items, cycles, converged }) =>
    [
      trait.padEnd(width),
      reliability.toFixed(3).padStart(11),
      mean(items.map(({ discrimination }) => discrimination))
        .toFixed(2)
        .padStart(6),
      formatRange(items.flatMap(({ infit }) => infit)).padStart(12),
      formatRange(items.flatMap(({ outfit }) => outfit)).padStart(12),
      `${cycles}${converged ? '' : ' (not converged)'}`.padStart(7),
    ].join(' '),
  );
  const header = `${'trait'.padEnd(width)} reliability mean a   infit       outfit     cycles`;
  return [header, ...rows, ...traits.flatMap(formatWarnings)].join('\n');
}

function formatChoices({ trait, respondents, spread, cycles, converged }: ChoiceReport): string {
  return `${trait}: choices of ${respondents} respondents, spread ${spread.toFixed(2)}, ${cycles} cycles${converged ? '' : ' (not converged)'}`;
}

function formatWarnings({ items, residual_correlations }: TraitReport): string[] {
  return [
    ...items.filter(({ flags }) => flags.length > 0).map(formatItem),
    ...residual_correlations.map(
      ({ items: [one, other], correlation }) =>
        `${one} and ${other}: residual correlation ${correlation.toFixed(2)}, which the trait does not explain`,
    ),
  ];
}

function formatItem({ item_id, flags, discrimination, infit, outfit, answers }: ItemReport): string {
  return `${item_id}: ${flags.join(', ')} (a ${discrimination.toFixed(2)}, infit ${infit.toFixed(2)}, outfit ${outfit.toFixed(2)}, ${answers} answers)`;
}

function formatRange(values: readonly number[]): string {
  return `${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)}`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
