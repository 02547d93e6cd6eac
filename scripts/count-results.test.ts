import { expect, test } from 'vitest'
import { add, countPlaywright, countVitest, finishCount } from './count-results.ts'

const file = (status: string, ...tests: string[]) => ({ status, assertionResults: tests.map((of) => ({ status: of })) })

test('Vitest: skipped, pending and todo tests count as failed', () => {
  const report = { numPassedTests: 2, testResults: [file('passed', 'passed', 'skipped', 'passed', 'pending', 'todo')] }
  expect(countVitest(report)).toEqual({ passed: 2, failed: 3 })
})

test('Vitest: a file that cannot be loaded counts as one failure', () => {
  const report = {
    numPassedTests: 1,
    testResults: [file('failed'), file('passed', 'passed'), file('failed', 'failed')],
  }
  expect(countVitest(report)).toEqual({ passed: 1, failed: 2 })
})

test('Playwright: flaky and skipped tests count as failed', () => {
  const report = { stats: { expected: 5, unexpected: 1, flaky: 2, skipped: 3 }, suites: [] }
  expect(countPlaywright(report)).toEqual({ passed: 5, failed: 6 })
})

test('a report of another shape is an error', () => {
  expect(() => countVitest({})).toThrow()
  expect(() => countPlaywright({ stats: {} })).toThrow()
})

test.each([
  ['all passed', { passed: 3, failed: 0 }, true, { passed: 3, failed: 0 }],
  ['some failed', { passed: 3, failed: 2 }, false, { passed: 3, failed: 2 }],
  ['an error outside the tests', { passed: 3, failed: 0 }, false, { passed: 3, failed: 1 }],
  ['nothing ran', { passed: 0, failed: 0 }, true, { passed: 0, failed: 1 }],
])('%s', (_, count, succeeded, settled) => {
  expect(finishCount(count, succeeded)).toEqual(settled)
})

test('counts add up', () => {
  expect(
    add([
      { passed: 1, failed: 0 },
      { passed: 5, failed: 2 },
    ]),
  ).toEqual({ passed: 6, failed: 2 })
  expect(add([])).toEqual({ passed: 0, failed: 0 })
})
