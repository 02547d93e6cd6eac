import { passing } from '#server/limits/receipt.ts'
import type { Algorithm } from '#server/limits/rules/compiled.ts'
import { type Charge, canBlock, type Operation, type RuleAnswer } from '#server/limits/store.ts'
import type { Model, Past } from './algorithm-model.ts'
import { type Step, toOperation } from './harness.ts'
import { bucket } from './models/bucket.ts'
import { concurrency } from './models/concurrency.ts'
import { fixedWindow } from './models/fixed-window.ts'
import { slidingWindowCounter } from './models/sliding-window-counter.ts'
import { slidingWindowLog } from './models/sliding-window-log.ts'

const models: { readonly [A in Algorithm]?: Model } = {
  'sliding-window-log': slidingWindowLog,
  concurrency,
  'leaky-bucket': bucket,
  'token-bucket': bucket,
  'fixed-window': fixedWindow,
  'sliding-window-counter': slidingWindowCounter,
}

interface Key {
  past: readonly Past[]
  untils: number[]
}

/** Plays operations on the models, and returns the answers to each. */
export function playModel(steps: readonly Step[]): readonly (readonly RuleAnswer[])[] {
  const keys = new Map<string, Key>()
  const keyOf = ({ key }: Charge): Key => {
    const known = keys.get(key) ?? { past: [], untils: [] }
    keys.set(key, known)
    return known
  }
  return steps.map((step) => perform(toOperation(step), step.at, keyOf))
}

function perform(operation: Operation, now: number, keyOf: (charge: Charge) => Key): readonly RuleAnswer[] {
  const { type, charges } = operation
  if (type === 'refund') {
    for (const [i, charge] of charges.entries()) {
      const key = keyOf(charge)
      key.past = (findModel(charge).refund ?? takeOff)(charge, key.past, now, operation.at[i] ?? Number.NaN)
    }
    return []
  }
  if (type === 'reset') {
    for (const charge of charges) Object.assign(keyOf(charge), { past: [], untils: [] })
    return []
  }
  const asked = charges.map((charge) => ({ charge, key: keyOf(charge), answers: ask(charge, keyOf(charge), now) }))
  if (type === 'peek') return asked.flatMap(({ answers }) => answers)
  const passes = passing(asked)
  return asked.flatMap(({ charge, key, answers }) => {
    const isTaken = type === 'force' || (passes.enforce && passes[charge.facts.mode])
    return isTaken ? take(charge, key, now, answers) : block(charge, key, now, answers)
  })
}

function ask(charge: Charge, { past, untils }: Key, now: number): RuleAnswer[] {
  return findModel(charge)
    .ask(charge, past, now, charge.cost)
    .map((answer, i) => blocked(answer, blockLeft(charge, untils, i, now)))
}

/** Nothing is left until a block ends. */
function blocked(answer: RuleAnswer, leftMs: number): RuleAnswer {
  if (leftMs <= 0) return answer
  const [resetMs, waitMs] = [Math.max(answer.resetMs, leftMs), Math.max(answer.waitMs, leftMs)]
  return { ...answer, remaining: 0, resetMs, waitMs }
}

function blockLeft(charge: Charge, untils: readonly number[], i: number, now: number): number {
  return canBlock(charge) && charge.rules[i]?.blockMs ? (untils[i] ?? 0) - now : 0
}

function take(charge: Charge, key: Key, now: number, before: readonly RuleAnswer[]): RuleAnswer[] {
  const model = findModel(charge)
  const at = model.countedFrom(charge, key.past, now)
  key.past = [...(model.kept?.(charge, key.past, at) ?? key.past), { at, cost: charge.cost, charge }]
  const after = model.ask(charge, key.past, now, 0)
  return after.map((answer, i) => ({ ...answer, waitMs: 0, delayMs: before[i]?.delayMs ?? 0 }))
}

function block(charge: Charge, key: Key, now: number, answers: readonly RuleAnswer[]): RuleAnswer[] {
  if (!canBlock(charge)) return [...answers]
  for (const [i, { blockMs }] of charge.rules.entries()) {
    const until = key.untils[i] ?? 0
    key.untils[i] = blockMs > 0 && (answers[i]?.waitMs ?? 0) > 0 && until <= now ? now + blockMs : until
  }
  return answers.map((answer, i) => blocked(answer, blockLeft(charge, key.untils, i, now)))
}

function takeOff({ cost }: Charge, past: readonly Past[], _now: number, at: number): readonly Past[] {
  let left = cost
  return past
    .map((entry) => {
      const returned = entry.at === at ? Math.min(entry.cost, left) : 0
      left -= returned
      return { ...entry, cost: entry.cost - returned }
    })
    .filter((entry) => entry.cost > 0)
}

function findModel({ algorithm }: Charge): Model {
  const model = models[algorithm]
  if (!model) throw new Error(`no model of ${algorithm}`)
  return model
}
