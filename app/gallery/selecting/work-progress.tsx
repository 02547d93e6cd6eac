'use client'

import { useSyncExternalStore } from 'react'
import { Gate } from '#app/limits/gate.tsx'
import { useCountdown } from '#app/limits/use-countdown.ts'
import { waitProgress } from '#app/limits/wait.ts'
import { formatCount } from '#format/counts.ts'
import { formatWait } from '#format/durations.ts'
import type { LongWork } from './long-work.ts'

const bar =
  'my-1.5 block h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset [&::-moz-progress-bar]:bg-water [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-water'

/** How far long work has come, and the limit that holds it: below a toast's title. Screen readers are told when they ask. */
export function WorkProgress({ work }: { work: LongWork }) {
  const { done, heldBy } = useSyncExternalStore(work.subscribe, work.state, work.state)
  const seconds = useCountdown(heldBy?.until ?? null)
  return (
    <>
      <progress aria-label="Done so far" value={done} max={work.total} className={bar} />
      <span aria-hidden="true" className="figures block text-ink-soft">
        {formatCount(done)} of {formatCount(work.total)}
      </span>
      {heldBy && (
        <span aria-hidden="true" className="figures mt-1 flex items-center gap-2 text-gate">
          <Gate
            progress={waitProgress(heldBy.until, heldBy.waitMs, heldBy.until - seconds * 1000)}
            className="size-4 shrink-0"
          />
          {heldBy.ruleSet}: {heldBy.rule}, goes on in {formatWait(1000 * seconds)}
        </span>
      )}
    </>
  )
}
