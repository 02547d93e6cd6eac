'use client'

import { useSyncExternalStore } from 'react'
import { formatDate, formatUntil } from '#format/dates.ts'

const subscribe = () => () => {}

/** A date in the reader's own time zone. The server, which does not know it, writes UTC. */
export function Moment({ iso, time = false }: { iso: string; time?: boolean }) {
  const text = useSyncExternalStore(
    subscribe,
    () => formatDate(iso, { time }),
    () => formatDate(iso, { time, timeZone: 'UTC' }),
  )
  return <time dateTime={iso}>{text}</time>
}

/** How long it is until a date. The server, whose clock is another, writes nothing. */
export function Remaining({ iso }: { iso: string }) {
  return useSyncExternalStore(
    subscribe,
    () => formatUntil(iso, Date.now()),
    () => null,
  )
}
