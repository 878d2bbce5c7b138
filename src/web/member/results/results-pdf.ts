import * as archetypes from '#modules/measurement/archetypes';
import * as traits from '#modules/measurement/traits';
import * as members from '#modules/people/members';
import { Refusal } from '#lib/refusal.ts';
import { locateRenderer } from '@tessera/pdf/render-pdf';
import { renderPdf } from '#platform/pdf/render-pdf.ts';
import type { Page, Visit } from '../../serving/page.ts';
import { describeCertainty, nameArchetype } from './archetype-words.ts';
import {
  describeBounds,
  describeClaim,
  describeClearing,
  describeWays,
  sortTraits,
  summariseClear,
  type MeasuredTrait,
} from './measured-traits.ts';
import type { ResultsPaper, renderResultsPdf as Render } from './render-results-pdf.ts';

/** The member's results as a PDF to print, in the order and the words of the pages. A member whose assessment has no result is refused: what others have observed is none. */
export const resultsPdfPage: Page = {
  show: async (visit) => {
    const { assessment_phase } = await visit.call(members.readMember);
    if (assessment_phase !== 'complete') throw new Refusal('trait_vector_not_found');
    const content = await renderPdf(visit, renderResultsPdf, await buildPaper(visit));
    return {
      kind: 'download',
      file: { filename: 'tessera-results.pdf', content },
      media_type: 'application/pdf',
    };
  },
};

const renderResultsPdf = locateRenderer<typeof Render>(
  new URL('./render-results-pdf.ts', import.meta.url),
  'renderResultsPdf',
);

/** Writes down what the document says, because its texts are functions, which do not reach the thread that renders it. */
async function buildPaper(visit: Visit): Promise<ResultsPaper> {
  const [vector, taxonomy] = await Promise.all([
    visit.call(traits.readTraits),
    visit.call(traits.readTaxonomy),
  ]);
  const { traits: texts } = visit.texts;
  const { document: words } = texts;
  const ordered = sortTraits(vector, taxonomy);
  const clearing = await describeClearing(visit, vector);
  const toPart = (heading: string, lead: readonly string[], list: readonly MeasuredTrait[]) =>
    list.length === 0 ? [] : [{ heading, lead, rows: list.map((trait) => buildRow(visit, trait)) }];
  return {
    title: words.title,
    created_at: visit.now,
    origin: words.origin(new URL(visit.publicUrl).host),
    lead: [
      [
        texts.measuredOn(visit.format.formatDate(vector.last_updated)),
        ...(vector.preliminary ? [texts.preliminary] : []),
      ].join(' '),
      summariseClear(visit, ordered),
      texts.lead,
    ],
    parts: [
      ...toPart(texts.clear, [], ordered.clear),
      ...(await buildArchetype(visit)),
      ...toPart(texts.likely, [texts.likelyLead], ordered.likely),
      ...toPart(
        words.openTitle,
        [texts.openLead, ...(clearing === undefined ? [] : [clearing])],
        ordered.open,
      ),
    ],
    notes: [...(vector.provisional ? [texts.provisional] : []), words.private],
    replaced: words.replaced,
  };
}

function buildRow(visit: Visit, { trait_name, meaning, result }: MeasuredTrait) {
  const claim =
    'score' in result
      ? `${describeClaim(visit.texts.traits, result)}, ${describeBounds(visit, result)}`
      : describeWays(visit, result);
  return { label: visit.texts.traits.names[trait_name], value: `${claim}. ${meaning}` };
}

async function buildArchetype(visit: Visit): Promise<ResultsPaper['parts']> {
  const [own, all] = await Promise.all([
    visit.call(archetypes.readArchetype),
    visit.call(archetypes.listArchetypes),
  ]);
  const { archetype: texts } = visit.texts;
  const value = own.archetype === null ? '' : `: ${own.description}`;
  const families = own.alternatives.map(({ archetype_family, probability }) => ({
    label: texts.families[archetype_family],
    value: visit.format.formatPercent(probability),
  }));
  const lead = [`${nameArchetype(visit, own)}${value}`, describeCertainty(visit, own, all).join(' ')];
  return [{ heading: texts.title, lead, rows: families }];
}
