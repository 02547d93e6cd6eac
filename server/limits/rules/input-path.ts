type Scalar = string | number | boolean | bigint | null | undefined

/** The dotted paths to the values of an input that can be counted, alone or in a list: 'id', 'filter.owner'. Five
 *  levels are enough for any input, and end the recursion for types that contain themselves. */
export type PathOf<Input, Depth extends readonly 1[] = []> = Depth extends [1, 1, 1, 1, 1]
  ? never
  : Input extends Scalar | readonly unknown[] | ((...args: never) => unknown) | Date
    ? never
    : Input extends object
      ? { [Name in keyof Input & string]-?: PathAt<Name, Input[Name], Depth> }[keyof Input & string]
      : never

type PathAt<Name extends string, Value, Depth extends readonly 1[]> =
  | ([Value] extends [Scalar | readonly Scalar[]] ? Name : never)
  | `${Name}.${PathOf<Value, [...Depth, 1]>}`

/** Returns the value at the path; undefined if there is none. */
export function valueAt(input: unknown, path: string): unknown {
  return path.split('.').reduce(memberOf, input)
}

/** Ignores members that every object inherits, such as `constructor`: they are not part of the input. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) || !(name in Object.prototype) ? Reflect.get(value, name) : undefined
}

/** A call with more values than can be counted; its schema should have rejected it. */
export class TooManyValues extends RangeError {
  override readonly name = 'TooManyValues'

  constructor(count: number) {
    super(`${count} values to count exceed the maximum of ${MAX_VALUES}`)
  }
}

/** As many as a decision has time for, even in a batch of calls. */
const MAX_VALUES = 100

/** Returns each different value as a unique text, by type and value: 1 is not '1'. Undefined, null and an empty list
 *  are one value like any other, so that no call passes uncounted. Throws TooManyValues for more than 100 values and
 *  TypeError for one that is not a scalar. */
export function distinctValues(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [canonical(value)]
  if (value.length > MAX_VALUES) throw new TooManyValues(value.length)
  return value.length === 0 ? [canonical(undefined)] : [...new Set(value.map(canonical))]
}

function canonical(value: unknown): string {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
      return `${typeof value}:${value}`
    default:
      if (value === undefined || value === null) return 'nothing'
      throw new TypeError(`no value to count: ${typeof value}`)
  }
}
