import type { Random } from './random.ts'

/** Something that runs in steps: it passes `gate` before each. */
export interface Actor {
  readonly name: string
  run(gate: StepGate): Promise<unknown>
}

/** Waits for its turn; with `wait`, for the first turn after somebody else's. */
export type StepGate = (step: string, wait?: 'for-others') => Promise<void>

export interface Interleaving {
  /** `<actor>: <step>`, in the order in which they ran. */
  readonly steps: readonly string[]
}

export interface Order {
  /** Makes the actors anew for each order. */
  scene(): Promise<readonly Actor[]>
  /** Looks at what has become after a step. */
  after?(): Promise<void>
  finish(interleaving: Interleaving): Promise<void>
}

/** Runs actors in so many orders of their steps, drawn at random, one step at a time. What fails names the order. */
export async function inSomeOrders(order: Order, count: number, random: Random): Promise<void> {
  for (let orders = 1; orders <= count; orders += 1) {
    await runNamed(order, orders, random.below, () => true)
  }
}

/**
 * Runs actors in every order of their steps, one step at a time, and looks at what has become after each step that no order
 * has begun with before. Answers how many orders there are. What fails names the order.
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
    // The steps before its last choice are those of the order before this one, which has looked.
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
  actors: readonly Actor[],
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
    // Two that wait do not keep each other going: looking again is no step that anybody waits for.
    if (!next.isWaiting && !step.endsWith(': wait')) for (const other of running) other.isReady ||= other.isWaiting
    await after(step)
  }
  const stuck = running.filter((actor) => !actor.isDone)
  if (stuck.length > 0) throw new Error(`${stuck.map((actor) => actor.step).join(', ')} would wait for ever`)
  await Promise.all(running.map((actor) => actor.ended))
}

class RunningActor {
  isReady = false
  isDone = false
  isWaiting = false
  step = ''
  /** Until it stands before its next step, or has ended. */
  parked: Promise<void>
  readonly ended: Promise<unknown>
  #park: () => void = () => undefined
  #release: () => void = () => undefined

  constructor(actor: Actor) {
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
    // Thrown by whoever awaits `ended`, once the others have run to their ends.
    this.ended.catch(() => undefined)
  }

  /** Lets it take its step; resolves when it stands before the next. */
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
