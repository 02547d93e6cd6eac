import { availableParallelism, totalmem } from 'node:os'
import { z } from 'zod'

/** How many processes serve a site from one start, and why these are fewer than the setting says. */
export interface ProcessCount {
  readonly count: number
  readonly why: string | null
}

export interface Machine {
  readonly cores: number
  /** Bytes. */
  readonly memory: number
}

/** Memory of a process with its decoders, for `auto`. */
const EACH_BYTES = 1024 ** 3

const MAX = 256

/** The setting: a number of processes, or `auto`. */
export const processCount = z.string().transform((text, ctx) => {
  if (text === 'auto') return text
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= MAX) return count
  ctx.addIssue(`must be a whole number from 1 to ${MAX}, or auto`)
  return z.NEVER
})

interface Stores {
  readonly databaseUrl: string | null
  readonly redisUrl: string | null
}

/** Decides how many processes serve the site. `auto` is one for each core that has 1 GiB of memory. */
export function countProcesses(
  setting: z.output<typeof processCount>,
  { databaseUrl, redisUrl }: Stores,
  machine: Machine = thisMachine(),
): ProcessCount {
  if (setting === 1) return { count: 1, why: null }
  if (databaseUrl === null)
    return stayAtOne('the embedded database belongs to one process: set DATABASE_URL and REDIS_URL for more')
  if (redisUrl === null) return stayAtOne('without REDIS_URL every process would count each limit for itself')
  const { cores, memory } = machine
  return {
    count: setting === 'auto' ? Math.max(1, Math.min(cores, Math.floor(memory / EACH_BYTES))) : setting,
    why: null,
  }
}

const stayAtOne = (why: string): ProcessCount => ({
  count: 1,
  why: `one process runs, whatever SLUICE_PROCESSES says, because ${why}`,
})

/** As far as this process may use it: containers have less. */
function thisMachine(): Machine {
  // 0 if there is no constraint, or none is known.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return { cores: availableParallelism(), memory }
}
