import { parser } from '@prometheus-io/lezer-promql';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** A metric as a scrape shows it: its type, its labels, and the values of each label that were seen. */
export type ExposedMetric = {
  readonly type: string;
  readonly help: string;
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
};

export type Exposed = ReadonlyMap<string, ExposedMetric>;

/** Reads the text format of Prometheus 0.0.4. */
export function parseExposition(text: string): Exposed {
  const metrics = new Map<string, { type: string; help: string; labels: Map<string, Set<string>> }>();
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') metrics.set(name, { type: '', help: rest, labels: new Map() });
    else if (kind === 'TYPE') metrics.get(name)!.type = rest;
    else if (line !== '') addSample(metrics, line);
  }
  return metrics;
}

function addSample(
  metrics: ReadonlyMap<string, { type: string; labels: Map<string, Set<string>> }>,
  line: string,
): void {
  const [, sampled = '', labels = ''] = /^([a-z0-9_]+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
  const metric = metrics.get(sampled) ?? metrics.get(sampled.replace(/_(bucket|sum|count)$/, ''));
  if (!metric) throw new Error(`this sample has no metric: ${line}`);
  for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
    if (metric.type === 'histogram' && label === 'le') continue;
    metric.labels.set(label, (metric.labels.get(label) ?? new Set()).add(value));
  }
}

/** What Prometheus itself adds: labels of every scraped series, and the metric of the scrape. */
const scrapeLabels = ['instance', 'job'];
const scrapeMetric: ExposedMetric = { type: 'gauge', help: '', labels: new Map() };

/**
 * Finds what is wrong with an expression: it does not parse, names a metric, a label or a value of a label that the service does not expose,
 * computes a rate of something that is not a counter, or groups by a label that none of its metrics has.
 */
export function findPromqlFaults(expression: string, exposed: Exposed): string[] {
  const root = parser.parse(expression).topNode;
  const readText = (node: Node) => expression.slice(node.from, node.to);
  const broken = listNodes(root, '⚠');
  if (broken.length > 0) return [`does not parse at ${broken.map(({ from }) => from).join(', ')}`];
  const selectors = listNodes(root, 'VectorSelector');
  return [
    ...(selectors.length === 0 ? ['names no metric'] : []),
    ...selectors.flatMap((selector) => findSelectorFaults(selector, readText, exposed)),
    ...listNodes(root, 'AggregateExpr').flatMap((node) => findGroupingFaults(node, readText, exposed)),
    ...listNodes(root, 'FunctionCall').flatMap((node) => findFunctionFaults(node, readText, exposed)),
  ];
}

type ReadText = (node: Node) => string;

/** Lists the nodes with this name below a node, itself included. */
function listNodes(root: Node, name: string): Node[] {
  const found: Node[] = [];
  root.cursor().iterate((each) => {
    const isFound = name === '⚠' ? each.type.isError : each.name === name;
    if (isFound) found.push(each.node);
  });
  return found;
}

function findMetric(name: string, exposed: Exposed): ExposedMetric | undefined {
  if (name === 'up') return scrapeMetric;
  const histogram = exposed.get(name.replace(/_(bucket|sum|count)$/, ''));
  if (histogram?.type === 'histogram') return name.endsWith('_bucket') ? withLe(histogram) : histogram;
  return exposed.get(name);
}

function withLe(histogram: ExposedMetric): ExposedMetric {
  return { ...histogram, labels: new Map([...histogram.labels, ['le', new Set<string>()]]) };
}

function listLabels(metric: ExposedMetric): readonly string[] {
  return [...metric.labels.keys(), ...scrapeLabels];
}

function findSelectorFaults(selector: Node, readText: ReadText, exposed: Exposed): string[] {
  const [identifier] = listNodes(selector, 'Identifier');
  const name = identifier ? readText(identifier) : '';
  const metric = findMetric(name, exposed);
  if (!metric) return [`unknown metric ${name}`];
  return listNodes(selector, 'UnquotedLabelMatcher').flatMap((matcher) => {
    const [label = '', value = ''] = readText(matcher).split(/=~|!~|!=|=/, 2);
    const trimmed = label.trim();
    if (!listLabels(metric).includes(trimmed)) return [`${name} has no label ${trimmed}`];
    const values = metric.labels.get(trimmed);
    const isExact = listNodes(matcher, 'EqlSingle').length > 0;
    const isKnown = values === undefined || values.has(value.trim().slice(1, -1));
    return isExact && !isKnown ? [`${name} has no value ${value} of ${trimmed}`] : [];
  });
}

function findGroupingFaults(aggregate: Node, readText: ReadText, exposed: Exposed): string[] {
  const modifier = aggregate.getChild('AggregateModifier');
  if (!modifier) return [];
  const names = listNodes(aggregate, 'VectorSelector').flatMap((each) => listNodes(each, 'Identifier'));
  const labels = new Set(
    names.flatMap((name) => {
      const metric = findMetric(readText(name), exposed);
      return metric ? listLabels(metric) : [];
    }),
  );
  const grouped = listNodes(modifier, 'LabelName').map(readText);
  return grouped.filter((label) => !labels.has(label)).map((label) => `groups by unknown label ${label}`);
}

/** The functions that need a counter, and those that need a gauge. */
const counterFunctions: ReadonlySet<string> = new Set(['rate', 'irate', 'increase']);
const gaugeFunctions: ReadonlySet<string> = new Set(['delta', 'idelta', 'deriv']);

function findFunctionFaults(call: Node, readText: ReadText, exposed: Exposed): string[] {
  const used = readText(call.getChild('FunctionIdentifier')!);
  const types = listNodes(call, 'Identifier').map((name) => findMetric(readText(name), exposed)?.type);
  const needs = counterFunctions.has(used)
    ? ['counter', 'histogram']
    : gaugeFunctions.has(used)
      ? ['gauge']
      : [];
  if (needs.length === 0 || types.every((type) => type === undefined || needs.includes(type))) return [];
  return [`${used} of a ${types.join(', ')}`];
}

/** Lists the labels that the result of an alert's expression has at least, so that a text may name them. */
export function listResultLabels(expression: string, exposed: Exposed): readonly string[] {
  const root = parser.parse(expression).topNode;
  const readText = (node: Node) => expression.slice(node.from, node.to);
  const aggregates = listNodes(root, 'AggregateExpr');
  if (aggregates.length > 0)
    return listNodes(aggregates[0]!.getChild('AggregateModifier') ?? aggregates[0]!, 'LabelName').map(
      readText,
    );
  const [name] = listNodes(root, 'Identifier');
  const metric = name && findMetric(readText(name), exposed);
  return metric ? listLabels(metric) : [];
}
