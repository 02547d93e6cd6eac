import { httpSubscriptionLink, type TRPCLink } from '@trpc/client'
import { EventSource } from 'eventsource'
import type { AppRouter } from '#server/trpc/router.ts'
import { fetchStream } from './event-source.ts'

export function createStreams(url: string): TRPCLink<AppRouter> {
  return httpSubscriptionLink({ url, EventSource, eventSourceOptions: { fetch: fetchStream } })
}
