import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#server/app.ts'
import { writeJson } from '#server/http/answers.ts'
import { goneSignal } from '#server/http/client-gone.ts'
import type { RequestFrame } from '#server/http/request-frame.ts'
import { answerUpload, formatOf } from './answer.ts'
import { cheveretoShape } from './chevereto-shape.ts'
import type { Asked } from './facts.ts'
import { lskyShape } from './lsky-shape.ts'
import { removeImage } from './remove-image.ts'
import type { Shape } from './shape.ts'
import { sluiceShape } from './sluice-shape.ts'
import { takeRequest } from './take-request.ts'

/** A way in for programs that upload: their own addresses, and answers in their own words. */
interface Road {
  readonly methods: readonly string[]
  answer(app: App, req: IncomingMessage, res: ServerResponse, frame: RequestFrame): Promise<void>
}

/**
 * The road that an address leads to; null for all other addresses. None of them knows sessions: a page of another site could
 * send somebody's cookies along, and no token.
 */
export function uploadRoadOf(url: string): Road | null {
  const [path = '', search = ''] = url.split(/\?(.*)/s, 2)
  const query = new URLSearchParams(search)
  const own = /^\/api\/upload(?:\/([^/]*))?$/.exec(path)
  if (own) return uploadRoad(sluiceShape, ['POST', 'PUT'], { query, pathName: own[1] ?? '' })
  if (/^\/api\/v1\/upload\/?$/.test(path)) return uploadRoad(lskyShape, ['POST'], { query, pathName: '' })
  if (/^\/api\/1\/upload\/?$/.test(path)) return uploadRoad(cheveretoShape, ['POST'], { query, pathName: '' })
  const [, key] = /^\/api\/v1\/images\/([^/]+)$/.exec(path) ?? []
  if (key === undefined) return null
  return { methods: ['DELETE'], answer: (app, req, res, frame) => removeImage(app, req, res, frame, { query, key }) }
}

function uploadRoad(shape: Shape, methods: readonly string[], asked: Asked): Road {
  return {
    methods,
    answer: async (app, req, res, frame) => {
      const report = await takeRequest({ app, req, frame, asked, gone: goneSignal(res) })
      const format = formatOf(req, asked.query, report.fields)
      answerUpload(res, report, { origin: app.config.origin, shape, format })
    },
  }
}

/** Answers a request to one of these roads, or says which methods it takes. */
export async function takeRoad(
  road: Road,
  app: App,
  req: IncomingMessage,
  res: ServerResponse,
  frame: RequestFrame,
): Promise<void> {
  if (road.methods.includes(req.method ?? '')) return road.answer(app, req, res, frame)
  const message = `This address takes ${road.methods.join(' and ')}.`
  writeJson(res, 405, { error: 'method-not-allowed', message }, { Allow: road.methods.join(', ') })
}
