import type { ReportedTest } from './test-reports.ts'

/** What came of a step: the number of tests that passed, and a line for each that did not. */
export interface Results {
  readonly passed: number
  readonly failures: readonly string[]
}

/** Whatever did not pass is a failure: also skipped tests, and those that passed only on a retry. */
export function toResults(tests: readonly ReportedTest[]): Results {
  const failed = tests.filter(({ outcome }) => outcome !== 'passed')
  return { passed: tests.length - failed.length, failures: failed.map(describe) }
}

function describe({ file, title, outcome, reason }: ReportedTest): string {
  const name = title === '' ? file : `${file} › ${title}`
  return reason === '' ? `${name} (${outcome})` : `${name} (${outcome})\n      ${reason}`
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
