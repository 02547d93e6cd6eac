import { setTimeout as wait } from 'node:timers/promises'
import { type Random, seededRandom } from '../../random.ts'
import { type Fault, faults, rolledRestart } from './faults.ts'
import type { FleetSite } from './site.ts'
import { Spans } from './spans.ts'

/** What the schedule has done so far. */
export interface Schedule {
  /** Times of each fault, by its name. */
  readonly counts: ReadonlyMap<string, number>
  /** How often a limit may have admitted as much again since this instant of `performance.now()`: Redis has forgotten, or a process
   *  started and knew of no other (docs/limits.md). */
  grantsSince(instant: number): number
  /** Whether nginx may have asked two processes for the same since then. */
  repeatsSince(instant: number): boolean
}

/** Milliseconds. */
const HELD = { least: 2_000, spread: 4_000 }
const APART = { least: 2_000, spread: 2_000 }

/** Lets one fault after the other happen, all of them in a drawn order and then again, until it is aborted. The same seed draws the
 *  same faults. */
export function runSchedule(site: FleetSite, random: Random, until: AbortSignal): Schedule & { ended: Promise<void> } {
  const begun = performance.now()
  const counts = new Map<string, number>([rolledRestart, ...faults].map(({ name }) => [name, 0]))
  const [forgotten, repeated] = [new Spans(), new Spans()]
  const possible = faults.filter(({ isPossible }) => isPossible?.(site) ?? true)
  const pause = ({ least, spread }: typeof HELD) =>
    wait(least + random.below(spread), undefined, { signal: until }).catch(() => undefined)
  const happen = async (fault: Fault) => {
    console.error(`${Math.round((performance.now() - begun) / 1_000)} s: ${fault.name}`)
    counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1)
    // Its own, because some draw for each request, however many there are.
    const own = seededRandom(random.below(2 ** 31))
    const begin = () => fault.begin(site, own)
    const last = async () => {
      const end = await (fault.forgets ? forgotten.during(begin) : begin())
      await pause(HELD)
      await end()
    }
    await (fault.repeats ? repeated.during(last) : last())
  }
  const run = async () => {
    await pause(APART)
    await happen(rolledRestart)
    while (!until.aborted) {
      for (const fault of shuffled(possible, random)) {
        await pause(APART)
        if (until.aborted) return
        await happen(fault)
      }
    }
  }
  return {
    counts,
    grantsSince: (instant) =>
      site.members.reduce((sum, { starts }) => sum + starts.since(instant), forgotten.since(instant)),
    repeatsSince: (instant) => repeated.since(instant) > 0,
    ended: run(),
  }
}

/** Fisher and Yates' shuffle. */
function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const drawn = [...items]
  for (let last = drawn.length - 1; last > 0; last -= 1) {
    const at = random.below(last + 1)
    ;[drawn[last], drawn[at]] = [drawn[at] as T, drawn[last] as T]
  }
  return drawn
}
