import { expect, test } from 'vitest'
import { passwordProblem, suggestPassword, usernameProblem } from './credentials.ts'

test.each(['ana', 'Ana.Beatriz_2-x', 'a'.repeat(32), '1st'])('%s may be a user name', (username) => {
  expect(usernameProblem(username)).toBeNull()
})

test.each(['', 'ab', 'a'.repeat(33), '.ana', 'an a', 'año'])('%j is not a valid user name', (username) => {
  expect(usernameProblem(username)).toBe('usernameInvalid')
})

test('a password must be long enough and typed the same twice', () => {
  expect(passwordProblem('123456789')).toBe('passwordShort')
  expect(passwordProblem('1234567890')).toBeNull()
  expect(passwordProblem('1234567890', '1234567891')).toBe('passwordsDiffer')
})

test('a suggested password draws letters evenly and is split into groups of five', () => {
  expect(suggestPassword((bytes) => bytes.set(bytes.map((_, index) => index * 13)))).toBe('ap4hw-bq5ix-cr6jy-ds7kz')
})
