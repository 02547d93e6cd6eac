import type { IncomingMessage, ServerResponse } from 'node:http'
import { formatList } from '#format/counts.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Services } from '#server/services.ts'
import { acceptsPage } from '../accepts-page.ts'
import { goneSignal } from '../client-gone.ts'
import { refuseInvalid } from '../invalid-request.ts'
import type { RequestFrame } from '../request-frame.ts'
import { answerRefusal, answerUpload, chooseFormat } from './answers/answer.ts'
import { cheveretoShape } from './answers/chevereto-shape.ts'
import { answerGuest } from './answers/guest-answer.ts'
import { lskyShape } from './answers/lsky-shape.ts'
import type { Shape } from './answers/shape.ts'
import { sluiceShape } from './answers/sluice-shape.ts'
import type { UrlFacts } from './facts.ts'
import { toSentRefusal } from './refusal.ts'
import { removeImage } from './remove-image.ts'
import { takeRequest } from './take-request.ts'

/** An endpoint of an upload API, and the format of its responses. */
interface UploadRoute {
  readonly methods: readonly string[]
  readonly shape: Shape
  answer(app: Services, req: IncomingMessage, res: ServerResponse, frame: RequestFrame): Promise<void>
}

/**
 * Returns the upload route of an address; null for all other addresses. These routes ignore sessions: a page of another site
 * could send a user's cookies, but no token.
 */
export function findUploadRoute(url: string, method?: string): UploadRoute | null {
  const [path = '', search = ''] = url.split(/\?(.*)/s, 2)
  const query = new URLSearchParams(search)
  if (path === GUEST_UPLOAD && method === 'POST') return guestRoute({ query, pathName: '' })
  const own = /^\/api\/upload(?:\/([^/]*))?$/.exec(path)
  if (own) return uploadRoute(sluiceShape, ['POST', 'PUT'], { query, pathName: own[1] ?? '' })
  if (/^\/api\/v1\/upload\/?$/.test(path)) return uploadRoute(lskyShape, ['POST'], { query, pathName: '' })
  if (/^\/api\/1\/upload\/?$/.test(path)) return uploadRoute(cheveretoShape, ['POST'], { query, pathName: '' })
  const [, key] = /^\/api\/v1\/images\/([^/]+)$/.exec(path) ?? []
  if (key === undefined) return null
  return {
    methods: ['DELETE'],
    shape: lskyShape,
    answer: (app, req, res, frame) => removeImage(app, req, res, frame, { query, key }),
  }
}

/** The page that guests upload from, and where its form is posted. Programs may post there too. */
const GUEST_UPLOAD = '/upload'

function guestRoute(asked: UrlFacts): UploadRoute {
  return {
    methods: ['POST'],
    shape: sluiceShape,
    answer: async (app, req, res, frame) => {
      const report = await takeRequest({ app, req, frame, asked, gone: goneSignal(res), isGuest: true })
      if (acceptsPage(req)) answerGuest(res, report)
      else answerUpload(res, report, { origin: app.config.origin, shape: sluiceShape, format: 'json' })
    },
  }
}

function uploadRoute(shape: Shape, methods: readonly string[], asked: UrlFacts): UploadRoute {
  return {
    methods,
    shape,
    answer: async (app, req, res, frame) => {
      const report = await takeRequest({ app, req, frame, asked, gone: goneSignal(res) })
      const format = chooseFormat(req, asked.query, report.fields)
      answerUpload(res, report, { origin: app.config.origin, shape, format })
    },
  }
}

/** Answers a request to an upload route, with 405 if the method is not allowed. */
export async function answerUploadRoute(
  route: UploadRoute,
  app: Services,
  req: IncomingMessage,
  res: ServerResponse,
  frame: RequestFrame,
): Promise<void> {
  if (route.methods.includes(req.method ?? '')) return route.answer(app, req, res, frame)
  if (await refuseInvalid(app, res, frame)) return
  const error = refuse('method-not-allowed', { methods: formatList(route.methods, 'en') })
  const refusal = toSentRefusal(error, frame.requestId)
  answerRefusal(res, refusal, { shape: route.shape, format: 'json', headers: { Allow: route.methods.join(', ') } })
}

interface UnknownEndpoint {
  readonly path: RegExp
  readonly shape: Shape
  readonly code: 'not-found' | 'not-found-chevereto' | 'not-found-lsky'
}

/** The answers for unknown addresses of the APIs; the first that matches applies. */
const UNKNOWN_ENDPOINTS: readonly UnknownEndpoint[] = [
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

/** Returns the API of an address that none of its endpoints has; undefined for addresses outside the APIs. */
export const findUnknownEndpoint = (url: string): UnknownEndpoint | undefined =>
  UNKNOWN_ENDPOINTS.find(({ path }) => path.test(url))

/** Answers an unknown endpoint of an API in that API's format instead of with a page. */
export function answerUnknownEndpoint(res: ServerResponse, { shape, code }: UnknownEndpoint): void {
  answerRefusal(res, toSentRefusal(refuse(code), ''), { shape, format: 'json' })
}
