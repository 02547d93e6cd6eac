import { setTimeout } from 'node:timers/promises'
import type { Contenders } from './contenders.ts'
import { load } from './load.ts'
import { residentBytes } from './pinned.ts'

export interface MemoryFigures {
  readonly idleBytes: number
  readonly mostBytes: number
  readonly movedBytes: number
}

const EACH_MS = 250

/** Time until memory used at the start is written and collected. */
const IDLE_MS = 10_000

/** Milliseconds after which the measurement ends even if fewer bytes were sent, because a busy machine would take too long. */
const LONGEST_MS = 120_000

/** Measures a server's memory while it sends this many bytes. Before that, each image has been requested only once, because the
 *  heap stays as a load has left it. */
export async function measureMemory(
  { renderings }: Contenders,
  folder: string,
  { seconds, gigabytes }: { readonly seconds: number; readonly gigabytes: number },
): Promise<MemoryFigures> {
  const { port, pid, addresses } = renderings
  const asked = renderings.asked.map(({ path }) => ({ path, etag: null }))
  await setTimeout(IDLE_MS)
  const idleBytes = await residentBytes(pid)
  let mostBytes = idleBytes
  const sampler = setInterval(() => {
    residentBytes(pid).then(
      (bytes) => {
        mostBytes = Math.max(mostBytes, bytes)
      },
      () => undefined,
    )
  }, EACH_MS)
  let movedBytes = 0
  const endsAt = performance.now() + LONGEST_MS
  while (movedBytes < gigabytes * 1e9 && performance.now() < endsAt) {
    movedBytes += (await load({ port, asked, seconds, addresses, status: 200, folder })).bytes
  }
  clearInterval(sampler)
  return { idleBytes, mostBytes, movedBytes }
}
