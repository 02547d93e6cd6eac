import type { EventSourceFetchInit, FetchLikeResponse } from 'eventsource'

/** Statuses of a proxy whose server is away for a moment: what ends a connection, not a subscription. */
const AWAY = [502, 503, 504]

/** How an EventSource fetches a subscription's stream. Why a refused one did not begin is an event in its body, which an
 *  EventSource reads of a 200 alone. Rejects while the server is away, so that it is asked again. */
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
