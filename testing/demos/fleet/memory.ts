import { readFile } from 'node:fs/promises'

const EVERY_MS = 2_000
/** A process grows while it warms up, and by what its caches hold. */
const WARM_MS = 60_000
/** More than this is a leak. */
const GROWTH = 1.25

/** What a process has held, in bytes. */
export interface MemoryUse {
  readonly minutes: number
  /** At the median of its first minutes after it was warm, and of its last. */
  readonly early: number
  readonly late: number
  readonly isFlat: boolean
}

/** Watches the resident memory of a process until it is asked for. Null if it ended, or was not watched for long enough. */
export function watchMemory(pidOf: () => number): () => MemoryUse | null {
  let samples: { readonly at: number; readonly bytes: number }[] = []
  let watched = pidOf()
  const timer = setInterval(async () => {
    const pid = pidOf()
    if (pid !== watched) samples = []
    watched = pid
    const bytes = await readResident(pid)
    if (bytes !== null) samples.push({ at: performance.now(), bytes })
  }, EVERY_MS)
  return () => {
    clearInterval(timer)
    const begun = samples[0]?.at ?? 0
    const warm = samples.filter(({ at }) => at - begun > WARM_MS).map(({ bytes }) => bytes)
    const third = Math.floor(warm.length / 3)
    if (third < 5) return null
    const [early, late] = [median(warm.slice(0, third)), median(warm.slice(-third))]
    const minutes = ((samples.at(-1)?.at ?? 0) - begun) / 60_000
    return { minutes, early, late, isFlat: late <= early * GROWTH }
  }
}

async function readResident(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1_024
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
