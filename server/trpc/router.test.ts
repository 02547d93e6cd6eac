import { initTRPC } from '@trpc/server'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { declaredLimits } from './declared-limits.ts'
import type { Meta } from './limit.ts'
import { appRouter } from './router.ts'

const declared = declaredLimits(appRouter)

describe('every procedure', () => {
  it.each(declared)('$path declares its limits, or why it has none', ({ ruleSets, reason }) => {
    if (reason === null) expect(ruleSets.length).toBeGreaterThan(0)
    else expect(reason).toMatch(/\w+ \w+/)
  })

  it.each(declared)('$path takes no field that it does not name, and nothing but an object', ({ procedure }) => {
    const def: unknown = procedure._def
    const { inputs } = z.object({ inputs: z.array(z.unknown()) }).parse(def)
    const schemas = inputs.filter((input) => input instanceof z.ZodType)
    expect(schemas.flatMap(objectsIn).map(({ def }) => def.catchall instanceof z.ZodNever)).not.toContain(false)
    for (const schema of schemas) {
      for (const foreign of ['text', 7, [{}], null]) expect(schema.safeParse(foreign).success).toBe(false)
    }
  })

  it('that declares nothing, or nothing that works, is found by the walk', () => {
    const t = initTRPC.meta<Meta>().create()
    const silent = t.router({ silent: t.procedure.query(() => 1) })
    expect(() => declaredLimits(silent)).toThrow(/^silent declares no limits/)
    const limits = [{ by: 'subject', rules: [{ limit: 0, window: '1s' }] }] as const
    const broken = t.router({ broken: t.procedure.meta({ limits }).query(() => 1) })
    expect(() => declaredLimits(broken)).toThrow(/^broken: rule set 1, rule 1, limit/)
  })
})

describe('the router', () => {
  it('names no upload by URL, and no deletion by link', () => {
    const paths = declared.map(({ path }) => path)
    expect(paths.filter((path) => /url|fetch|remote|import|link|token/i.test(path))).toEqual([])
  })

  it('gives every name of a rule set one meaning', () => {
    const meanings = new Map<string, Set<string>>()
    for (const { facts, rules } of declared.flatMap(({ ruleSets }) => ruleSets)) {
      const known = meanings.get(facts.name) ?? new Set()
      meanings.set(facts.name, known.add(JSON.stringify({ facts, rules })))
    }
    expect([...meanings].filter(([, variants]) => variants.size > 1)).toEqual([])
  })
})

/** Every object schema in a schema, however wrapped. */
function objectsIn(schema: unknown): readonly z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema, ...Object.values(schema.shape).flatMap(objectsIn)]
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(objectsIn)
  if (schema instanceof z.ZodPipe) return objectsIn(schema.in)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return objectsIn(schema.def.innerType)
  }
  return []
}
