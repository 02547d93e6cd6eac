import { toCaller, type Viewer } from '#server/accounts/viewer.ts'
import type { Decision } from '#server/limits/decision.ts'
import { Failures } from '#server/limits/failures.ts'
import type { Services } from '#server/services.ts'
import { viewerOfHolder } from '../bytes/image-reader.ts'
import { zipLinksRoute } from '../limits.ts'

/** The contents of a link to a zip. */
export interface OpenedOrder {
  /** On whose behalf the zip is made; null for a guest. */
  readonly holder: Viewer | null
  /** The images, in order. */
  readonly ids: readonly string[]
  /** The number of the part of an export; null for any other zip. */
  readonly exportPart: number | null
}

/**
 * Opens the link in a URL. For an invalid link returns what that was charged to the client's address, which is refused once
 * it has sent too many of them. A valid link charges nothing, and is never refused: nobody can guess one.
 */
export async function openOrder(
  app: Services,
  url: string,
  address: string,
): Promise<OpenedOrder | { readonly charged: Decision }> {
  const [, query] = url.split('?', 2)
  const order = app.images.zipLinks.open(new URLSearchParams(query).get('link') ?? '')
  const holder = order?.holder ? await viewerOfHolder(app, order.holder) : null
  const isValid = order !== null && (order.holder === null || holder !== null)
  if (isValid) return { holder, ids: order.ids, exportPart: order.exportPart ?? null }
  return { charged: await new Failures(app.limiter, zipLinksRoute, toCaller(null, address)).count() }
}
