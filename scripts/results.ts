import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

/** What came of a step: the number of tests that passed, and a line for each that did not. */
export interface Results {
  readonly passed: number
  readonly failures: readonly string[]
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
})

interface Suite {
  readonly title: string
  readonly specs: readonly {
    title: string
    tests: readonly { status: string; results: readonly { error?: { message?: string | undefined } | undefined }[] }[]
  }[]
  readonly suites?: readonly Suite[] | undefined
}

const error = z.object({ message: z.string().optional() })
const suite: z.ZodType<Suite> = z.lazy(() =>
  z.object({
    title: z.string(),
    specs: z.array(
      z.object({
        title: z.string(),
        tests: z.array(z.object({ status: z.string(), results: z.array(z.object({ error: error.optional() })) })),
      }),
    ),
    suites: z.array(suite).optional(),
  }),
)

const playwrightReport = z.object({ suites: z.array(suite) })

/** Reads Vitest's JSON report. Anything that did not pass is a failure: also skipped tests, and files that could not be loaded.
 *  `root` is removed from names. */
export function resultsOfVitest(report: unknown, root: string): Results {
  const { numPassedTests, testResults } = vitestReport.parse(report)
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const tests = assertionResults.filter((test) => test.status !== 'passed')
    if (tests.length === 0 && status !== 'passed') return [describe(file, status, message)]
    return tests.map((test) => describe(`${file} › ${test.fullName}`, test.status, test.failureMessages?.[0]))
  })
  return { passed: numPassedTests, failures }
}

/** Reads Playwright's JSON report. Skipped tests and tests that passed only on a retry are failures. */
export function resultsOfPlaywright(report: unknown): Results {
  const tests = playwrightReport.parse(report).suites.flatMap((file) => testsIn(file, `e2e/${file.title}`))
  return {
    passed: tests.filter((test) => test.status === 'expected').length,
    failures: tests
      .filter((test) => test.status !== 'expected')
      .map(({ name, status, message }) => describe(name, status, message)),
  }
}

function testsIn({ specs, suites = [] }: Suite, file: string): { name: string; status: string; message?: string }[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.map(({ status, results }) => {
      const message = results.find((result) => result.error !== undefined)?.error?.message
      return { name: `${file} › ${title}`, status, ...(message !== undefined && { message }) }
    }),
  )
  return [...own, ...suites.flatMap((inner) => testsIn(inner, file))]
}

function describe(name: string, status: string, message = ''): string {
  const [first = ''] = stripVTControlCharacters(message).trim().split('\n')
  return first === '' ? `${name} (${status})` : `${name} (${status})\n      ${first}`
}

/** Returns a step's final results. One that failed as a whole, or ran nothing, has at least one failure. */
export function finishResults(step: string, results: Results, succeeded: boolean): Results {
  if (results.failures.length > 0) return results
  if (!succeeded) return { ...results, failures: [`${step} failed outside its tests`] }
  return results.passed > 0 ? results : { ...results, failures: [`${step} ran nothing`] }
}

/** Lists the failures, one under the other, or returns an empty string if there are none. */
export function describeFailures(failures: readonly string[]): string {
  return failures.length === 0 ? '' : ['Failed:', ...failures.map((failure) => `    ${failure}`)].join('\n')
}

export function add(results: readonly Results[]): Results {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failures: results.flatMap(({ failures }) => failures),
  }
}
