import type { Config } from '#server/config.ts'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { defineJob, type JobReport, type Work } from '#server/jobs/job.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import type { Site } from '#server/site/site.ts'
import { type WebhookEvent, type WebhookEventType, webhookEvent } from './events.ts'
import { post, type Resolve } from './post.ts'
import { signatureHeaders, webhookSecret } from './sign.ts'

/** Retried for about a day: first within half a minute, then with growing delays of up to four hours. */
const delivery = defineJob({
  name: 'webhook',
  data: webhookEvent,
  atOnce: 2,
  retries: { limit: 14, delaySeconds: 30, delayMaxSeconds: 4 * 60 * 60 },
  expireSeconds: 60,
})

/** Events of stored images and changed albums. They are frequent, so they have a queue of their own that delays no other event, are
 *  retried for an hour at most, and dropped after waiting for six. A receiver that is down thus costs the database a
 *  row for each image of the last hours only. */
const imageDelivery = defineJob({
  name: 'webhook-image',
  data: webhookEvent,
  atOnce: 4,
  retries: { limit: 6, delaySeconds: 30, delayMaxSeconds: 15 * 60 },
  expireSeconds: 60,
  keepSeconds: 24 * 60 * 60,
  waitSeconds: 6 * 60 * 60,
})

const frequent: ReadonlySet<WebhookEvent['type']> = new Set(['album.changed', 'image.stored'])

const DEADLINE_MS = 10_000

/** Sends events to the URL of the site's settings. */
export interface Webhook {
  /** Null without a webhook. */
  readonly target: {
    readonly url: string
    readonly secret: string
    readonly events: readonly WebhookEventType[]
  } | null
  /** Whether the receiver subscribes to such events. */
  isSubscribed(type: WebhookEvent['type']): boolean
  /** Queues an event, in the transaction in which it happens if there is one. Does nothing if the receiver does not
   *  subscribe to it. */
  send(tx: Transaction | null, event: WebhookEvent): Promise<void>
}

interface WebhookDependencies {
  readonly jobs: JobQueue
  readonly config: Pick<Config, 'secret' | 'webhookMayBePrivate'>
  readonly site: Pick<Site, 'read'>
  /** For tests. */
  readonly deadlineMs?: number
  readonly resolve?: Resolve
}

/** Starts delivering events in this process. */
export async function openWebhook({
  jobs,
  config,
  site,
  deadlineMs = DEADLINE_MS,
  resolve,
}: WebhookDependencies): Promise<Webhook> {
  const secret = webhookSecret(config.secret)
  const deliver: Work<WebhookEvent> = async (event, { id, signal }): Promise<JobReport> => {
    const { webhook } = site.read()
    // The setting has been removed since the event was sent.
    if (!webhook) return { dropped: 1 }
    const deadline = AbortSignal.timeout(deadlineMs)
    const body = JSON.stringify(event)
    const status = await post({
      url: new URL(webhook.url),
      headers: signatureHeaders(secret, { id, sentAt: Date.now(), body }),
      body,
      signal: AbortSignal.any([signal, deadline]),
      mayBePrivate: config.webhookMayBePrivate,
      ...(resolve && { resolve }),
    }).catch((error: unknown) => {
      throw deadline.aborted ? refuse('webhook-silent', { wait: { waitMs: deadlineMs } }) : error
    })
    if (status < 200 || status > 299) throw refuse('webhook-answered', { status: String(status) })
    return { status }
  }
  await jobs.work(delivery, deliver)
  await jobs.work(imageDelivery, deliver)
  const isSubscribed: Webhook['isSubscribed'] = (type) => {
    const { webhook } = site.read()
    return webhook !== null && (type === 'test' || webhook.events.includes(type))
  }
  return {
    get target() {
      const { webhook } = site.read()
      return webhook && { ...webhook, secret }
    },
    isSubscribed,
    send: async (tx, event) => {
      const job = frequent.has(event.type) ? imageDelivery : delivery
      if (isSubscribed(event.type)) await jobs.send(tx, job, [{ data: event }])
    },
  }
}
