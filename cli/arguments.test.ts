import { expect, test } from 'vitest'
import { readArguments, readChoice, readNumber, readOne, readVisibility } from './arguments.ts'
import { CommandFailed } from './command.ts'

const failure = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof CommandFailed) return `${error.failure}: ${error.message}`
    throw error
  }
  return 'none'
}

test('parses options and arguments in any order', () => {
  const { values, positionals } = readArguments(['a.png', '-p', '2', '--json', '-', '--', '-x.png'], {
    parallel: { type: 'string', short: 'p' },
    json: { type: 'boolean' },
  })
  expect([{ ...values }, positionals]).toEqual([{ parallel: '2', json: true }, ['a.png', '-', '-x.png']])
})

test.each([
  [() => readArguments(['--wat'], {}), "usage: Unknown option '--wat'"],
  [() => readArguments(['--to'], { to: { type: 'string' } }), "usage: Option '--to <value>' argument missing"],
  [
    () => readNumber('parallel', '9', { min: 1, max: 8, otherwise: 3 }),
    'usage: --parallel must be a whole number from 1 to 8, not 9.',
  ],
  [
    () => readNumber('parallel', '1e0', { min: 1, max: 8, otherwise: 3 }),
    'usage: --parallel must be a whole number from 1 to 8, not 1e0.',
  ],
  [() => readVisibility('mine'), 'usage: --visibility must be private, link or public, not mine.'],
  [() => readChoice('role', 'king', ['user', 'admin']), 'usage: --role must be user or admin, not king.'],
  [() => readOne([], 'username'), 'usage: Missing argument: a user name.'],
  [() => readOne(['a', 'b'], 'username'), 'usage: Unexpected argument: b.'],
])('%s is refused: %s', (work, expected) => {
  expect(failure(work)).toBe(expected)
})

test('a missing option has its default', () => {
  expect([readNumber('parallel', undefined, { min: 1, max: 8, otherwise: 3 }), readVisibility(undefined)]).toEqual([
    3,
    undefined,
  ])
})
