import { expect, it } from 'vitest'
import { usernameSchema } from '../../accounts/credentials.ts'
import { hasCheckedFactor, proposeUsernames, verifiedEmail } from './claims.ts'
import { readIssuer } from './issuer.ts'
import { openRoundToken, roundPath } from './round-token.ts'

const claims = (more: object) => ({ sub: 'a', ...more })

it.each([
  [{ preferred_username: 'ada' }, 'ada'],
  [{ preferred_username: 'ada@example.org' }, 'ada'],
  [{ preferred_username: 'Ada Lovelace' }, 'Ada.Lovelace'],
  [{ preferred_username: 'Éloïse' }, 'Eloise'],
  [{ preferred_username: '..a', email: 'grace@example.org' }, 'grace'],
  [{ preferred_username: '张伟', name: '张伟' }, 'user'],
  [{ preferred_username: 'x'.repeat(100) }, 'x'.repeat(32)],
  [{}, 'user'],
])('proposes a valid user name for %j', (more, expected) => {
  const proposed = proposeUsernames(claims(more))
  expect(proposed[0]).toBe(expected)
  for (const name of proposed) expect(usernameSchema.safeParse(name).success).toBe(true)
  expect(new Set(proposed).size).toBe(9)
})

it('takes only an address that the provider calls verified, by true and nothing else', () => {
  const email = 'ada@example.org'
  expect(verifiedEmail(claims({ email, email_verified: true }))?.key).toBe(email)
  for (const more of [{ email }, { email, email_verified: false }, { email: 'ada', email_verified: true }])
    expect(verifiedEmail(claims(more))).toBeNull()
})

it.each([
  ['here', { amr: ['mfa'] }, false],
  ['claimed', { amr: ['pwd'] }, false],
  ['claimed', { amr: ['pwd', 'mfa'] }, true],
  ['claimed', { acr: 'phr' }, true],
  ['claimed', {}, false],
  ['there', {}, true],
])('for a second factor that is checked %s, %j is enough: %s', (secondFactor, more, expected) => {
  expect(hasCheckedFactor({ secondFactor }, claims(more))).toBe(expected)
})

it('reads an issuer as it is copied', () => {
  expect(readIssuer('https://id.example.org/realms/a/.well-known/openid-configuration')?.href).toBe(
    'https://id.example.org/realms/a',
  )
  expect(readIssuer('https://id.example.org/o/a/')?.href).toBe('https://id.example.org/o/a/')
})

it('begins a round by a token of one session, provider and purpose, for five minutes', () => {
  const site = { secret: 'secret' }
  const token = (now?: number) => {
    const path = roundPath(site, 'one', { purpose: 'link', sessionId: 's' }, now)
    return new URLSearchParams(path.split('?')[1]).get('round') ?? ''
  }
  expect(openRoundToken(site, 'one', token())).toEqual({ purpose: 'link', sessionId: 's' })
  expect(openRoundToken(site, 'two', token())).toBeNull()
  expect(openRoundToken({ secret: 'another' }, 'one', token())).toBeNull()
  expect(openRoundToken(site, 'one', token(Date.now() - 300_001))).toBeNull()
})
