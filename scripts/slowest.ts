import { relative } from 'node:path'
import { z } from 'zod'

/** The duration of a test file or of one of its tests. */
export interface Timing {
  readonly kind: 'file' | 'test'
  readonly name: string
  readonly ms: number
}

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), duration: z.number().nullish() })),
    }),
  ),
})

interface Suite {
  readonly title: string
  readonly specs: readonly { title: string; tests: readonly { results: readonly { duration: number }[] }[] }[]
  readonly suites?: readonly Suite[] | undefined
}

const suite: z.ZodType<Suite> = z.lazy(() =>
  z.object({
    title: z.string(),
    specs: z.array(
      z.object({
        title: z.string(),
        tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })),
      }),
    ),
    suites: z.array(suite).optional(),
  }),
)

const playwrightReport = z.object({ suites: z.array(suite) })

/** Returns the timings in Vitest's JSON report. `root` is removed from names. */
export function timingsOfVitest(report: unknown, root: string): Timing[] {
  return vitestReport.parse(report).testResults.flatMap(({ name, assertionResults }) => {
    const file = relative(root, name)
    return toTimings(
      file,
      assertionResults.map(({ fullName, duration }) => [fullName, duration ?? 0]),
    )
  })
}

/** Returns the timings in Playwright's JSON report, whose outermost suites are files. */
export function timingsOfPlaywright(report: unknown): Timing[] {
  return playwrightReport.parse(report).suites.flatMap((file) => toTimings(`e2e/${file.title}`, testsIn(file)))
}

function testsIn({ specs, suites = [] }: Suite): (readonly [string, number])[] {
  const own = specs.map(({ title, tests }) => {
    const results = tests.flatMap((test) => test.results)
    return [title, results.reduce((sum, { duration }) => sum + duration, 0)] as const
  })
  return [...own, ...suites.flatMap(testsIn)]
}

function toTimings(file: string, tests: readonly (readonly [string, number])[]): Timing[] {
  const ms = tests.reduce((sum, [, duration]) => sum + duration, 0)
  return [
    { kind: 'file', name: file, ms },
    ...tests.map(([test, duration]) => ({ kind: 'test' as const, name: `${file} › ${test}`, ms: duration })),
  ]
}

/** Lists the `count` slowest files and the `count` slowest tests, one per line. */
export function describeSlowest(timings: readonly Timing[], count: number): string {
  return (['file', 'test'] as const)
    .map((kind) => {
      const slowest = timings.filter((timing) => timing.kind === kind).toSorted((a, b) => b.ms - a.ms)
      const lines = slowest.slice(0, count).map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)
      return [`The slowest ${kind}s:`, ...lines].join('\n')
    })
    .join('\n\n')
}
