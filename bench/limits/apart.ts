import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Contender } from './contender.ts'
import type { Entry } from './entry.ts'

/** A contender in a separate process, as in real use: it shares neither code nor heap with another one. All calls of a turn are
 *  one message. */
export interface Apart extends Contender, AsyncDisposable {
  /** CPU time of its turns, of all threads of the process. */
  readonly cpuMicros: number
}

/** Starts each of a table's entries. apart-child.ts finds the table by its name. They end with the stack. */
export async function startApart(
  stack: AsyncDisposableStack,
  table: string,
  entries: readonly Entry[],
  redisUrl = '',
): Promise<readonly Apart[]> {
  const apart: Apart[] = []
  for (const entry of entries) apart.push(stack.use(await start(table, entry, redisUrl)))
  return apart
}

/** Their total CPU time in microseconds. */
export function processorTime(all: readonly Apart[]): number {
  return all.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0)
}

async function start(table: string, { name, target }: Entry, redisUrl: string): Promise<Apart> {
  const child = fork(join(import.meta.dirname, 'apart-child.ts'), [table, name, redisUrl])
  const ended = once(child, 'exit')
  const answer = async (): Promise<number> => {
    const [micros] = await Promise.race([once(child, 'message'), ended])
    if (typeof micros !== 'number' || !child.connected) throw new Error(`${name} has ended`)
    return micros
  }
  let cpuMicros = await answer()
  return {
    name,
    target,
    get cpuMicros() {
      return cpuMicros
    },
    decide: async () => {
      throw new Error(`${name} proves itself in its own process`)
    },
    work: async (turn) => {
      const told = answer()
      child.send(turn.left)
      turn.left = 0
      cpuMicros += await told
    },
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
