import { expect, test } from 'vitest'
import { currentCode } from '#testing/accounts/second-factor.ts'
import { createTotpSecret, matchCode, totpUri } from './codes.ts'

/** The secret of RFC 6238, appendix B, whose codes there have eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('accepts the code of RFC 6238 at %i s', (seconds, code) => {
  const match = matchCode(SECRET, code.slice(-6), seconds * 1_000)
  expect(match).toEqual({ step: Math.floor(seconds / 30), isCurrent: true, minutesOff: expect.any(Number) })
})

const now = 1_800_000_000_000
const codeOf = (steps: number) => currentCode(SECRET, now + steps * 30_000)

test('accepts one step either way, and recognizes ten minutes', () => {
  const seen = [-21, -20, -7, -2, -1, 0, 1, 2, 8, 20, 21].map((steps) => {
    const match = matchCode(SECRET, codeOf(steps), now)
    return match && [match.step - now / 30_000, match.isCurrent, match.isCurrent ? 0 : match.minutesOff]
  })
  expect(seen).toEqual([
    null,
    [-20, false, -10],
    [-7, false, -4],
    [-2, false, -1],
    [-1, true, 0],
    [0, true, 0],
    [1, true, 0],
    [2, false, 1],
    [8, false, 4],
    [20, false, 10],
    null,
  ])
})

test('a code is read however it is typed, and nothing else is one', () => {
  const code = codeOf(0)
  const wide = Array.from(code, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join('')
  for (const typed of [` ${code.slice(0, 3)} ${code.slice(3)}\n`, wide])
    expect(matchCode(SECRET, typed, now)).not.toBeNull()
  for (const typed of ['', code.slice(1), `${code}0`, `-${code.slice(1)}`, 'abcdef', '\u{1f600}\u{1f600}\u{1f600}'])
    expect(matchCode(SECRET, typed, now)).toBeNull()
})

test('secrets have 160 bits, and their address names the site and the user', () => {
  const secret = createTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(createTotpSecret()).not.toBe(secret)
  const { searchParams, ...uri } = new URL(totpUri(secret, { issuer: 'Bilder: Ä & B', username: 'ada' }))
  expect(Object.fromEntries(searchParams)).toEqual({
    ...{ issuer: 'Bilder  Ä & B', secret, algorithm: 'SHA1', digits: '6', period: '30' },
  })
  expect(uri).toBeDefined()
})
