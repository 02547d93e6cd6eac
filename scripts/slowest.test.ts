import { expect, test } from 'vitest'
import { describeSlowest, timingsOfPlaywright, timingsOfVitest } from './slowest.ts'

const vitest = {
  testResults: [
    { name: '/repo/a.test.ts', assertionResults: [{ fullName: 'a one', duration: 100 }, { fullName: 'a two' }] },
    { name: '/repo/b/c.test.ts', assertionResults: [{ fullName: 'c one', duration: 2_340.5 }] },
  ],
}
const spec = (title: string, ...durations: number[]) => ({
  title,
  tests: [{ results: durations.map((duration) => ({ duration })) }],
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

test('describes the slowest files and tests of both reports, and counts all attempts of a retried test', () => {
  const timings = [...timingsOfVitest(vitest, '/repo'), ...timingsOfPlaywright(playwright)]
  expect(describeSlowest(timings, 2)).toBe(
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
