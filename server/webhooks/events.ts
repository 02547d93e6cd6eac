import { z } from 'zod'

/** What somebody outside can be told of. */
export const webhookEvents = ['budget.near', 'budget.spent', 'image.stored', 'user.invited'] as const
export type WebhookEventType = (typeof webhookEvents)[number]

/** What is sent. No secret is ever in it, for it is shown to whoever reads the jobs and kept by whoever is told. */
export const webhookEvent = z.strictObject({
  type: z.enum([...webhookEvents, 'test']),
  /** ISO 8601: when it happened. */
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.json()),
})

export type WebhookEvent = z.infer<typeof webhookEvent>
