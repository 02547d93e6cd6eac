import { z } from 'zod'
import type { Random } from '../random.ts'
import { junk } from './bad-request.ts'

/** What JSON.stringify writes as it is given. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** The part of JSON Schema that inputs need. */
const schemaShape = z.looseObject({
  type: z.string().optional(),
  format: z.string().optional(),
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
})

/** Draws a value that has, for the greater part, the form of a schema. */
export function drawLike(schema: unknown, random: Random, names: readonly [string, ...string[]]): Json {
  if (random.below(12) === 0) return drawAny(random, names)
  const facts = schemaShape.safeParse(schema).data ?? {}
  const choices = facts.anyOf ?? facts.oneOf
  if (choices) return drawLike(choices[random.below(choices.length)], random, names)
  if (facts.const !== undefined) return facts.const
  if (facts.enum) return facts.enum[random.below(facts.enum.length)] ?? null
  switch (facts.type) {
    case 'object':
      return drawObject(facts.properties ?? {}, random, names)
    case 'array': {
      const length = random.pick([0, 1, 2, 3, 300])
      return Array.from({ length }, () => drawLike(facts.items, random, names))
    }
    case 'number':
    case 'integer':
      return random.pick([0, 1, 7, -1, 0.5, facts.minimum ?? 2, facts.maximum ?? 2 ** 31, 2 ** 53, 1e300])
    case 'boolean':
      return random.below(2) === 1
    case 'string':
      return facts.format === 'date-time'
        ? random.pick(['2026-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '-000001-01-01T00:00:00Z'])
        : random.below(3) > 0
          ? random.pick(names)
          : junk(random)
    default:
      return drawAny(random, names)
  }
}

function drawObject(
  properties: Readonly<Record<string, unknown>>,
  random: Random,
  names: readonly [string, ...string[]],
) {
  const entries = Object.entries(properties)
    .filter(() => random.below(8) > 0)
    .map(([name, schema]) => [name, drawLike(schema, random, names)] as const)
  const others = random.below(15) ? [] : [[random.pick(['__proto__', 'constructor', 'then', junk(random)]), 1] as const]
  return Object.fromEntries([...entries, ...others])
}

/** Draws a value of any form. */
export function drawAny(random: Random, names: readonly [string, ...string[]], depth = 0): Json {
  const inner = () => (depth > 3 ? null : drawAny(random, names, depth + 1))
  return random.pick<() => Json>([
    () => null,
    () => random.below(2) === 1,
    () => random.pick([0, -1, 0.1, 2 ** 53, -(2 ** 63), 1e308]),
    () => junk(random),
    () => random.pick(names),
    () => Array.from({ length: random.below(4) }, inner),
    () =>
      Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [random.pick(['id', 'not', junk(random)]), inner()]),
      ),
    () => ({ id: { not: '' } }),
    () => ({ id: random.pick(names), $where: inner() }),
  ])()
}

/** Writes a value as JSON, or as something like it. */
export function writeJson(value: Json, random: Random): string {
  const text = JSON.stringify(value) ?? ''
  if (random.below(10) > 0) return text
  return random.pick<() => string>([
    () => text.slice(0, random.below(text.length + 1)),
    () => `${text}${text}`,
    () => '['.repeat(20_000),
    () => `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    () => `{"__proto__":${text},"json":${text},"meta":{"values":["map"]}}`,
    () => `{"id":1,"id":${text}}`,
    () => `"${'x'.repeat(300_000)}"`,
    () => '\ufeff{}',
    () => '{"0":1e999}',
    () => junk(random),
    () => '',
  ])()
}
