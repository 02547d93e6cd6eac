type Scalar = string | number | boolean | bigint | null | undefined

/** A value that is counted, or a list of which each is. */
type Countable = Scalar | readonly Scalar[]

/** Deep enough for any input, and an end for types that contain themselves. */
type TooDeep = [1, 1, 1, 1, 1]

/** The dotted paths to what an input has to count: 'id', 'filter.owner'. */
export type PathOf<Input, Depth extends readonly 1[] = []> = Depth extends TooDeep
  ? never
  : Input extends Scalar | readonly unknown[] | ((...args: never) => unknown) | Date
    ? never
    : Input extends object
      ? { [Name in keyof Input & string]-?: PathAt<Name, Input[Name], Depth> }[keyof Input & string]
      : never

type PathAt<Name extends string, Value, Depth extends readonly 1[]> =
  | ([Value] extends [Countable] ? Name : never)
  | `${Name}.${PathOf<Value, [...Depth, 1]>}`

/** What lies at the path; undefined where nothing does. */
export function valueAt(input: unknown, path: string): unknown {
  return path.split('.').reduce(memberOf, input)
}

/** What every object has of its own accord, such as `constructor`, the input did not say. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) || !(name in Object.prototype) ? Reflect.get(value, name) : undefined
}

/** A call that says more than is counted of one; its schema should have said so. */
export class TooManyValues extends RangeError {
  override readonly name = 'TooManyValues'

  constructor(count: number) {
    super(`${count} values to count exceed the maximum of ${MAX_VALUES}`)
  }
}

/** As many as a decision has time for, in a batch of calls too. */
const MAX_VALUES = 100

/** Each different value as a text that no other has, by type and value: 1 is not '1'. Nothing at all, be it undefined,
 *  null or an empty list, is a value like any other, so that no call passes uncounted. Throws TooManyValues for more than
 *  100 and TypeError for one that is no scalar. */
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
