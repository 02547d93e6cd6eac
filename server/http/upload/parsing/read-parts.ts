import type { IncomingMessage } from 'node:http'
import { BadRequest } from './bad-request.ts'
import { type Allowance, MAX_UNCHARGED, readBody } from './body.ts'
import { jsonParts } from './json-parts.ts'
import { multipartParts } from './multipart-parts.ts'
import type { RequestPart } from './part.ts'
import { urlencodedParts } from './urlencoded-parts.ts'

/** Whether the request's format allows fields besides files. */
export const mayHoldFields = ({ headers }: IncomingMessage): boolean =>
  /^\s*(multipart\/form-data|application\/(json|x-www-form-urlencoded))\s*(;|$)/i.test(headers['content-type'] ?? '')

/** Yields the fields and files of a request in any supported format. Reads the body only as far as needed. Throws BadRequest. */
export async function* readParts(req: IncomingMessage, allowance: Allowance): AsyncGenerator<RequestPart> {
  const body = readBody(req, allowance)
  try {
    // The charge for a file does not cover the bytes after it.
    yield* partsIn(req, body, () => allowance.hold(MAX_UNCHARGED))
  } finally {
    // Not awaited: a pending read may never be answered.
    body.return(undefined).catch(() => undefined)
  }
}

function partsIn(
  req: IncomingMessage,
  body: AsyncGenerator<Buffer>,
  onFileEnd: () => void,
): AsyncGenerator<RequestPart> {
  const contentType = req.headers['content-type'] ?? ''
  const [type = ''] = contentType.toLowerCase().split(';')
  switch (type.trim()) {
    case 'multipart/form-data':
      return multipartParts(body, { contentType, onFileEnd })
    case 'application/json':
      return jsonParts(body, onFileEnd)
    case 'application/x-www-form-urlencoded':
      return urlencodedParts(body, onFileEnd)
    // curl -T sends no type.
    case '':
    case 'application/octet-stream':
      return wholeBody(req, body)
  }
  if (type.startsWith('image/')) return wholeBody(req, body)
  throw new BadRequest('unsupported-content-type')
}

async function* wholeBody(req: IncomingMessage, body: AsyncGenerator<Buffer>): AsyncGenerator<RequestPart> {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers
  if (length === undefined && encoding === undefined) throw new BadRequest('no-file')
  yield { kind: 'file', filename: '', bytes: body }
}
