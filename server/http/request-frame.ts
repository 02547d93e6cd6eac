import type { Address } from '#server/counted-address.ts'

/** What the server found out about a request before any surface sees it. */
export interface RequestFrame {
  /** Normalised by client-address.ts. */
  readonly address: string
  /** The same in full, where it is known. */
  readonly exactAddress: Address | null
  readonly requestId: string
  /** True when a browser says that another site's page sent the request. */
  readonly foreignOrigin: boolean
}
