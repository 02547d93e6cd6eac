import type { Random } from './random.ts'

/** A task that runs in steps, and awaits `gate` before each. */
export interface SteppedTask {
  readonly name: string
  run(gate: StepGate): Promise<unknown>
}

/** Waits for its turn; with `wait`, for the first turn after another actor's. */
export type StepGate = (step: string, wait?: 'for-others') => Promise<void>

export interface Interleaving {
  /** `<actor>: <step>`, in the order of execution. */
  readonly steps: readonly string[]
}

export interface Order {
  /** Creates new actors for each order. */
  scene(): Promise<readonly SteppedTask[]>
  /** Checks the state after a step. */
  after?(): Promise<void>
  finish(interleaving: Interleaving): Promise<void>
}

/** Runs actors in this many random orders of their steps, one step at a time. Errors name the order. */
export async function inSomeOrders(order: Order, count: number, random: Random): Promise<void> {
  for (let orders = 1; orders <= count; orders += 1) {
    await runNamed(order, orders, random.below, () => true)
  }
}

/**
 * Runs actors in every order of their steps, one step at a time, and checks the state after each sequence of steps once.
 * Returns the number of orders. Errors name the order.
 */
export async function inEveryOrder(order: Order): Promise<number> {
  let prefix: readonly number[] = []
  for (let orders = 1; ; orders += 1) {
    const choices: { at: number; of: number }[] = []
    const choose = (of: number): number => {
      const at = prefix[choices.length] ?? 0
      choices.push({ at, of })
      return at
    }
    // The steps before the last choice are the same as in the previous order, which has checked them.
    const begun = prefix.length
    await runNamed(order, orders, choose, (steps) => steps >= begun)
    while (choices.length > 0 && choices.at(-1)?.at === (choices.at(-1)?.of ?? 0) - 1) choices.pop()
    const last = choices.pop()
    if (!last) return orders
    prefix = [...choices.map(({ at }) => at), last.at + 1]
  }
}

async function runNamed(
  order: Order,
  number: number,
  choose: (of: number) => number,
  looksAfter: (steps: number) => boolean,
): Promise<void> {
  const steps: string[] = []
  try {
    await runOnce(await order.scene(), choose, async (step) => {
      steps.push(step)
      if (looksAfter(steps.length)) await order.after?.()
    })
    await order.finish({ steps })
  } catch (cause) {
    throw new Error(`Order ${number}:\n${steps.join('\n')}`, { cause })
  }
}

async function runOnce(
  actors: readonly SteppedTask[],
  choose: (of: number) => number,
  after: (step: string) => Promise<void>,
): Promise<void> {
  const running = actors.map((actor) => new RunningActor(actor))
  await Promise.all(running.map((actor) => actor.parked))
  for (;;) {
    const ready = running.filter((actor) => actor.isReady)
    const next = ready.length > 0 ? ready[choose(ready.length)] : undefined
    if (!next) break
    const step = next.step
    await next.go()
    // Two actors that wait do not resume each other: checking again does not count as a step.
    if (!next.isWaiting && !step.endsWith(': wait')) for (const other of running) other.isReady ||= other.isWaiting
    await after(step)
  }
  const stuck = running.filter((actor) => !actor.isDone)
  if (stuck.length > 0) throw new Error(`${stuck.map((actor) => actor.step).join(', ')} would wait forever`)
  await Promise.all(running.map((actor) => actor.ended))
}

class RunningActor {
  isReady = false
  isDone = false
  isWaiting = false
  step = ''
  /** Waits until it has reached its next step or ended. */
  parked: Promise<void>
  readonly ended: Promise<unknown>
  #park: () => void = () => undefined
  #release: () => void = () => undefined

  constructor(actor: SteppedTask) {
    this.parked = this.#nextPark()
    const gate: StepGate = (step, wait) => {
      this.step = `${actor.name}: ${step}`
      this.isWaiting = wait === 'for-others'
      this.isReady = !this.isWaiting
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#release = resolve
      this.#park()
      return promise
    }
    const end = () => {
      this.isDone = true
      this.isWaiting = false
      this.isReady = false
      this.#park()
    }
    this.ended = actor.run(gate).finally(end)
    // Rethrown by `ended`, once the others have run to their ends.
    this.ended.catch(() => undefined)
  }

  /** Runs its step. Resolves when it has reached the next one. */
  go(): Promise<void> {
    this.parked = this.#nextPark()
    this.#release()
    return this.parked
  }

  #nextPark(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#park = resolve
    return promise
  }
}
