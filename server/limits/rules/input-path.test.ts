import { describe, expect, expectTypeOf, test } from 'vitest'
import type { InputRuleSet } from '../rule-set.ts'
import { distinctValues, type PathOf, TooManyValues, valueAt } from './input-path.ts'

interface Input {
  readonly id: string
  readonly page?: number | undefined
  readonly ids: readonly string[]
  readonly filter?: { readonly owner: string | null; readonly tags?: string[] | undefined; readonly since: Date } | null
  readonly when: Date
  readonly rows: readonly { readonly id: string }[]
  readonly either: string | { readonly nested: bigint }
}

describe('the type of paths', () => {
  test('includes what can be counted, nested and through optionals', () => {
    expectTypeOf<PathOf<Input>>().toEqualTypeOf<
      'id' | 'page' | 'ids' | 'filter.owner' | 'filter.tags' | 'either.nested'
    >()
  })

  test('includes those of each member of a union, and none for an input that is not an object', () => {
    expectTypeOf<PathOf<{ kind: 'a'; a: string } | { kind: 'b'; b: { c: number } }>>().toEqualTypeOf<
      'kind' | 'a' | 'b.c'
    >()
    expectTypeOf<PathOf<void>>().toEqualTypeOf<never>()
    expectTypeOf<PathOf<string[]>>().toEqualTypeOf<never>()
  })

  test('ends for a type that contains itself', () => {
    interface Tree {
      name: string
      parent: Tree
    }
    expectTypeOf<'parent.parent.name'>().toExtend<PathOf<Tree>>()
  })

  test('rejects wrong paths and costs of another input at compile time', () => {
    type Sets = readonly InputRuleSet<Input>[]
    const rules = [{ limit: 1, window: '1s' }] as const
    const sets: Sets = [
      { by: { input: 'filter.owner' }, rules },
      { by: { input: 'id', per: 'subject' }, rules, cost: ({ ids }) => ids.length + 1 },
      { by: 'site', rules, cost: 2 },
      // @ts-expect-error there is no such argument
      { by: { input: 'owner' }, rules },
      // @ts-expect-error an object has no value to count
      { by: { input: 'filter' }, rules },
      // @ts-expect-error nor has a date
      { by: { input: 'when' }, rules },
      // @ts-expect-error nor what lies in a list of objects
      { by: { input: 'rows.id' }, rules },
      // @ts-expect-error only a subject has its own count
      { by: { input: 'id', per: 'ip' }, rules },
      // @ts-expect-error a cost is a number
      { by: 'ip', rules, cost: ({ id }) => id },
      // @ts-expect-error of this input
      { by: 'ip', rules, cost: ({ size }) => size },
    ]
    expect(sets).toHaveLength(10)
  })
})

describe('valueAt', () => {
  test.each<[string, unknown]>([
    ['id', 7],
    ['filter.owner', 'ann'],
    ['filter', { owner: 'ann' }],
    ['filter.owner.name', undefined],
    ['none', undefined],
    ['none.at.all', undefined],
  ])('%s', (path, value) => {
    expect(valueAt({ id: 7, filter: { owner: 'ann' } }, path)).toEqual(value)
  })

  test.each(['constructor', 'toString', '__proto__', '__proto__.toString', 'filter.valueOf'])(
    '%s is only what the input says itself',
    (path) => {
      expect(valueAt({ filter: {} }, path)).toBeUndefined()
      expect(valueAt(JSON.parse(`{"${path}":"said"}`), path)).toBe(path.includes('.') ? undefined : 'said')
    },
  )

  test.each([undefined, null, 'text', 7])('nothing lies in %j', (input) => {
    expect(valueAt(input, 'length')).toBeUndefined()
  })
})

describe('distinctValues', () => {
  test('distinguishes values by type and value', () => {
    const values = [1, '1', 1n, true, 'true', 'nothing', undefined, '', 'number:1', Number.NaN]
    expect(new Set(values.flatMap(distinctValues)).size).toBe(values.length)
  })

  test('treats undefined, null and an empty list as one value, and -0 as 0', () => {
    expect([null, [], [undefined, null]].map(distinctValues)).toEqual(Array(3).fill(distinctValues(undefined)))
    expect(distinctValues(-0)).toEqual(distinctValues(0))
  })

  test('returns each value of a list once', () => {
    expect(distinctValues(['a', 'b', 'a', 1, '1'])).toEqual(['string:a', 'string:b', 'number:1', 'string:1'])
  })

  test('rejects more than 100 values, and values that are not scalars', () => {
    expect(distinctValues(Array.from({ length: 100 }, (_, i) => i))).toHaveLength(100)
    expect(() => distinctValues(Array(101).fill(1))).toThrow(new TooManyValues(101))
    for (const value of [{}, new Date(0), () => 1, Symbol('a'), [[1]]])
      expect(() => distinctValues(value)).toThrow(TypeError)
  })
})
