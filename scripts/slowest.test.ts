import { expect, it } from 'vitest'
import { describeSlowest } from './slowest.ts'
import { readPlaywrightReport, readVitestReport } from './test-reports.ts'

const status = 'passed'
const test = (fullName: string, duration?: number) => ({ fullName, status, duration })
const vitest = {
  testResults: [
    { name: '/repo/a.test.ts', status, assertionResults: [test('a one', 100), test('a two')] },
    { name: '/repo/b/c.test.ts', status, assertionResults: [test('c one', 2_340.5)] },
  ],
}
const spec = (title: string, ...durations: number[]) => ({
  title,
  tests: [{ status: 'expected', results: durations.map((duration) => ({ duration })) }],
})
const playwright = {
  suites: [
    {
      title: 'd.spec.ts',
      specs: [spec('outside', 1_000)],
      suites: [{ title: 'a group', specs: [spec('tried twice', 3_000, 4_000)] }],
    },
  ],
}

it('describes the slowest files and tests of both reports, and counts all attempts of a retried test', () => {
  const tests = [...readVitestReport(vitest, '/repo'), ...readPlaywrightReport(playwright)]
  expect(describeSlowest(tests, 2)).toBe(
    [
      'The slowest files:',
      '    8.0 s  e2e/d.spec.ts',
      '    2.3 s  b/c.test.ts',
      '',
      'The slowest tests:',
      '    7.0 s  e2e/d.spec.ts › tried twice',
      '    2.3 s  b/c.test.ts › c one',
    ].join('\n'),
  )
})
