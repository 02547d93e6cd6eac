import { setTimeout } from 'node:timers/promises'

const DAY_MS = 24 * 60 * 60_000

/** Waits for the next day (UTC) where this one ends within `ms`: what is counted by days is then counted in one. */
export async function awayFromMidnight(ms: number): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS)
  if (left <= ms) await setTimeout(left + 50)
}
