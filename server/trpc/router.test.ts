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

  it.each(declared)(
    '$path refuses an input with a field it does not know, and one of another type',
    ({ procedure }) => {
      const def: unknown = procedure._def
      const { inputs } = z.object({ inputs: z.array(z.unknown()) }).parse(def)
      for (const parser of inputs) {
        if (!(parser instanceof z.ZodType)) continue
        for (const foreign of [{ role: 'superadmin', ownerId: 'x', foreign: 1 }, 'text', 7, [{}]]) {
          expect(parser.safeParse(foreign).success).toBe(false)
        }
      }
    },
  )

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
    for (const { name, by, rules } of declared.flatMap(({ ruleSets }) => ruleSets)) {
      const known = meanings.get(name) ?? new Set()
      meanings.set(name, known.add(JSON.stringify({ by, rules })))
    }
    expect([...meanings].filter(([, variants]) => variants.size > 1)).toEqual([])
  })
})
