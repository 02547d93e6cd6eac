import type { EventSourceFetchInit, FetchLikeResponse } from 'eventsource'

/**
 * Statuses that a proxy returns while its server is briefly unavailable. They end the connection, not the subscription.
 */
const AWAY = [502, 503, 504]

/**
 * Fetches a subscription's stream for an EventSource. The body of a refused stream holds the reason as an event, which
 * an EventSource reads only from a 200. Rejects while the server is unavailable, so that the EventSource reconnects.
 */
export async function fetchStream(url: string | URL, init: EventSourceFetchInit): Promise<FetchLikeResponse> {
  const response = await fetch(url, { ...init, credentials: 'same-origin' })
  const { status, headers, body } = response
  if (headers.get('content-type')?.startsWith('text/event-stream')) {
    return { status: 200, url: response.url, redirected: response.redirected, headers, body }
  }
  if (AWAY.includes(status)) {
    await body?.cancel()
    throw new Error(`The server is away: ${status}`)
  }
  return response
}
