import { html, type Html } from '../serving/html.ts';

/** A series of a chart: the class that gives its colour, its name, and one value for each place; null where there is none. */
export type Series = {
  readonly look: 'good' | 'warn' | 'bad' | 'plain';
  readonly name: string;
  readonly values: readonly (number | null)[];
};

export type Chart = {
  readonly title: string;
  /** What the chart shows, in words. */
  readonly summary: string;
  readonly series: readonly Series[];
  /** How many places there are, if not sixty. */
  readonly places?: number;
  /** The words below the first and the last place. */
  readonly ends: readonly [first: string, last: string];
};

const places_max = 60;
const place_width = 10;
const height = 100;

/** Renders a chart of stacked bars, of which the last is at the right. Words below it say the same. */
export function renderBars(chart: Chart): Html {
  const { series, places = places_max } = chart;
  const totals = listTotals(series, places);
  const most = Math.max(1, ...totals);
  return renderFigure(
    chart,
    totals.map((_, place) => renderStack(series, place, { most, offset: places - totals.length })),
  );
}

/** Renders a chart of dots with short lines, one series above the other, for values that do not add up. */
export function renderLines(chart: Chart): Html {
  const { places = places_max } = chart;
  const most = Math.max(1e-9, ...chart.series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const lines = chart.series.map(({ look, values }) => {
    const offset = places - values.length;
    return values.map((value, place) => {
      if (value === null) return undefined;
      const y = round(height - (height * value) / most);
      return html`<rect
        class="${look}"
        x="${(place + offset) * place_width + 1}"
        y="${Math.min(height - 3, y)}"
        width="${place_width - 2}"
        height="3"
      />`;
    });
  });
  return renderFigure(chart, lines.flat());
}

function renderFigure(
  { title, summary, series, ends, places = places_max }: Chart,
  marks: readonly (Html | undefined)[],
): Html {
  const width = places * place_width;
  return html`<figure class="chart">
    <figcaption>
      <h2>${title}</h2>
      <p class="quiet">${summary}</p>
    </figcaption>
    <svg
      viewBox="0 0 ${width} ${height}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${`${title}: ${summary}`}"
      focusable="false"
    >
      <rect class="ground" x="0" y="${height - 1}" width="${width}" height="1" />
      ${marks}
    </svg>
    <p class="ends"><span>${ends[0]}</span><span>${ends[1]}</span></p>
    <ul class="legend">
      ${series.map(({ look, name }) => html`<li><span class="sample ${look}"></span> ${name}</li>`)}
    </ul>
  </figure>`;
}

function listTotals(series: readonly Series[], places: number): readonly number[] {
  const length = Math.min(places, Math.max(0, ...series.map(({ values }) => values.length)));
  return Array.from({ length }, (_, place) =>
    series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0),
  );
}

function renderStack(
  series: readonly Series[],
  place: number,
  { most, offset }: { readonly most: number; readonly offset: number },
): Html {
  let below = 0;
  const x = (place + offset) * place_width + 1;
  return html`${series.map(({ look, values }) => {
    const value = values[place] ?? 0;
    if (value === 0) return undefined;
    below += value;
    const top = round(height - (height * below) / most);
    return html`<rect
      class="${look}"
      x="${x}"
      y="${top}"
      width="${place_width - 2}"
      height="${round((height * value) / most)}"
    />`;
  })}`;
}

/** One decimal is enough for a drawing. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
