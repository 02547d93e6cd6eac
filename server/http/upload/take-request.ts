import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#server/app.ts'
import { goneSignal } from '#server/http/client-gone.ts'
import type { RequestFrame } from '#server/http/request-frame.ts'
import { parseFileName } from '#server/images/names.ts'
import type { Decision } from '#server/limits/decision.ts'
import { BadRequest } from './bad-request.ts'
import { Allowance } from './body.ts'
import { authorizationOf } from './credentials.ts'
import type { FilePart } from './part.ts'
import { partsOf } from './parts-of.ts'
import { isFault, type Refusal, refusalOf } from './refusal.ts'
import { requestBytes, type Sender, type Taken, takeFile } from './take-file.ts'

/** Files that a request may hold; each is charged. */
const MAX_FILES = 20

export type Item = Taken & {
  /** Cleaned; '' where the client gave none. */
  readonly filename: string
}

/** What became of the files of a request. */
export interface Report {
  readonly items: readonly Item[]
  /** Why there are no more: the request could not be read further. */
  readonly refusal: Refusal | null
  /** Something of the request was not read: what files it may have held are refused. */
  readonly isUnread: boolean
  /** The fields of its form, the last of each name. */
  readonly fields: ReadonlyMap<string, string>
  readonly decisions: readonly Decision[]
}

/** What the address and the headers of a request say of its files. */
export interface Asked {
  readonly query: URLSearchParams
  /** The end of the path, where a name stands there; '' otherwise. URI-encoded. */
  readonly pathName: string
}

/**
 * Takes the files of a request one after the other, each by image.upload, and goes on to the next behind one that is
 * refused. It ends where the refusal is the sender's and would be that of all others too, so that nothing more is received.
 */
export async function takeRequest(
  app: App,
  req: IncomingMessage,
  res: ServerResponse,
  frame: RequestFrame,
  asked: Asked,
): Promise<Report> {
  const items: Item[] = []
  const fields = new Map<string, string>()
  const allowance = new Allowance()
  const decisions: Decision[] = []
  const gone = goneSignal(res)
  let sender: Sender | null = null
  let patience = app.config.maxUploadBytes
  const ended = (refusal: Refusal | null, isUnread: boolean): Report => ({
    items,
    refusal,
    isUnread,
    fields,
    decisions,
  })
  try {
    if (Number(req.headers['content-length']) > requestBytes(app)) throw new BadRequest('request-too-large')
    for await (const part of partsOf(req, allowance)) {
      if (part.kind === 'field') {
        fields.set(part.name.toLowerCase(), part.value)
        continue
      }
      sender ??= await senderOf({ app, req, frame, allowance, gone, decisions }, asked, fields)
      const encodedName = nameOf(part, req, asked, fields)
      const facts = { filename: encodedName, visibility: visibilityOf(req, asked, fields) }
      const taken: Taken =
        items.length < MAX_FILES
          ? await takeFile(sender, part, facts)
          : refusedWith(refusalOf(new BadRequest('too-many-files'), frame.requestId))
      items.push({ ...taken, filename: parseFileName(encodedName) ?? '' })
      if (taken.outcome === 'stored') continue
      if (isOfAll(taken, items)) return ended(null, true)
      patience -= await passOver(part, patience)
      if (patience < 0) return ended(null, true)
    }
    return items.length > 0 ? ended(null, false) : ended(refusalOf(new BadRequest('no-file'), frame.requestId), false)
  } catch (error) {
    if (isFault(error) && !gone.aborted) app.log.error({ requestId: frame.requestId, err: error }, 'an upload failed')
    return ended(refusalOf(error, frame.requestId), true)
  }
}

const refusedWith = (refusal: Refusal): Taken => ({ outcome: 'refused', refusal, isUnread: true })

async function senderOf(
  common: Omit<Sender, 'viewer' | 'authorization'>,
  { query }: Asked,
  fields: ReadonlyMap<string, string>,
): Promise<Sender> {
  const { app, req } = common
  const authorization = authorizationOf(req, query, fields)
  const { 'user-agent': userAgent } = req.headers
  const viewer = authorization ? await app.viewerOf({ authorization, 'user-agent': userAgent }) : null
  return { ...common, viewer, authorization }
}

/** Whether the files that follow need not be read: their sender may not send any, or has sent none that was taken. */
function isOfAll({ refusal, isUnread }: Extract<Taken, { outcome: 'refused' }>, items: readonly Item[]): boolean {
  if (refusal.status === 401 || refusal.status === 403) return true
  return isUnread && items.every(({ outcome }) => outcome === 'refused')
}

/** The rest of a file that was refused, for what comes behind it; answers the bytes, which are at most a chunk more than `most`. */
async function passOver({ bytes }: FilePart, most: number): Promise<number> {
  let read = 0
  try {
    while (read <= most) {
      const { done, value } = await bytes.next()
      if (done) break
      read += value.byteLength
    }
  } catch {
    // It is refused already; whatever comes behind says so itself.
  }
  return read
}

/** A file's name, URI-encoded: what its part says, or else what the request says of the one that it holds. */
function nameOf(
  part: FilePart,
  req: IncomingMessage,
  { query, pathName }: Asked,
  fields: ReadonlyMap<string, string>,
): string {
  const stated = part.filename || query.get('filename') || query.get('name') || fields.get('filename')
  if (stated) return encodeURIComponent(stated.toWellFormed())
  const header = [req.headers['x-file-name'] ?? []].flat()[0]
  return header ?? pathName
}

const visibilityOf = (req: IncomingMessage, { query }: Asked, fields: ReadonlyMap<string, string>) =>
  fields.get('visibility') || query.get('visibility') || [req.headers['x-visibility'] ?? []].flat()[0] || undefined
