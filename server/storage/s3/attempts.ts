import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { z } from 'zod'
import { BodyRoom } from '../body-room.ts'
import type { Meter, RequestClass } from '../meter.ts'

/** The operations that providers bill by. */
export type S3Operation = 'put' | 'get' | 'head' | 'list' | 'delete' | 'multipart'

const operations: Readonly<Record<string, S3Operation>> = {
  PutObjectCommand: 'put',
  GetObjectCommand: 'get',
  GetBucketVersioningCommand: 'get',
  GetBucketLifecycleConfigurationCommand: 'get',
  HeadObjectCommand: 'head',
  HeadBucketCommand: 'head',
  ListObjectsV2Command: 'list',
  ListMultipartUploadsCommand: 'list',
  DeleteObjectCommand: 'delete',
  CreateMultipartUploadCommand: 'multipart',
  UploadPartCommand: 'multipart',
  CompleteMultipartUploadCommand: 'multipart',
  AbortMultipartUploadCommand: 'delete',
}

/** Bytes reserved for a response whose length is not known yet. Without budget for that many, no request is made. */
const FIRST = 64 * 1024

const costs: Record<S3Operation, { readonly kind: RequestClass; readonly answer: number }> = {
  put: { kind: 'writes', answer: 0 },
  multipart: { kind: 'writes', answer: 0 },
  list: { kind: 'writes', answer: FIRST },
  get: { kind: 'reads', answer: FIRST },
  head: { kind: 'reads', answer: 0 },
  delete: { kind: 'deletes', answer: 0 },
}

/** Wraps a rejection by the meter, so that the SDK neither takes it for a network error nor writes to it. */
export class RejectedByMeter extends Error {
  readonly reason: unknown

  constructor(reason: unknown) {
    super('rejected by the meter')
    this.reason = reason
  }
}

const requested = z.looseObject({ body: z.union([z.undefined(), z.string(), z.instanceof(Uint8Array)]) })
const answered = z.object({ headers: z.record(z.string(), z.string()), body: z.instanceof(Readable) })

/** Counts every HTTP attempt of the client, retries included, before it is sent, and the bodies in both directions.
 *  Metering sits next to the wire so that nothing reaches the bucket uncounted. A request that was counted and then
 *  fails to connect stays counted. A rejection by the meter fails the call with RejectedByMeter. `onAttempt` is called
 *  as each request leaves. */
export function meterAttempts(client: S3Client, meter: Meter, onAttempt: (operation: S3Operation) => void): void {
  const guarded = wrapRejections(meter)
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const operation = operations[commandName]
        if (!operation) throw new TypeError(`${commandName} has no class`)
        return meterAttempt(guarded, operation, args.request, (request) => {
          onAttempt(operation)
          return next({ ...args, request })
        })
      },
    // Next to the wire: below the SDK's retries, and before anything reads the response.
    { name: 'meterAttempts', step: 'deserialize', priority: 'low' },
  )
}

async function meterAttempt<T extends { readonly response: unknown }>(
  meter: Meter,
  operation: S3Operation,
  request: unknown,
  send: (request: unknown) => Promise<T>,
): Promise<T> {
  const { kind, answer } = costs[operation]
  const { body: given = '', ...rest } = requested.parse(request)
  const bytes = typeof given === 'string' ? Buffer.from(given) : given
  using sending = await BodyRoom.reserve(meter, 'in', bytes.length)
  using receiving = await BodyRoom.reserve(meter, 'out', answer)
  await meter.request(kind)
  const result = await send(bytes.length > 0 ? { ...rest, body: sending.give(bytes) } : request)
  const { headers, body } = answered.parse(result.response)
  // The request has been carried out, so the few bytes of its response must not be refused for lack of budget.
  const declared = answer === 0 ? 0 : Number(headers['content-length'] ?? 0)
  await receiving.take(body, declared, meter)
  return result
}

function wrapRejections(meter: Meter): Meter {
  const fail = (reason: unknown) => {
    throw new RejectedByMeter(reason)
  }
  return {
    request: (kind) => meter.request(kind).catch(fail),
    reserve: (direction, bytes) => meter.reserve(direction, bytes).catch(fail),
  }
}
