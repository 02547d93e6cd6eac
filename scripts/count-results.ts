import { z } from 'zod'

export interface Count {
  readonly passed: number
  readonly failed: number
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
})

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
})

/** Counts the results in Vitest's JSON report. Anything that did not pass counts as failed: also skipped tests, and files that
 *  could not be loaded. */
export function countVitest(report: unknown): Count {
  const { numPassedTests, testResults } = vitestReport.parse(report)
  const failed = testResults.map(({ status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status !== 'passed').length
    return tests === 0 && status !== 'passed' ? 1 : tests
  })
  return { passed: numPassedTests, failed: failed.reduce((sum, count) => sum + count, 0) }
}

/** Counts the results in Playwright's JSON report. Skipped tests and tests that passed only on a retry count as failed. */
export function countPlaywright(report: unknown): Count {
  const { expected, unexpected, flaky, skipped } = playwrightReport.parse(report).stats
  return { passed: expected, failed: unexpected + flaky + skipped }
}

/** Returns a run's final count. A run that failed as a whole, or ran nothing, has at least one failure. */
export function finishCount(count: Count, succeeded: boolean): Count {
  const sound = succeeded && count.passed + count.failed > 0
  return sound || count.failed > 0 ? count : { ...count, failed: 1 }
}

export function add(counts: readonly Count[]): Count {
  return counts.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  })
}
