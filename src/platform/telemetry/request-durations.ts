import type { Metric, MetricValueWithName, Registry } from 'prom-client';

/** What was seen of one route, method and class of status: how many requests in each bucket (the last is all above), and seconds in all. */
type Cell = {
  readonly labels: { readonly method: string; readonly route: string; readonly status: string };
  readonly counts: number[];
  sum_s: number;
};

const name = 'http_request_duration_seconds';
const help = 'How long requests took, by method, route and class of status.';
const buckets_s = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Registers the histogram of requests and returns its `observe`. It is a metric of our own in prom-client's registry, because
 * prom-client checks and joins the labels of every observation, also of a cached child: 510 ns against 30 ns.
 */
export function registerRequestDurations(
  register: Registry,
): (route: string, method: string, status: number, seconds: number) => void {
  const byRoute = new Map<string, Map<string, Cell[]>>();
  register.registerMetric(
    asMetric(() => [...byRoute.values()].flatMap((byMethod) => [...byMethod.values()].flatMap(present))),
  );
  return (route, method, status, seconds) => {
    const cell =
      byRoute.get(route)?.get(method)?.[Math.floor(status / 100)] ?? addCell(byRoute, route, method, status);
    let bucket = 0;
    while (bucket < buckets_s.length && seconds > buckets_s[bucket]!) bucket++;
    cell.counts[bucket]!++;
    cell.sum_s += seconds;
  };
}

function addCell(
  byRoute: Map<string, Map<string, Cell[]>>,
  route: string,
  method: string,
  status: number,
): Cell {
  const statusClass = Math.floor(status / 100);
  const byMethod = byRoute.get(route) ?? new Map<string, Cell[]>();
  const byClass = byMethod.get(method) ?? [];
  const cell = {
    labels: { method, route, status: `${statusClass}xx` },
    counts: [...buckets_s, 0].map(() => 0),
    sum_s: 0,
  };
  byClass[statusClass] = cell;
  byRoute.set(route, byMethod.set(method, byClass));
  return cell;
}

/** Classes that never answered are holes in the list. */
function present(cells: readonly Cell[]): Cell[] {
  return cells.filter((cell) => cell !== undefined);
}

/** The part of prom-client's `Metric` that a registry calls. */
function asMetric(cells: () => readonly Cell[]): Metric {
  const get = async () => ({ name, help, type: 'histogram', values: cells().flatMap(valuesOf) });
  return { name, get } as unknown as Metric;
}

/** Prometheus' buckets count everything up to their bound (exposition format 0.0.4, histograms). */
function valuesOf({ labels, counts, sum_s }: Cell): MetricValueWithName<string>[] {
  let total = 0;
  const upTo = [...buckets_s, '+Inf'].map((le, bucket) => {
    total += counts[bucket]!;
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total };
  });
  return [
    ...upTo,
    { metricName: `${name}_sum`, labels, value: sum_s },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
