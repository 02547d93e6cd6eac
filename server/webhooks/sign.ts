import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'

/** The secret of the webhook, as libraries of Standard Webhooks take it: it follows from the site's, and tells nothing of it. */
export function webhookSecret(secret: string): string {
  return PREFIX + createHmac('sha256', secret).update('sluice webhook').digest('base64')
}

export interface Message {
  /** The same in every attempt, so that a receiver knows what it has had. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly sentAt: number
  readonly body: string
}

/** The headers by which a receiver knows who sent a message, and when: Standard Webhooks 1.0, its symmetric scheme. */
export function signatureHeaders(secret: string, { id, sentAt, body }: Message): Readonly<Record<string, string>> {
  const seconds = Math.floor(sentAt / 1_000)
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': `${seconds}`, 'webhook-signature': `v1,${signature}` }
}
