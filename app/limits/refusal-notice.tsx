'use client'

import { useEffect, useEffectEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { formatWait } from '#format/durations.ts'
import { Gate } from './gate.tsx'
import type { Refusal } from './refusal.ts'
import { useCountdown } from './use-countdown.ts'
import { secondsLeft, waitProgress } from './wait.ts'

interface Props {
  refusal: Refusal
  /** Offered as a button when the wait is over. */
  onRetry?: (() => void) | undefined
  /** Called once when the wait is over, for what goes on by itself. */
  onOver?: (() => void) | undefined
  /** What was held back is tried again without anybody's doing. */
  goesOn?: boolean
  retryLabel?: string
  className?: string
}

/** Names the rule that held a call back and counts down to the next try. Says so aloud once, and once more when the wait is over. */
export function RefusalNotice({
  refusal,
  onRetry,
  onOver,
  goesOn = false,
  retryLabel = 'Try again',
  className = '',
}: Props) {
  const seconds = useCountdown(refusal.until)
  const over = seconds === 0
  const overNow = useEffectEvent(() => onOver?.())
  useEffect(() => {
    if (over) overNow()
  }, [over])
  return (
    <div
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-gate-soft px-3 py-2.5 text-gate ${className}`}
    >
      <Gate
        progress={over ? 1 : waitProgress(refusal.until, refusal.waitMs, refusal.until - seconds * 1000)}
        className="size-6 shrink-0"
      />
      <p className="min-w-0 flex-1 basis-44 text-sm leading-snug">
        <span className="block font-semibold text-ink">
          {over ? 'A limit held this back.' : 'A limit holds this back.'}
        </span>
        <span className="figures block text-ink">
          {refusal.ruleSet}: {refusal.rule}
        </span>
        <span aria-hidden="true" className="figures block">
          {over ? 'open again' : `${goesOn ? 'goes on by itself' : 'again'} in ${formatWait(1000 * seconds)}`}
        </span>
        <span role="status" className="sr-only">
          {over ? spokenAtEnd(goesOn) : spoken(refusal, goesOn)}
        </span>
      </p>
      {onRetry && (
        <Button size="small" isDisabled={!over} onPress={onRetry} className="ml-auto">
          {retryLabel}
        </Button>
      )}
    </div>
  )
}

function spoken({ ruleSet, rule, until, waitMs }: Refusal, goesOn: boolean): string {
  const next = goesOn ? 'It goes on by itself' : 'Try again'
  return `A limit holds this back: ${ruleSet}, ${rule}. ${next} in ${formatWait(1000 * secondsLeft(until, until - waitMs))}.`
}

const spokenAtEnd = (goesOn: boolean): string => (goesOn ? 'It goes on now.' : 'You can try again now.')
