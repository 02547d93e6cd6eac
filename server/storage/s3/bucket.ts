import { S3Client } from '@aws-sdk/client-s3'
import type { Meter } from '../meter.ts'
import { ObjectNotFound } from '../object-store.ts'
import { meterAttempts, RejectedByMeter, type S3Operation } from './attempts.ts'
import { readStatus, toStoreError } from './failure.ts'
import type { S3Settings } from './settings.ts'

/** All in milliseconds. An attempt is aborted at its own deadline, a call with all its attempts at the call's. */
export interface S3Deadlines {
  readonly connect: number
  /** From the request to the headers of its response. */
  readonly answer: number
  /** The same, for a request with a body of up to 8 MiB. */
  readonly upload: number
  /** Between two chunks of a response body. */
  readonly stall: number
  /** All attempts of a call, including the pauses between them. */
  readonly call: number
}

export const defaultDeadlines: S3Deadlines = {
  connect: 5_000,
  answer: 10_000,
  upload: 90_000,
  stall: 20_000,
  call: 30_000,
}

const ATTEMPTS = 3

/** A bucket and its client. The process has one client per bucket, and all of its HTTP attempts go through the
 *  meter. */
export interface S3Bucket {
  readonly settings: S3Settings
  readonly client: S3Client
  readonly deadlines: S3Deadlines
  /** HTTP requests made so far, retries included. */
  readonly attempts: Readonly<Record<S3Operation, number>>
  /** When a call last succeeded or reported a missing object, by performance.now(). Null when the last call failed or
   *  there was none. */
  readonly answeredAt: number | null
  /** Makes one call within its deadlines. Rejects only with ObjectNotFound, ObjectStoreUnavailable or the meter's own
   *  error. */
  call<T>(send: (options: BucketCallOptions) => Promise<T>, kind?: BucketCallKind): Promise<T>
}

export interface BucketCallKind {
  /** The call sends a body. */
  readonly uploads?: boolean
  /** The call is a HEAD of an object: its 404 has no body and means that the object does not exist. */
  readonly isHead?: boolean
}

export interface BucketCallOptions {
  readonly abortSignal: AbortSignal
  readonly requestTimeout: number
}

export function openBucket(settings: S3Settings, meter: Meter, deadlines: S3Deadlines): S3Bucket {
  const client = createClient(settings, deadlines)
  const attempts = { put: 0, get: 0, head: 0, list: 0, delete: 0, multipart: 0 }
  let answeredAt: number | null = null
  meterAttempts(client, meter, (operation) => {
    attempts[operation] += 1
  })
  return {
    settings,
    client,
    deadlines,
    attempts,
    get answeredAt() {
      return answeredAt
    },
    async call(send, { uploads = false, isHead = false } = {}) {
      const stop = new AbortController()
      const requestTimeout = uploads ? deadlines.upload : deadlines.answer
      // A timer of its own instead of AbortSignal.timeout, which would also abort a body that is still being read.
      const timer = setTimeout(() => stop.abort(), deadlines.call + (uploads ? deadlines.upload : 0))
      try {
        const answer = await send({ abortSignal: stop.signal, requestTimeout })
        answeredAt = performance.now()
        return answer
      } catch (error) {
        // The meter rejected it, which says nothing about the bucket.
        if (error instanceof RejectedByMeter) throw error.reason
        const failure = toStoreError(error)
        // Any other 404 may mean that the bucket does not exist.
        const isMissing = failure instanceof ObjectNotFound || (isHead && readStatus(error) === 404)
        answeredAt = isMissing ? performance.now() : null
        throw failure
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function createClient(settings: S3Settings, { connect, answer }: S3Deadlines): S3Client {
  const checksums = settings.checksums === 'when-required' ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED'
  // A slow reader occupies its socket, so with a limit a few slow readers could block everyone.
  const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 32 }
  return new S3Client({
    region: settings.region,
    ...(settings.endpoint === null ? {} : { endpoint: settings.endpoint }),
    // Only server/config.ts reads the environment.
    ignoreConfiguredEndpointUrls: true,
    forcePathStyle: settings.pathStyle,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    // Some servers never answer `Expect: 100-continue`.
    expectContinueHeader: false,
    retryMode: 'standard',
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: connect,
      requestTimeout: answer,
      throwOnRequestTimeout: true,
      // It would also fire while a reader is slow; verifiedBody detects stalled bodies instead.
      socketTimeout: 0,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
}
