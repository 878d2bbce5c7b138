import { traitFamilies, type TraitCode } from '../taxonomy.ts';
import { indexBank, noErrors, type ItemBank } from './bank.ts';
import { buildItem, findOwnLanguage, type BankForm, type BankStatement } from './bank-form.ts';
import { listPartners, type DependentPair } from './decisions.ts';
import { english } from './languages.ts';
import { buildSituation } from './situations.ts';

/** The statements of an imported bank, which never change. */
export type StoredForm = { readonly form_version: string; readonly form: BankForm };

/**
 * Builds the items of a bank with the parameters from which a calibration starts, in the language that the form was written in unless the parameters are
 * of another one.
 */
export function buildUncalibrated({ form, form_version }: StoredForm, stated?: string): ItemBank<string> {
  const own_language = findOwnLanguage(form);
  const language = stated ?? own_language;
  const build = (each: BankStatement) => buildItem(each, own_language, language);
  const { asked = [], retired = [], seeded = [] } = Object.groupBy(form.statements, readStatus);
  const partners = listPartners(listEnemies(form.statements));
  const traits = form.scales.map(({ scale }) => scale);
  return indexBank({
    version: form_version,
    parameter_version: form_version,
    provisional: true,
    traits,
    families: new Map(form.scales.map(({ scale, trait }) => [scale, findFamily(trait) ?? scale])),
    covariance: traits.map((row) => traits.map((column) => (row === column ? 1 : 0))),
    ...(language !== english && { language }),
    graded: asked.map(build),
    retired: retired.map(build),
    ...(seeded.length > 0 && { seeded: seeded.map((each) => ({ ...build(each), weight: 0 })) }),
    scenarios: (form.situations ?? []).map(buildSituation),
    ...(partners.size > 0 && { partners }),
    errors: noErrors,
  });
}

function readStatus({ retired, seeded }: BankStatement): 'asked' | 'retired' | 'seeded' {
  if (seeded) return 'seeded';
  return retired ? 'retired' : 'asked';
}

function findFamily(trait: TraitCode | null): string | undefined {
  const families = Object.entries<readonly TraitCode[]>(traitFamilies);
  return families.find(([, codes]) => trait !== null && codes.includes(trait))?.[0];
}

/** Lists the statements that must not be asked together, although nothing is known of how much they share. Naming one of them on one side is enough. */
function listEnemies(statements: readonly BankStatement[]): readonly DependentPair[] {
  const pairs = statements.flatMap(({ item_id, enemies = [] }) =>
    enemies.map((enemy) => [item_id, enemy].toSorted() as [string, string]),
  );
  return [...new Map(pairs.map((items) => [JSON.stringify(items), items])).values()].map((items) => ({
    items,
    correlation: 0,
    is_asked_together: false,
  }));
}
