'use client'

import { useSyncExternalStore } from 'react'
import { useFormat } from './use-format.ts'

const subscribe = () => () => {}

/** A date in the reader's time zone. The server does not know the zone and renders UTC. */
export function LocalDate({ iso, time = false }: { iso: string; time?: boolean }) {
  const format = useFormat()
  const text = useSyncExternalStore(
    subscribe,
    () => format.date(iso, { time }),
    () => format.date(iso, { time, timeZone: 'UTC' }),
  )
  return (
    <time dateTime={iso} className="whitespace-nowrap">
      {text}
    </time>
  )
}

/** The time left until a date. The server's clock differs, so it renders nothing. */
export function Remaining({ iso }: { iso: string }) {
  const format = useFormat()
  return useSyncExternalStore(
    subscribe,
    () => format.until(iso, Date.now()),
    () => null,
  )
}
