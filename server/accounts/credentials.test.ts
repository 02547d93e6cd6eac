import { describe, expect, it } from 'vitest'
import { describePasswordProblem, usernameSchema } from './credentials.ts'

describe('a password', () => {
  it.each(['short', 'ninechars', ''])('that is too short is refused: %j', (password) => {
    expect(describePasswordProblem(password, 'ann')).toBe('The password is too short. Use at least 10 characters.')
  })

  it.each([
    'password123',
    'Password1234!',
    'P-a-s-s-w-o-r-d',
    'admin12345678',
    'changeme2026',
    'aaaaaaaaaaaa',
    '1234567890',
    '0123456789012345',
    '9876543210',
    'qwertyuiop',
    'Sluice-2026',
  ])('that is common is refused: %j', (password) => {
    expect(describePasswordProblem(password, 'ann')).toBe('This password is too easy to guess. Choose another one.')
  })

  it('that is the user name is refused', () => {
    expect(describePasswordProblem('Marguerite1', 'marguerite')).not.toBeNull()
  })

  it.each(['correct horse battery staple', '4815162342 reactor', 'ünïcödé-größer', '83641902751'])(
    'that is neither common nor the user name is accepted: %j',
    (password) => {
      expect(describePasswordProblem(password, 'ann')).toBeNull()
    },
  )

  it('that is too long is refused before it is hashed', () => {
    expect(describePasswordProblem('ab3!x'.repeat(41), 'ann')).toBe(
      'The password is too long. Use at most 200 characters.',
    )
  })
})

describe('a user name', () => {
  it.each(['ann', 'Ann-Marie.2', 'a_b', '0day', 'x'.repeat(32)])('%j is valid', (name) => {
    expect(usernameSchema.safeParse(name).success).toBe(true)
  })

  it.each(['ab', 'x'.repeat(33), '-ann', '.hidden', 'a b c', 'änn', 'ann@example.org', 'ann\n', '', 'a/b/c'])(
    '%j is not valid',
    (name) => {
      expect(usernameSchema.safeParse(name).success).toBe(false)
    },
  )
})
