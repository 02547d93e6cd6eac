import { setTimeout } from 'node:timers/promises'

const DAY_MS = 24 * 60 * 60_000

/** Waits for the next day (UTC) if this one ends within `ms`, so that counts per day fall into a single day. */
export async function awayFromMidnight(ms: number): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS)
  if (left <= ms) await setTimeout(left + 50)
}
