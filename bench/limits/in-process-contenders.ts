import { createLimiter } from '#server/limits/limiter.ts'
import { atLeast, type Target } from '../report/figures.ts'
import { type Contender, prove } from './contender.ts'
import { type Entry, named } from './entry.ts'
import { ALGORITHMS, type Algorithm, mixedRules, oneRule, ours, threeRules } from './ours.ts'
import { expressInMemory, flexibleInMemory } from './peers.ts'

/** Permits per minute. */
export const LIMIT = 1_000

export interface InProcess extends Entry {
  readonly rules: 1 | 3
  readonly isPeer: boolean
}

/** Contenders that have a target rate. */
const FAST: ReadonlySet<Algorithm> = new Set(['fixed-window', 'token-bucket'])

/** Our in-process limiters, and the memory stores of others. */
export const IN_PROCESS: readonly InProcess[] = [
  ...ALGORITHMS.map((algorithm) =>
    own(`${algorithm}, 1 rule`, oneRule(algorithm, LIMIT), reaching(algorithm, 1_000_000)),
  ),
  ...peers(1, ['rate-limiter-flexible Memory, 1 rule', 'express-rate-limit MemoryStore, 1 rule']),
  ...ALGORITHMS.map((algorithm) =>
    own(`${algorithm}, 3 rules`, threeRules(algorithm, LIMIT), reaching(algorithm, 400_000)),
  ),
  own('three algorithms, 3 rules', mixedRules(LIMIT)),
  ...peers(3, ['rate-limiter-flexible Memory, Union of 3', 'express-rate-limit MemoryStore, 3 rules']),
]

function own(name: string, rules: ReturnType<typeof mixedRules>, target?: Target): InProcess {
  const open = () => proved(ours(createLimiter({}), { name, rules }))
  return { name, rules: rules.length > 1 ? 3 : 1, isPeer: false, target, open }
}

function reaching(algorithm: Algorithm, perSecond: number): Target | undefined {
  return FAST.has(algorithm) ? atLeast(perSecond) : undefined
}

function peers(rules: 1 | 3, names: readonly string[]): readonly InProcess[] {
  const open = (name: string) => proved(named([...flexibleInMemory(LIMIT), ...expressInMemory(LIMIT)], name))
  return names.map((name) => ({ name, rules, isPeer: true, open: () => open(name) }))
}

async function proved(contender: Contender): Promise<Contender> {
  await prove(contender, LIMIT)
  return contender
}
