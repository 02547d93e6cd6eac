import { callerOf, type Viewer } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import type { Decision } from '#server/limits/decision.ts'
import { Failures } from '#server/limits/failures.ts'
import { viewerOfHolder } from '../bytes/image-reader.ts'
import { zipLinksRoute } from '../limits.ts'

/** What a link to a zip is for. */
export interface OpenedOrder {
  /** Whose link it is. */
  readonly holder: Viewer
  /** The images, in order. */
  readonly ids: readonly string[]
}

/** What the link in an address is for, or why nothing is sent for it: its client's address has sent too many that lead
 *  nowhere, so that this one was not opened, or is one more; null where it leads nowhere itself. A right one takes nothing. */
export async function openOrder(
  app: App,
  url: string,
  address: string,
): Promise<OpenedOrder | { readonly refusal: Decision | null }> {
  const wrong = new Failures(app.limiter, zipLinksRoute, callerOf(null, address))
  const refusal = await wrong.refusal()
  if (refusal) return { refusal }
  const [, query] = url.split('?', 2)
  const order = app.images.zipLinks.open(new URLSearchParams(query).get('link') ?? '')
  const holder = order && (await viewerOfHolder(app, order.holder))
  return holder ? { holder, ids: order.ids } : { refusal: await wrong.count() }
}
