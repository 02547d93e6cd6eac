import { describe, expect, it } from 'vitest'
import { openSecret, sealSecret } from './seal.ts'

const site = { secret: 'a secret of at least 32 characters' }
const about = 'totp/one'
const sealed = sealSecret(site, 'JBSWY3DPEHPK3PXP', about)

describe('a sealed secret', () => {
  it('opens with the same secret, about the same thing', () => {
    expect(openSecret(site, sealed, about)).toBe('JBSWY3DPEHPK3PXP')
    expect(openSecret(site, sealSecret(site, '', about), about)).toBe('')
    expect(openSecret(site, sealSecret(site, '密码 🔑', about), about)).toBe('密码 🔑')
  })

  it('is never the same twice, and does not show its text', () => {
    expect(sealSecret(site, 'JBSWY3DPEHPK3PXP', about)).not.toBe(sealed)
    expect(sealed).toMatch(/^v1\.[\w-]+$/)
    expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('JBSWY3DPEHPK3PXP')
  })

  const flipped = `${sealed.slice(0, 20)}${sealed[20] === 'A' ? 'B' : 'A'}${sealed.slice(21)}`
  it.each([
    ['with another secret', { secret: `${site.secret}!` }, sealed, about],
    ['about another account', site, sealed, 'totp/two'],
    ['with a changed byte', site, flipped, about],
    ['cut short', site, sealed.slice(0, -1), about],
    ['of another version', site, sealed.replace('v1.', 'v2.'), about],
    ['without a version', site, sealed.slice(3), about],
    ['that is empty', site, '', about],
    ['that is no seal', site, 'v1.', about],
  ])('%s is null, not an error', (_, by, text, of) => {
    expect(openSecret(by, text, of)).toBeNull()
  })
})
