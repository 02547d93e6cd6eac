import type { IncomingMessage } from 'node:http'
import type { RequestFrame } from '#server/http/request-frame.ts'
import type { Services } from '#server/services.ts'
import type { UrlFacts } from './facts.ts'

/** A request that uploads files. */
export interface FileRequest {
  readonly app: Services
  readonly req: IncomingMessage
  readonly frame: RequestFrame
  readonly asked: UrlFacts
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal
  /** The files are a guest's: tokens are ignored. */
  readonly isGuest?: boolean
}
