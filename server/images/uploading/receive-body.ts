import { refuse } from '#server/errors/refuse.ts'
import type { CallContext, Context } from '#server/trpc/context.ts'
import { parseFileName } from '../names.ts'
import type { ReceivedUpload, Upload } from './receive-upload.ts'
import { refuseTooLarge, type UploadRefusal } from './upload-refusals.ts'

/** Returns the file that a call's head states. Throws for a length that is too large, before the body is accepted. */
export function statedFile(ctx: Context): { readonly filename: string; readonly length: number | null } {
  const { maxUploadBytes } = ctx.app.site.read()
  const filename = parseFileName(ctx.header('x-file-name') ?? '')
  const stated = ctx.header('content-length')
  const length = Number(stated)
  if (length > maxUploadBytes) throw refuseTooLarge(filename ?? '', length, maxUploadBytes)
  if (filename === null) throw refuse('bad-file-name')
  return { filename, length: stated === undefined || Number.isNaN(length) ? null : length }
}

type Asked = Pick<Upload, 'body' | 'signal' | 'lane'> & { readonly filename: string }

/** Whether decoding was bound to take, or took, far more than the bytes of a file suggest. */
const isBomb = (outcome: UploadRefusal): boolean => outcome === 'too-costly' || outcome === 'too-many-pixels'

/** Accepts the body, and charges the call for the bytes received. A decompression bomb costs the penalty of the call's sets. */
export async function receiveBody(ctx: CallContext, { filename, ...upload }: Asked): Promise<ReceivedUpload> {
  let bytes = 0
  const onRead = (read: number) => {
    bytes += read
  }
  try {
    ctx.acceptBody()
    // The chunks of a form's file are views of the request's chunks.
    const received = await ctx.app.images.receive({ ...upload, isOwned: ctx.form === null, onRead })
    if (received.outcome === 'received') return received
    if (received.outcome === 'too-large') throw refuseTooLarge(filename, null, ctx.app.site.read().maxUploadBytes)
    if (isBomb(received.outcome)) await ctx.penalize()
    throw refuse(received.outcome)
  } finally {
    await ctx.settle(bytes)
  }
}
