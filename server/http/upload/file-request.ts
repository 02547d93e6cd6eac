import type { IncomingMessage } from 'node:http'
import type { RequestFrame } from '#server/http/request-frame.ts'
import type { Services } from '#server/services.ts'
import type { Asked } from './facts.ts'

/** A request that uploads files. */
export interface FileRequest {
  readonly app: Services
  readonly req: IncomingMessage
  readonly frame: RequestFrame
  readonly asked: Asked
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal
}
