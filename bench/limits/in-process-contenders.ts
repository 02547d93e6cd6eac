import { createLimiter } from '#server/limits/limiter.ts'
import { atLeast, type Target } from '../report/figures.ts'
import type { Contender } from './contender.ts'
import { ALGORITHMS, type Algorithm, mixedRules, oneRule, ours, threeRules } from './ours.ts'
import { expressInMemory, flexibleInMemory } from './peers.ts'

/** Permits a minute. */
export const LIMIT = 1_000

/** A contender that a process of its own opens. */
export interface Entry {
  readonly name: string
  readonly rules: 1 | 3
  readonly isPeer: boolean
  readonly target?: Target | undefined
  open(): Contender
}

/** Of these a rate is to be reached. */
const FAST: ReadonlySet<Algorithm> = new Set(['fixed-window', 'token-bucket'])

/** Limiters that count in the process itself, and memory stores of others. */
export const ENTRIES: readonly Entry[] = [
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

function own(name: string, rules: ReturnType<typeof mixedRules>, target?: Target): Entry {
  const open = () => ours(createLimiter({}), { name, rules })
  return { name, rules: rules.length > 1 ? 3 : 1, isPeer: false, target, open }
}

function reaching(algorithm: Algorithm, perSecond: number): Target | undefined {
  return FAST.has(algorithm) ? atLeast(perSecond) : undefined
}

function peers(rules: 1 | 3, names: readonly string[]): readonly Entry[] {
  return names.map((name) => ({ name, rules, isPeer: true, open: () => peer(name) }))
}

function peer(name: string): Contender {
  const found = [...flexibleInMemory(LIMIT), ...expressInMemory(LIMIT)].find((each) => each.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}
