import type { ImageRow } from '#server/images/image-row.ts'
import { imageUrl } from '#server/images/image-url.ts'
import type { Services } from '#server/services.ts'
import type { WebhookEvent } from '#server/webhooks/events.ts'
import type { ReportReason } from './reasons.ts'

interface Facts {
  readonly reportId: string
  readonly reason: ReportReason
  readonly now: Date
}

/** Returns the event of an image that is reported for the first time, or again after a decision. It has neither the address of a
 *  private image nor what the reporter wrote. */
export function reportEvent(
  { config: { origin } }: Pick<Services, 'config'>,
  image: ImageRow,
  { reportId, reason, now }: Facts,
): WebhookEvent {
  const { id, username } = image.owner
  const data = {
    ...{ id: reportId, reason, image: image.id, owner: { id, username }, visibility: image.visibility },
    url: image.visibility === 'private' ? null : imageUrl(origin, image),
    queue: `${origin}/admin/reports`,
  }
  return { type: 'report.created', timestamp: now.toISOString(), data }
}
