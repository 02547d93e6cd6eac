import { GUEST } from '#server/accounts/identify.ts'
import { toCaller } from '#server/accounts/viewer.ts'
import { refuse } from '#server/errors/refuse.ts'
import { uploadFormsRoute } from '#server/http/limits.ts'
import { Failures } from '#server/limits/failures.ts'
import type { Services } from '#server/services.ts'
import { tooManyRequests } from '#server/trpc/limit.ts'
import { limitedToken, refusedToken } from '#server/trpc/token-refusals.ts'
import type { FileRequest } from './file-request.ts'
import { BadRequest } from './parsing/bad-request.ts'
import { mayHoldFields, readParts } from './parsing/read-parts.ts'
import { isFault, toSentRefusal } from './refusal.ts'
import type { Report } from './report.ts'
import { RequestFiles } from './request-files.ts'
import { createSenderContext, identifyByToken } from './sender.ts'
import { requestBytes } from './take-file.ts'

interface Reading {
  readonly error: unknown
  readonly isUnread: boolean
}

/** Uploads the files of a request. Stops reading at a refusal that would apply to all further files. */
export async function takeRequest(request: FileRequest): Promise<Report> {
  const files = new RequestFiles(request)
  const { error, isUnread } = await readRequest(request, files)
  await files.storePending(error, isUnread)
  const items = await files.items
  const refusal = error === null ? null : toSentRefusal(error, request.frame.requestId)
  return { items, refusal, thrown: error, isUnread, fields: files.fields.last, decisions: files.decisions }
}

async function readRequest(request: FileRequest, files: RequestFiles): Promise<Reading> {
  const { app, req, frame, gone } = request
  const withoutFile = new Failures(app.limiter, uploadFormsRoute, toCaller(null, frame.address))
  try {
    await admit(request, files, withoutFile)
    // A file that is the whole body is refused for its own size.
    const length = mayHoldFields(req) ? Number(req.headers['content-length']) : 0
    if (length > requestBytes(app)) throw tooLargeRequest(app, length)
    for await (const part of readParts(req, files.allowance)) {
      if (part.kind === 'field') files.fields.add(part.name, part.value)
      else if (!(await files.take(part))) return { error: null, isUnread: true }
    }
    if (files.count > 0) return { error: null, isUnread: false }
    throw new BadRequest('no-file')
  } catch (error) {
    if (isFault(error) && !gone.aborted) app.logFailure({ requestId: frame.requestId, err: error }, 'an upload failed')
    const { status } = toSentRefusal(error, frame.requestId)
    // A request with a file is charged for the file instead.
    if (files.count === 0 && status < 500 && status !== 429) files.decisions.push(await withoutFile.count())
    return { error, isUnread: !isNoFile(error) }
  }
}

/** Refuses a request unread if its address has sent too many requests without a file, or if its token is void or missing and no
 *  field can contain one. */
async function admit(request: FileRequest, files: RequestFiles, withoutFile: Failures): Promise<void> {
  const decision = await withoutFile.refusal()
  if (decision) {
    files.decisions.push(decision)
    throw tooManyRequests(decision)
  }
  if (request.isGuest) {
    const { app, req, frame } = request
    files.identify({ app, req, frame, authorization: undefined, ...GUEST })
    return
  }
  const sender = await identifyByToken(request, request.asked.query)
  if (sender.authorization === undefined) {
    if (!mayHoldFields(request.req)) throw new BadRequest('no-token')
    files.allowance.lower()
  } else if (sender.viewer === null) {
    const context = createSenderContext(sender)
    files.decisions.push(...context.decisions)
    throw limitedToken(context) ?? refusedToken(context, 'upload')
  } else files.identify(sender)
}

const isNoFile = (error: unknown): boolean => error instanceof BadRequest && error.problem === 'no-file'

function tooLargeRequest(app: Pick<Services, 'site'>, bytes: number): BadRequest {
  const most = requestBytes(app)
  const params = {
    size: { bytes, beside: most },
    limit: { bytes: most, beside: bytes },
    fileLimit: { bytes: app.site.read().maxUploadBytes },
  }
  return new BadRequest('request-too-large', refuse('request-too-large-sized', params))
}
