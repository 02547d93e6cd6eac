import { expect, test } from 'vitest'
import { isNarrowed, isPlain, readFinding, toInput, writeFinding } from './finding.ts'

const album = '01234567-89ab-4def-8123-456789abcdef'
const whole = `q=sea+gull&type=png&size=small&shape=square&visibility=link&animated=1&favourite=0&album=${album}&tag=a%26b&from=2026-01-02&to=2026-02-03&sort=title&by=taken`

test('an address is read and written back', () => {
  const finding = readFinding(new URLSearchParams(whole))
  expect(finding).toEqual({
    query: {
      ...{ text: 'sea gull', type: 'png', size: 'small', shape: 'square', visibility: 'link', animated: true },
      ...{ favourite: false, album, tag: 'a&b', from: '2026-01-02', to: '2026-02-03' },
    },
    sort: 'title',
    by: 'taken',
  })
  expect(writeFinding(new URLSearchParams(), finding).toString()).toBe(whole)
})

test('the rest of an address stays, apart from a place in the list', () => {
  const params = new URLSearchParams('scope=all&q=old&type=gif&at=2026-03')
  expect(writeFinding(params, { query: { text: 'new' } }).toString()).toBe('scope=all&q=new')
})

test.each([
  'type=exe',
  'size=1',
  'animated=yes',
  'album=1',
  'from=today',
  'from=2026-13-01',
  'from=0000-01-01',
  'sort=random',
  'by=x',
  'q=+',
  `q=%00`,
])('%s is left out', (text) => {
  const finding = readFinding(new URLSearchParams(text))
  expect(finding).toEqual({ query: {}, sort: undefined, by: undefined })
  expect([isNarrowed(finding), isPlain(finding)]).toEqual([false, true])
})

test('days of uploads are instants by the reader’s clock, those of cameras are days', () => {
  const query = { from: '2026-01-02', to: '2026-01-31' }
  expect(toInput({ query }).query).toEqual({
    from: new Date(2026, 0, 2).toISOString(),
    to: new Date(2026, 1, 1).toISOString(),
  })
  expect(toInput({ query, by: 'taken' }).query).toEqual(query)
})
