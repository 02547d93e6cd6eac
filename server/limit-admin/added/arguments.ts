import { z } from 'zod'
import type { DeclaringPart } from '../catalogue.ts'

/** Levels of an input that are looked at; no input has more. */
const MOST_LEVELS = 4

/** Returns the schema of a procedure's input; undefined for routes, for an input that is a stream, and for one of several
 *  schemas, each of which parses a part of it. */
export function inputSchema({ inputs = [] }: DeclaringPart): z.ZodType | undefined {
  const [only, ...others] = inputs
  return only instanceof z.ZodType && others.length === 0 ? only : undefined
}

const known = new WeakMap<DeclaringPart, readonly string[]>()

/** Returns the paths of the arguments that a rule set of a procedure or route can count: values, and lists of values. */
export function countableArguments(part: DeclaringPart): readonly string[] {
  const paths = known.get(part) ?? part.arguments ?? listPaths(part)
  known.set(part, paths)
  return paths
}

function listPaths(part: DeclaringPart): readonly string[] {
  const schema = inputSchema(part)
  if (!schema) return []
  const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  return pathsIn(json, json.$defs ?? {}, [])
}

type JsonSchema = z.core.JSONSchema.BaseSchema

function pathsIn(
  schema: z.core.JSONSchema._JSONSchema,
  defs: Readonly<Record<string, JsonSchema>>,
  above: readonly string[],
): readonly string[] {
  if (typeof schema === 'boolean' || above.length > MOST_LEVELS) return []
  const { $ref } = schema
  if ($ref !== undefined) return pathsIn(defs[$ref.replace('#/$defs/', '')] ?? false, defs, above)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return pathsInAll(choices.filter(isPresent), defs, above)
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, inner]) => pathsIn(inner, defs, [...above, name]))
  }
  return above.length > 0 && isCountable(schema) ? [above.join('.')] : []
}

/** A path counts only if it is there whichever choice an input is. */
function pathsInAll(
  choices: readonly z.core.JSONSchema._JSONSchema[],
  defs: Readonly<Record<string, JsonSchema>>,
  above: readonly string[],
): readonly string[] {
  const [first = [], ...others] = choices.map((choice) => pathsIn(choice, defs, above))
  return first.filter((path) => others.every((paths) => paths.includes(path)))
}

const isPresent = (schema: z.core.JSONSchema._JSONSchema): boolean =>
  typeof schema === 'object' && schema.type !== 'null'

const SCALARS: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

function isCountable({ type, const: only, enum: several, items }: JsonSchema): boolean {
  if (SCALARS.has(type) || several !== undefined || only !== undefined) return true
  return type === 'array' && typeof items === 'object' && !Array.isArray(items) && isCountable(items)
}
