import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'

/** Derives the webhook's secret from the site's, without revealing that one, in the format of Standard Webhooks
 *  libraries. */
export function webhookSecret(secret: string): string {
  return PREFIX + createHmac('sha256', secret).update('sluice webhook').digest('base64')
}

export interface Message {
  /** The same in every attempt, so that a receiver can detect duplicates. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly sentAt: number
  readonly body: string
}

/** Returns the headers that authenticate and date a message: Standard Webhooks 1.0, symmetric scheme. */
export function signatureHeaders(secret: string, { id, sentAt, body }: Message): Readonly<Record<string, string>> {
  const seconds = Math.floor(sentAt / 1_000)
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': `${seconds}`, 'webhook-signature': `v1,${signature}` }
}
