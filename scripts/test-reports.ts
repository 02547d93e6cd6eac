import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

/** A test as a report tells it, all attempts together; a file that could not be loaded is one without a title. */
export interface ReportedTest {
  readonly file: string
  readonly title: string
  /** 'passed', or how it did not: 'failed', 'skipped', 'flaky', … */
  readonly outcome: string
  readonly ms: number
  /** Why it failed, in one line; empty where the report does not say. */
  readonly reason: string
}

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          duration: z.number().nullish(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

interface Suite {
  readonly title: string
  readonly specs: readonly {
    title: string
    tests: readonly { status: string; results: readonly { duration: number; error?: { message?: string } }[] }[]
  }[]
  readonly suites?: readonly Suite[]
}

const attempt = z.object({
  duration: z.number(),
  error: z.object({ message: z.string().exactOptional() }).exactOptional(),
})
const suite: z.ZodType<Suite> = z.lazy(() =>
  z.object({
    title: z.string(),
    specs: z.array(
      z.object({ title: z.string(), tests: z.array(z.object({ status: z.string(), results: z.array(attempt) })) }),
    ),
    suites: z.array(suite).exactOptional(),
  }),
)

const playwrightReport = z.object({ suites: z.array(suite) })

/** Reads Vitest's JSON report. `root` is removed from names. */
export function readVitestReport(report: unknown, root: string): ReportedTest[] {
  return vitestReport.parse(report).testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const tests = assertionResults.map(({ fullName: title, status: outcome, duration, failureMessages }) => {
      return { file, title, outcome, ms: duration ?? 0, reason: firstLine(failureMessages?.[0]) }
    })
    if (status === 'passed' || tests.some(({ outcome }) => outcome !== 'passed')) return tests
    return [...tests, { file, title: '', outcome: status, ms: 0, reason: firstLine(message) }]
  })
}

/** Reads Playwright's JSON report, whose outermost suites are files. */
export function readPlaywrightReport(report: unknown): ReportedTest[] {
  return playwrightReport.parse(report).suites.flatMap((file) => testsIn(file, `e2e/${file.title}`))
}

function testsIn({ specs, suites = [] }: Suite, file: string): ReportedTest[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.map(({ status, results }) => ({
      file,
      title,
      outcome: status === 'expected' ? 'passed' : status,
      ms: results.reduce((sum, { duration }) => sum + duration, 0),
      reason: firstLine(results.find(({ error }) => error !== undefined)?.error?.message),
    })),
  )
  return [...own, ...suites.flatMap((inner) => testsIn(inner, file))]
}

function firstLine(message = ''): string {
  return stripVTControlCharacters(message).trim().split('\n')[0] ?? ''
}
