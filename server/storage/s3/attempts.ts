import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { z } from 'zod'
import { BodyRoom } from '../body-room.ts'
import type { Meter, RequestClass } from '../meter.ts'

/** What providers count and charge by. */
export type S3Operation = 'put' | 'get' | 'head' | 'list' | 'delete' | 'multipart'

const operations: Readonly<Record<string, S3Operation>> = {
  PutObjectCommand: 'put',
  GetObjectCommand: 'get',
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

/** Bytes reserved for an answer before anybody knows its length: while there is no room for so many, nothing is asked. */
const FIRST = 64 * 1024

const costs: Record<S3Operation, { readonly kind: RequestClass; readonly answer: number }> = {
  put: { kind: 'writes', answer: 0 },
  multipart: { kind: 'writes', answer: 0 },
  list: { kind: 'writes', answer: FIRST },
  get: { kind: 'reads', answer: FIRST },
  head: { kind: 'reads', answer: 0 },
  delete: { kind: 'deletes', answer: 0 },
}

/** What the meter rejected with, in a form that the SDK neither takes for a failure of the network nor writes on. */
export class NotAsked extends Error {
  readonly reason: unknown

  constructor(reason: unknown) {
    super('The meter lets no request pass')
    this.reason = reason
  }
}

const requested = z.looseObject({ body: z.union([z.undefined(), z.string(), z.instanceof(Uint8Array)]) })
const answered = z.object({ headers: z.record(z.string(), z.string()), body: z.instanceof(Readable) })

/**
 * Has the meter asked before every HTTP request of the client, a retry included, and the bodies of both directions
 * counted. A request that was let pass and then finds nobody counts too. What the meter rejects with fails the call as
 * NotAsked. `onAttempt` hears of each request as it leaves.
 */
export function meterAttempts(client: S3Client, meter: Meter, onAttempt: (operation: S3Operation) => void): void {
  const asked = rejectingAsNotAsked(meter)
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const operation = operations[commandName]
        if (!operation) throw new TypeError(`${commandName} has no class`)
        return meterAttempt(asked, operation, args.request, (request) => {
          onAttempt(operation)
          return next({ ...args, request })
        })
      },
    // Nearest to the wire: behind the SDK's retries, and before anything reads the answer.
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
  // What it has done is done: a few words that come of it are owed, and refuse nothing.
  const declared = answer === 0 ? 0 : Number(headers['content-length'] ?? 0)
  await receiving.take(body, declared, meter)
  return result
}

function rejectingAsNotAsked(meter: Meter): Meter {
  const fail = (reason: unknown) => {
    throw new NotAsked(reason)
  }
  return {
    request: (kind) => meter.request(kind).catch(fail),
    reserve: (direction, bytes) => meter.reserve(direction, bytes).catch(fail),
  }
}
