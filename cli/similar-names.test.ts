import { expect, test } from 'vitest'
import { commands } from './commands.ts'
import { similarNames } from './similar-names.ts'

test.each([
  ['uplaod', ['upload']],
  ['upload', ['upload']],
  ['dwnload', ['download']],
  ['ls', ['list']],
  ['limit', ['limits']],
  ['admin', ['admin reset-password', 'admin reset-factors', 'admin sign-in-link']],
  ['user craete Bob', ['user create']],
  ['log', ['login']],
  ['nonsense', []],
  ['', []],
])('suggests for %j: %j', (typed, names) => {
  const known = commands.map(({ name }) => name)
  expect(similarNames(known, typed.split(' '))).toEqual(names)
})
