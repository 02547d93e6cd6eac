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

/** Until what its start needed is written and collected. */
const IDLE_MS = 10_000

/** Milliseconds after which it is told how much has passed, be it less: a busy machine would take for ever. */
const LONGEST_MS = 120_000

/** What memory a server has while so many bytes pass through it, which nobody has asked for anything but each image once:
 *  what a load has made of its heap stays. */
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
