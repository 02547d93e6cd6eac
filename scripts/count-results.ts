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

/** Counts Vitest's JSON report. What did not pass failed, a skipped test too, and so did a file that could not be loaded. */
export function countVitest(report: unknown): Count {
  const { numPassedTests, testResults } = vitestReport.parse(report)
  const failed = testResults.map(({ status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status !== 'passed').length
    return tests === 0 && status !== 'passed' ? 1 : tests
  })
  return { passed: numPassedTests, failed: failed.reduce((sum, count) => sum + count, 0) }
}

/** Counts Playwright's JSON report; a skipped test failed, and so did one that passed only when tried again. */
export function countPlaywright(report: unknown): Count {
  const { expected, unexpected, flaky, skipped } = playwrightReport.parse(report).stats
  return { passed: expected, failed: unexpected + flaky + skipped }
}

/** What a test run adds to the sum: a run that says it failed, or ran nothing, is never without a failure. */
export function settle(count: Count, succeeded: boolean): Count {
  const sound = succeeded && count.passed + count.failed > 0
  return sound || count.failed > 0 ? count : { ...count, failed: 1 }
}

export function add(counts: readonly Count[]): Count {
  return counts.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  })
}
