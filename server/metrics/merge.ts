import { read } from './declared.ts'
import type { Metric, Sample } from './exposition.ts'

const merges = { sum: (a: number, b: number) => a + b, min: Math.min, max: Math.max }

const declared = new Map(Object.entries(read))

/** Returns the metrics of several processes as those of one: counts, durations and most gauges are added up. The first has the
 *  order. */
export function mergeMetrics(all: readonly (readonly Metric[])[]): readonly Metric[] {
  const merged = new Map<string, Metric & { readonly series: Map<string, Sample> }>()
  for (const metric of all.flat()) {
    const { series } = merged.get(metric.name) ?? { series: new Map<string, Sample>() }
    const merge = merges[declared.get(metric.name)?.merge ?? 'sum']
    for (const sample of metric.samples) {
      const key = JSON.stringify([sample.suffix, sample.labels])
      const known = series.get(key)
      series.set(key, known ? { ...known, value: merge(known.value, sample.value) } : sample)
    }
    merged.set(metric.name, { ...metric, series })
  }
  return [...merged.values()].map(({ series, ...metric }) => ({ ...metric, samples: [...series.values()] }))
}

/** Returns what may be added up after a process has ended. */
export const onlyCounts = (metrics: readonly Metric[]): readonly Metric[] =>
  metrics.filter(({ type }) => type !== 'gauge')
