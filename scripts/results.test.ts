import { expect, test } from 'vitest'
import { add, describeFailures, finishResults, toResults } from './results.ts'
import { readPlaywrightReport, readVitestReport } from './test-reports.ts'

const file = (status: string, ...tests: string[]) => ({
  name: `/repo/server/${status}.test.ts`,
  status,
  assertionResults: tests.map((of, index) => ({ fullName: `test ${index}`, status: of })),
})
const spec = (title: string, status: string, ...messages: (string | undefined)[]) => ({
  title,
  tests: [
    {
      status,
      results: messages.map((message) => ({ duration: 1, ...(message !== undefined && { error: { message } }) })),
    },
  ],
})

test('Vitest: skipped, pending and todo tests are failures', () => {
  const report = { testResults: [file('passed', 'passed', 'skipped', 'passed', 'pending', 'todo')] }
  expect(toResults(readVitestReport(report, '/repo'))).toEqual({
    passed: 2,
    failures: [
      'server/passed.test.ts › test 1 (skipped)',
      'server/passed.test.ts › test 3 (pending)',
      'server/passed.test.ts › test 4 (todo)',
    ],
  })
})

test('Vitest: a file that cannot be loaded is one failure, and the first line of a message is told', () => {
  const failed = file('failed', 'passed', 'failed')
  const [passing, failing] = failed.assertionResults
  const told = [
    passing,
    { ...failing, failureMessages: ['\u001b[31mAssertionError: 1 is not 2\u001b[39m\n    at x.ts'] },
  ]
  const report = {
    testResults: [
      { ...file('failed'), message: 'Cannot find module' },
      { ...failed, assertionResults: told },
    ],
  }
  expect(toResults(readVitestReport(report, '/repo'))).toEqual({
    passed: 1,
    failures: [
      'server/failed.test.ts (failed)\n      Cannot find module',
      'server/failed.test.ts › test 1 (failed)\n      AssertionError: 1 is not 2',
    ],
  })
})

test('Playwright: flaky and skipped tests are failures', () => {
  const report = {
    suites: [
      {
        title: 'a.spec.ts',
        specs: [spec('passes', 'expected', undefined), spec('is skipped', 'skipped')],
        suites: [
          {
            title: 'a group',
            specs: [spec('fails', 'unexpected', 'Error: no'), spec('is flaky', 'flaky', 'late', undefined)],
          },
        ],
      },
    ],
  }
  expect(toResults(readPlaywrightReport(report))).toEqual({
    passed: 1,
    failures: [
      'e2e/a.spec.ts › is skipped (skipped)',
      'e2e/a.spec.ts › fails (unexpected)\n      Error: no',
      'e2e/a.spec.ts › is flaky (flaky)\n      late',
    ],
  })
})

test('a report of another shape is an error', () => {
  expect(() => readVitestReport({}, '/repo')).toThrow()
  expect(() => readPlaywrightReport({ stats: {} })).toThrow()
})

test.each([
  ['all passed', { passed: 3, failures: [] }, true, []],
  ['some failed', { passed: 3, failures: ['a', 'b'] }, false, ['a', 'b']],
  ['an error outside the tests', { passed: 3, failures: [] }, false, ['end to end failed outside its tests']],
  ['nothing ran', { passed: 0, failures: [] }, true, ['end to end ran nothing']],
])('%s', (_, results, succeeded, failures) => {
  expect(finishResults('end to end', results, succeeded)).toEqual({ ...results, failures })
})

test('results add up, and their failures are listed', () => {
  const { passed, failures } = add([
    { passed: 1, failures: [] },
    { passed: 5, failures: ['a', 'b'] },
  ])
  expect(passed).toBe(6)
  expect(describeFailures(failures)).toBe('Failed:\n    a\n    b')
  expect(describeFailures(add([]).failures)).toBe('')
})
