import type { IncomingMessage } from 'node:http'
import type { App } from '#server/app.ts'
import type { RequestFrame } from '#server/http/request-frame.ts'
import type { Asked } from './facts.ts'

/** A request that uploads files. */
export interface FileRequest {
  readonly app: App
  readonly req: IncomingMessage
  readonly frame: RequestFrame
  readonly asked: Asked
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal
}
