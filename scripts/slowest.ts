import type { ReportedTest } from './test-reports.ts'

/** Lists the `count` slowest files and the `count` slowest tests, one per line. */
export function describeSlowest(tests: readonly ReportedTest[], count: number): string {
  const files = Map.groupBy(tests, ({ file }) => file)
  const timesOfFiles = [...files].map(([file, those]) => [file, those.reduce((sum, { ms }) => sum + ms, 0)] as const)
  const timesOfTests = tests.map(({ file, title, ms }) => [`${file} › ${title}`, ms] as const)
  return [describe('files', timesOfFiles, count), describe('tests', timesOfTests, count)].join('\n\n')
}

function describe(kind: string, times: readonly (readonly [string, number])[], count: number): string {
  const slowest = times.toSorted(([, a], [, b]) => b - a).slice(0, count)
  const lines = slowest.map(([name, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)
  return [`The slowest ${kind}:`, ...lines].join('\n')
}
