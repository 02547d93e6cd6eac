import { z } from 'zod'
import { type Duration, shortDuration, toMilliseconds } from './duration.ts'
import { shapeOf } from './shape.ts'

/** Every algorithm; each has a fragment in lua/ and a ledger in algorithms/ by its name. */
export const ALGORITHMS = ['sliding-window-log'] as const

/** How a rule counts. */
export type Algorithm = (typeof ALGORITHMS)[number]

/** Whom a rule set counts: see subject.ts. */
export type CountBy = 'subject' | 'ip' | 'user' | 'site'

/** What holds while the store fails: the in-process limiter (the default), a refusal, or nothing. */
export type OnStoreFailure = 'local' | 'deny' | 'allow'

/** At most `limit` permits in any `window`. */
export interface Rule {
  readonly limit: number
  readonly window: Duration
  readonly algorithm?: Algorithm
}

/** What a procedure declares in its meta. Without a name it has the procedure's path; all that name one set share its count. */
export interface RuleSet {
  readonly name?: string
  readonly by: CountBy
  readonly rules: readonly [Rule, ...Rule[]]
  readonly onStoreFailure?: OnStoreFailure
}

/** A checked rule. Its policy is the name that clients see: 'download-1m'. */
export interface CompiledRule {
  readonly policy: string
  readonly limit: number
  readonly windowMs: number
}

/** A checked rule set, its rules of one algorithm and in the order of their windows. */
export interface CompiledRuleSet {
  readonly name: string
  readonly by: CountBy
  readonly algorithm: Algorithm
  readonly rules: readonly CompiledRule[]
  readonly shape: string
  readonly onStoreFailure: OnStoreFailure
}

/** A declaration that cannot hold; a bug, found at start. */
export class InvalidRuleSet extends Error {
  override readonly name = 'InvalidRuleSet'
  readonly procedure: string

  constructor(procedure: string, problem: string) {
    super(`${procedure}: ${problem}`)
    this.procedure = procedure
  }
}

/** Far above any use, and low enough that running totals stay exact integers in Lua. */
const MAX_LIMIT = 1e12
const MAX_WINDOW_MS = 366 * 86_400_000
/** The names of the totals of shared accounts end so. */
const NAME = /^(?!.*-total$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

const wholeNumber = `must be a whole number from 1 to ${MAX_LIMIT}`
const wholeWindow = 'must be whole milliseconds from 1ms to 366d'
const ruleSetSchema = z.strictObject({
  name: z.string().regex(NAME, 'must be letters, digits and . _ -, at most 64, and not end in -total').optional(),
  by: z.enum(['subject', 'ip', 'user', 'site']),
  rules: z
    .array(
      z.strictObject({
        limit: z.int({ error: wholeNumber }).min(1, wholeNumber).max(MAX_LIMIT, wholeNumber),
        window: z
          .custom<Duration>((value) => typeof value === 'number' || typeof value === 'string', wholeWindow)
          .transform(toMilliseconds)
          .pipe(z.int({ error: wholeWindow }).min(1, wholeWindow).max(MAX_WINDOW_MS, wholeWindow)),
        algorithm: z.enum(ALGORITHMS).default('sliding-window-log'),
      }),
    )
    .min(1, 'must not be empty'),
  onStoreFailure: z.enum(['local', 'deny', 'allow']).default('local'),
})

/** Checks what a procedure declares and makes it ready for `Limiter.take`. Throws InvalidRuleSet, which names the
 *  procedure, the rule set, the rule and what is wrong. */
export function compileRuleSets(procedure: string, sets: readonly RuleSet[]): readonly CompiledRuleSet[] {
  const compiled = sets.flatMap((set, index) => compileRuleSet(procedure, set, index))
  refuseTwins(procedure, compiled)
  return compiled
}

function compileRuleSet(procedure: string, set: RuleSet, index: number): readonly CompiledRuleSet[] {
  const parsed = ruleSetSchema.safeParse({ ...set, name: set.name ?? procedure })
  if (!parsed.success) throw new InvalidRuleSet(procedure, problemOf(parsed.error, set, index))
  const { name = procedure, by, rules, onStoreFailure } = parsed.data
  // Rules of different algorithms keep different state, so each algorithm's rules are a set, and a key, of their own.
  return ALGORITHMS.flatMap((algorithm) => {
    const own = rules.filter((rule) => rule.algorithm === algorithm).toSorted((a, b) => a.window - b.window)
    if (own.length === 0) return []
    const shape = shapeOf(
      algorithm,
      own.map((rule) => rule.window),
    )
    return { name, by, algorithm, rules: own.map((rule) => compileRule(name, rule)), shape, onStoreFailure }
  })
}

function compileRule(set: string, rule: { readonly limit: number; readonly window: number }): CompiledRule {
  return { policy: `${set}-${shortDuration(rule.window)}`, limit: rule.limit, windowMs: rule.window }
}

/** Two rules of one policy name would share a key, or at least a name that clients could not tell apart. */
function refuseTwins(procedure: string, sets: readonly CompiledRuleSet[]): void {
  const seen = new Set<string>()
  for (const { policy } of sets.flatMap((set) => set.rules)) {
    if (seen.has(policy)) {
      throw new InvalidRuleSet(procedure, `two rules are named ${policy}: drop one, or name its rule set otherwise`)
    }
    seen.add(policy)
  }
}

function problemOf(error: z.ZodError, set: RuleSet, index: number): string {
  const [issue] = error.issues
  const [field, rule, ...rest] = issue?.path ?? []
  const where = [
    `rule set ${set.name ?? index + 1}`,
    field === 'rules' && typeof rule === 'number' ? `rule ${rule + 1}` : field,
    ...rest,
  ]
  return `${where.filter((part) => part !== undefined).join(', ')}: ${issue?.message ?? 'is not valid'}`
}
