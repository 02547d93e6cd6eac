import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileRuleSets } from '#server/limits/rule-set.ts'
import { appRouter } from './router.ts'

const procedures = Object.entries(appRouter._def.procedures)

describe('every procedure', () => {
  it.each(procedures)('%s declares its limits, or why it has none', (path, procedure) => {
    const { meta } = procedure._def
    if (!meta) return expect.unreachable(`${path} declares no limits`)
    if (meta.limits === 'none') return expect(meta.reason.length).toBeGreaterThan(10)
    expect(compileRuleSets(path, meta.limits).length).toBeGreaterThan(0)
  })

  it.each(procedures)('%s refuses an input with a field it does not know, and one of another type', (_, procedure) => {
    for (const parser of procedure._def.inputs) {
      if (!(parser instanceof z.ZodType)) continue
      for (const foreign of [{ role: 'superadmin', ownerId: 'x', foreign: 1 }, 'text', 7, [{}]]) {
        expect(parser.safeParse(foreign).success).toBe(false)
      }
    }
  })
})

describe('the router', () => {
  it('names no upload by URL, and no deletion by link', () => {
    expect(procedures.map(([path]) => path).filter((path) => /url|fetch|remote|import|link|token/i.test(path))).toEqual(
      [],
    )
  })

  it('gives every name of a rule set one meaning', () => {
    const shapes = new Map<string, Set<string>>()
    for (const [path, procedure] of procedures) {
      const { meta } = procedure._def
      if (!meta || meta.limits === 'none') continue
      for (const { name, by, rules } of compileRuleSets(path, meta.limits)) {
        const known = shapes.get(name) ?? new Set()
        shapes.set(name, known.add(JSON.stringify({ by, rules })))
      }
    }
    expect([...shapes].filter(([, variants]) => variants.size > 1)).toEqual([])
  })
})
