import { setTimeout as wait } from 'node:timers/promises'
import { newSlug } from '#server/images/slug.ts'
import { ask } from '../../http/ask.ts'
import type { Schedule } from './schedule.ts'
import type { FleetSite } from './site.ts'
import { claims, type Tally } from './tally.ts'

/** What `download` allows an address in a minute, and how far one probe goes beyond that. */
const LIMIT = 100
const ASKED = 130
const AT_ONCE = 6
/** Longer ago than this, a process that knows of no other has heard of them. */
const KNOWN_WITHIN_MS = 30_000
/** A probe that took longer may have seen its first permits come back. */
const WINDOW_MS = 55_000
const PAUSE_MS = 8_000

/** Uses up the limit of one address after the other, by all processes, and compares what passed with what may. */
export async function probeLimits(
  site: FleetSite,
  schedule: Schedule,
  tally: Tally,
  until: AbortSignal,
): Promise<void> {
  for (let probe = 1; !until.aborted; probe += 1) {
    await probeOnce(site, schedule, tally, `203.0.113.${probe % 250}`)
    await wait(PAUSE_MS, undefined, { signal: until }).catch(() => undefined)
  }
}

async function probeOnce(site: FleetSite, schedule: Schedule, tally: Tally, address: string): Promise<void> {
  const outages = () => site.members.reduce((sum, member) => sum + member.outages, 0)
  const before = outages()
  const begun = performance.now()
  let [sent, passed, failed] = [0, 0, 0]
  let isDegraded = site.members.some((member) => member.isDegraded)
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (sent < ASKED) {
        sent += 1
        const { outcome } = await ask(site.address, `/i/${newSlug()}.png`, address)
        if (outcome === 'refused') passed += 1
        else if (outcome !== 'limited') failed += 1
        tally.add('read beyond a limit', outcome)
      }
    }),
  )
  if (performance.now() - begun > WINDOW_MS) return
  isDegraded ||= outages() > before
  const { length: processes } = site.members
  if (!isDegraded) {
    // A call that failed was charged or not, and one that nginx passed on when a process died may have been charged by both.
    const uncertain = failed + (schedule.repeatsSince(begun) ? AT_ONCE : 0)
    const isExact = passed <= LIMIT && passed + uncertain >= LIMIT
    tally.check(claims.exact, isExact, `${passed} of ${LIMIT} passed, and ${failed} failed`)
    return
  }
  const grants = schedule.grantsSince(begun - KNOWN_WITHIN_MS)
  const bound = LIMIT + processes * Math.floor(LIMIT / processes) + grants * LIMIT
  tally.check(claims.bounded, passed <= bound, `${passed} passed, bound ${bound}`)
}
