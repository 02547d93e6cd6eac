import { initTRPC } from '@trpc/server'
import { octetInputParser } from '@trpc/server/http'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { auditActions } from '#server/audit/actions.ts'
import { declaredRoutes } from '#server/http/declared-routes.ts'
import type { AnyRuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'
import { ruleSetWarnings } from '#server/limits/rules/warnings.ts'
import { declaredLimits } from './declared-limits.ts'
import { limitsFor, type Meta } from './limit.ts'
import { appRouter } from './router.ts'

const declared = declaredLimits(appRouter, declaredRoutes)
const t = initTRPC.meta<Meta>().create()

describe('every procedure', () => {
  it.each(declared)('$path declares its limits, or the reason why it has none', ({ ruleSets, reason }) => {
    if (reason === null) expect(ruleSets.length).toBeGreaterThan(0)
    else expect(reason).toMatch(/\w+ \w+/)
  })

  it.each(declared)('$path accepts only objects without unknown fields', ({ procedure }) => {
    const def: unknown = procedure._def
    const { inputs } = z.object({ inputs: z.array(z.unknown()) }).parse(def)
    const schemas = inputs.filter((input) => input instanceof z.ZodType)
    expect(schemas.flatMap(objectsIn).map(({ def }) => def.catchall instanceof z.ZodNever)).not.toContain(false)
    for (const schema of schemas) {
      for (const foreign of ['text', 7, [{}], null]) expect(schema.safeParse(foreign).success).toBe(false)
    }
  })

  it('without a valid declaration is rejected', () => {
    const silent = t.router({ silent: t.procedure.query(() => 1) })
    expect(() => declaredLimits(silent)).toThrow(/^silent declares no limits/)
    const empty = t.router({ empty: t.procedure.meta({ limits: [] }).query(() => 1) })
    expect(() => declaredLimits(empty)).toThrow(/^empty lists no limits/)
    const mute = t.router({ mute: t.procedure.meta({ limits: 'none', reason: '' }).query(() => 1) })
    expect(() => declaredLimits(mute)).toThrow(/^mute gives no reason/)
    const limits = [{ by: 'subject', rules: [{ limit: 0, window: '1s' }] }] as const
    const broken = t.router({ broken: t.procedure.meta({ limits }).query(() => 1) })
    expect(() => declaredLimits(broken)).toThrow(/^broken: rule set 1, rule 1, limit/)
  })

  it('that degrades without a cheaper answer is rejected, and so is a route', () => {
    const limits = [{ by: 'subject', mode: 'degrade', rules: [{ limit: 1, window: '1s' }] }] as const
    const problem = 'a: rule set a: mode: degrade needs a cheaper answer, which cheaperAnswer must name'
    expect(() => declaredLimits(t.router({ a: t.procedure.meta({ limits }).query(() => 1) }))).toThrow(problem)
    expect(() => declareRoute({ label: 'a', declared: limits, isAnonymous: false })).toThrow(problem)
    const cheaperAnswer = 'half of it'
    const a = t.procedure.meta({ limits, cheaperAnswer }).query(() => 1)
    expect(declaredLimits(t.router({ a }))).toHaveLength(1)
    expect(declareRoute({ label: 'a', declared: limits, isAnonymous: false, cheaperAnswer }).sets).toHaveLength(1)
  })

  const schema = z.strictObject({ id: z.uuid() })
  const limits: readonly AnyRuleSet[] = [{ by: { input: 'id' }, rules: [{ limit: 1, window: '1h' }] }]
  const byCost: readonly AnyRuleSet[] = [{ by: 'ip', cost: () => 2, rules: [{ limit: 9, window: '1h' }] }]
  const one = t.procedure
  it.each([
    [
      'no schema',
      one
        .meta({ limits })
        .input(schema)
        .query(() => 1),
      /^a: has limits that depend on the input, but no schema/,
    ],
    [
      'a cost and no schema',
      one
        .meta({ limits: byCost })
        .input(schema)
        .query(() => 1),
      /^a: has limits that depend on the input, but no schema/,
    ],
    [
      'another schema',
      one
        .meta({ limits, input: schema })
        .input(z.strictObject({ id: z.uuid() }))
        .query(() => 1),
      /^a: has limits that depend on a schema that is none of its inputs/,
    ],
    [
      'an octet stream',
      one
        .meta({ limits, input: schema, audit: { none: 'a test' } })
        .input(octetInputParser)
        .mutation(() => 1),
      /^a: has limits that depend on the input, but its input is a stream/,
    ],
  ])('that counts an argument with %s is rejected', (_, a, problem) => {
    expect(() => declaredLimits(t.router({ a }))).toThrow(problem)
  })

  it('may count an argument of a schema that is one of its inputs', () => {
    const sets = [{ by: { input: 'id', per: 'subject' }, rules: [{ limit: 1, window: '1h' }] }] as const
    const a = one.meta(limitsFor(schema, sets)).input(schema)
    expect(declaredLimits(t.router({ a: a.query(() => 1) }))[0]?.ruleSets[0]?.facts.name).toBe('a')
  })

  it('that counts all callers together must say how many networks it takes to use that up, 20 or more', () => {
    const rules = [{ limit: 100, window: '1h' }] as const
    const declaring = (set: Pick<AnyRuleSet, 'by' | 'networks'>) =>
      declaredLimits(
        t.router({
          a: one
            .meta({ limits: [{ ...set, rules }], input: schema })
            .input(schema)
            .query(() => 1),
        }),
      )
    for (const by of ['site', { input: 'id' }] as const) {
      expect(() => declaring({ by })).toThrow('a: rule set a: counts all callers together: add networks: 20')
      expect(() => declaring({ by, networks: 19 })).toThrow('a: rule set 1, networks: must be at least 20')
      expect(declaring({ by, networks: 20 })[0]?.ruleSets[0]?.network?.rules).toMatchObject([{ limit: 5 }])
    }
    expect(() => declaring({ by: 'ip', networks: 20 })).toThrow('a: rule set 1, networks: is for sets that count all')
  })

  it('that uses a rule set’s name for a different set than another procedure or a route is rejected', () => {
    const set = (limit: number): AnyRuleSet => ({ name: 'view', by: 'ip', rules: [{ limit, window: '1h' }] })
    const a = one.meta({ limits: [set(1)] }).query(() => 1)
    const b = one.meta({ limits: [set(2)] }).query(() => 1)
    expect(() => declaredLimits(t.router({ a, b }))).toThrow('b: rule set view: means something else in a')
    const route = { label: 'image bytes', sets: compileRuleSets('image bytes', [set(2)]) }
    expect(() => declaredLimits(t.router({ a }), [route])).toThrow(
      'image bytes: rule set view: means something else in a',
    )
  })
})

describe('every mutation', () => {
  it.each(declared.filter(({ procedure }) => procedure._def.type === 'mutation'))(
    '$path declares what it records, or the reason why it records nothing',
    ({ procedure }) => {
      const { audit } = z.object({ audit: z.unknown() }).parse(procedure._def.meta)
      if (typeof audit === 'string') expect(auditActions).toContain(audit)
      else expect(audit).toEqual({ none: expect.stringMatching(/\w+ \w+/) })
    },
  )

  it('without a declaration is rejected', () => {
    const limits = [{ by: 'ip', rules: [{ limit: 1, window: '1s' }] }] as const
    const silent = t.router({ silent: t.procedure.meta({ limits }).mutation(() => 1) })
    expect(() => declaredLimits(silent)).toThrow(/^silent declares no audit/)
    const mute = t.router({ mute: t.procedure.meta({ limits, audit: { none: '' } }).mutation(() => 1) })
    expect(() => declaredLimits(mute)).toThrow(/^mute gives no reason for recording nothing/)
  })
})

describe('the router', () => {
  it('has no upload by URL, and deletion, a new password and a confirmed address as the only actions by link', () => {
    // Accounts at providers are linked, and have no links; limits are imported from the text of a file.
    const known = /^(identity\.(linked|beginLink|unlink)|limits\.import)$/
    const paths = declared.map(({ path }) => path).filter((path) => !known.test(path))
    const suspicious = paths.filter((path) => /url|fetch|remote|import|(?<!hot)link/i.test(path))
    const ofAccounts = ['passwordLinks', 'showByLink', 'setPasswordByLink', 'showEmailLink', 'confirmEmailByLink']
    expect(suspicious).toEqual([
      ...ofAccounts.map((name) => `account.${name}`),
      'image.showByLink',
      'image.deleteByLink',
    ])
  })

  it('declares nothing that is warned about at start, nor do the routes', () => {
    const warnings = declared.flatMap(({ ruleSets }) => ruleSetWarnings(ruleSets))
    expect(warnings.concat(declaredRoutes.flatMap(({ sets }) => ruleSetWarnings(sets)))).toEqual([])
  })
})

/** Returns every object schema within a schema, however nested. */
function objectsIn(schema: unknown): readonly z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema, ...Object.values(schema.shape).flatMap(objectsIn)]
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(objectsIn)
  if (schema instanceof z.ZodPipe) return objectsIn(schema.in)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return objectsIn(schema.def.innerType)
  }
  return []
}
