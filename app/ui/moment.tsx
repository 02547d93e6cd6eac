'use client'

import { useSyncExternalStore } from 'react'
import { formatDate, formatUntil } from '#format/dates.ts'

const subscribe = () => () => {}

/** A date in the reader's time zone. The server does not know the zone and renders UTC. */
export function LocalDate({ iso, time = false }: { iso: string; time?: boolean }) {
  const text = useSyncExternalStore(
    subscribe,
    () => formatDate(iso, { time }),
    () => formatDate(iso, { time, timeZone: 'UTC' }),
  )
  return <time dateTime={iso}>{text}</time>
}

/** The time left until a date. The server's clock differs, so it renders nothing. */
export function Remaining({ iso }: { iso: string }) {
  return useSyncExternalStore(
    subscribe,
    () => formatUntil(iso, Date.now()),
    () => null,
  )
}
