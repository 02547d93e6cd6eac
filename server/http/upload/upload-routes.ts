import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#server/app.ts'
import { refuse } from '#server/errors/refuse.ts'
import { goneSignal } from '../client-gone.ts'
import type { RequestFrame } from '../request-frame.ts'
import { answerRefusal, answerUpload, formatOf } from './answer.ts'
import { cheveretoShape } from './chevereto-shape.ts'
import type { Asked } from './facts.ts'
import { lskyShape } from './lsky-shape.ts'
import { refusalOf } from './refusal.ts'
import { removeImage } from './remove-image.ts'
import type { Shape } from './shape.ts'
import { sluiceShape } from './sluice-shape.ts'
import { takeRequest } from './take-request.ts'

/** An address of an upload API, and the form of its answers. */
interface Road {
  readonly methods: readonly string[]
  readonly shape: Shape
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
  return {
    methods: ['DELETE'],
    shape: lskyShape,
    answer: (app, req, res, frame) => removeImage(app, req, res, frame, { query, key }),
  }
}

function uploadRoad(shape: Shape, methods: readonly string[], asked: Asked): Road {
  return {
    methods,
    shape,
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
  const error = refuse('method-not-allowed', { methods: road.methods.join(' and ') })
  const refusal = refusalOf(error, frame.requestId)
  answerRefusal(res, refusal, { shape: road.shape, format: 'json', headers: { Allow: road.methods.join(', ') } })
}

type Unknown = 'not-found' | 'not-found-chevereto' | 'not-found-lsky'

/** The answers for unknown addresses of the APIs; the first that matches applies. */
const NOWHERE: readonly { readonly path: RegExp; readonly shape: Shape; readonly code: Unknown }[] = [
  {
    path: /^\/api\/v1(?=[/?]|$)/,
    shape: lskyShape,
    code: 'not-found-lsky',
  },
  {
    path: /^\/api\/1(?=[/?]|$)/,
    shape: cheveretoShape,
    code: 'not-found-chevereto',
  },
  {
    path: /^\/api(?!\/auth\/)(?=[/?]|$)/,
    shape: sluiceShape,
    code: 'not-found',
  },
]

/** Answers an unknown address of an API in that API's form, rather than with a page. Returns false for all other addresses. */
export function answerNowhere(res: ServerResponse, url: string): boolean {
  const found = NOWHERE.find(({ path }) => path.test(url))
  if (!found) return false
  const { shape, code } = found
  answerRefusal(res, refusalOf(refuse(code), ''), { shape, format: 'json' })
  return true
}
