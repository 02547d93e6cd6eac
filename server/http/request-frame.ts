import type { Address } from '#server/counted-address.ts'

/** What the server has established about a request before it reaches a route. */
export interface RequestFrame {
  /** The client's address as limits count it (client-address.ts). */
  readonly address: string
  /** The full address; null if it is not certain. */
  readonly exactAddress: Address | null
  readonly requestId: string
  /** By the browser's headers, another site's page has sent the request. */
  readonly foreignOrigin: boolean
}
