import { z } from 'zod'

export const webhookEvents = [
  'album.changed',
  'backup.late',
  'budget.near',
  'budget.spent',
  'image.stored',
  'report.created',
  'share.near',
  'share.spent',
  'user.invited',
] as const
export type WebhookEventType = (typeof webhookEvents)[number]

/** The body of an event, written in the transaction in which it happens. Must contain no secret: job lists show it and
 *  receivers store it. */
export const webhookEvent = z.strictObject({
  type: z.enum([...webhookEvents, 'test']),
  /** ISO 8601: when it happened. */
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.json()),
})

export type WebhookEvent = z.infer<typeof webhookEvent>
