import type { IncomingMessage } from 'node:http'
import { BadRequest } from './bad-request.ts'
import { type Allowance, readBody, UNASKED } from './body.ts'
import { jsonParts } from './json-parts.ts'
import { multipartParts } from './multipart-parts.ts'
import type { Part } from './part.ts'
import { urlencodedParts } from './urlencoded-parts.ts'

/** Whether a request may bring fields beside its files. */
export const mayHoldFields = ({ headers }: IncomingMessage): boolean =>
  /^\s*(multipart\/form-data|application\/(json|x-www-form-urlencoded))\s*(;|$)/i.test(headers['content-type'] ?? '')

/** The fields and files of a request, whichever way it brings them; the body itself is read as far as they are. Throws BadRequest. */
export async function* partsOf(req: IncomingMessage, allowance: Allowance): AsyncGenerator<Part> {
  const body = readBody(req, allowance)
  try {
    // What follows a file was not charged with it.
    yield* partsIn(req, body, () => allowance.hold(UNASKED))
  } finally {
    // Not waited for: it may stand in the middle of a read that is never answered.
    body.return(undefined).catch(() => undefined)
  }
}

function partsIn(req: IncomingMessage, body: AsyncGenerator<Buffer>, onFileEnd: () => void): AsyncGenerator<Part> {
  const contentType = req.headers['content-type'] ?? ''
  const [type = ''] = contentType.toLowerCase().split(';')
  switch (type.trim()) {
    case 'multipart/form-data':
      return multipartParts(body, { contentType, onFileEnd })
    case 'application/json':
      return jsonParts(body, onFileEnd)
    case 'application/x-www-form-urlencoded':
      return urlencodedParts(body, onFileEnd)
    // What curl sends with -T.
    case '':
    case 'application/octet-stream':
      return wholeBody(req, body)
  }
  if (type.startsWith('image/')) return wholeBody(req, body)
  throw new BadRequest('unsupported-content-type')
}

async function* wholeBody(req: IncomingMessage, body: AsyncGenerator<Buffer>): AsyncGenerator<Part> {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers
  if (length === undefined && encoding === undefined) throw new BadRequest('no-file')
  yield { kind: 'file', filename: '', bytes: body }
}
