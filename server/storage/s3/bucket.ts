import { S3Client } from '@aws-sdk/client-s3'
import type { Meter } from '../meter.ts'
import { ObjectNotFound } from '../object-store.ts'
import { meterAttempts, NotAsked, type S3Operation } from './attempts.ts'
import { failureOf, statusOf } from './failure.ts'
import type { S3Settings } from './settings.ts'

/** Milliseconds. An attempt is cut when its deadline passes, a call with all its attempts when its own does. */
export interface S3Deadlines {
  readonly connect: number
  /** From the request to the head of its answer. */
  readonly answer: number
  /** The same for a request with a body of up to 8 MiB. */
  readonly upload: number
  /** Between two chunks of a body that is read. */
  readonly stall: number
  /** All attempts of a call with their pauses. */
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

/** A bucket and the one client that speaks to it. */
export interface Bucket {
  readonly settings: S3Settings
  readonly client: S3Client
  readonly deadlines: S3Deadlines
  /** HTTP requests made so far, retries included. */
  readonly attempts: Readonly<Record<S3Operation, number>>
  /** When a call last succeeded or found no such object, by performance.now(); null when the last one failed or there was
   *  none. */
  readonly answeredAt: number | null
  /**
   * Makes one call within its deadlines. Every failure of it is ObjectNotFound or StoreUnavailable, or what the meter
   * rejected with.
   */
  call<T>(send: (options: CallOptions) => Promise<T>, kind?: CallKind): Promise<T>
}

export interface CallKind {
  /** The call has a body to send. */
  readonly uploads?: boolean
  /** The call asks for the head of an object: its 404 has no body, and says that there is none. */
  readonly isHead?: boolean
}

export interface CallOptions {
  readonly abortSignal: AbortSignal
  readonly requestTimeout: number
}

export function openBucket(settings: S3Settings, meter: Meter, deadlines: S3Deadlines): Bucket {
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
      // Its own timer and no AbortSignal.timeout: a body that is still being read is not cut by it.
      const timer = setTimeout(() => stop.abort(), deadlines.call + (uploads ? deadlines.upload : 0))
      try {
        const answer = await send({ abortSignal: stop.signal, requestTimeout })
        answeredAt = performance.now()
        return answer
      } catch (error) {
        // Says nothing of the bucket.
        if (error instanceof NotAsked) throw error.reason
        const failure = failureOf(error)
        // Any other 404 may say that there is no such bucket.
        const isMissing = failure instanceof ObjectNotFound || (isHead && statusOf(error) === 404)
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
  // A reader that is slow holds its socket: a bound on their number would let some readers stop everybody.
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
      // It would also strike while a reader is slow; verifiedBody watches bodies instead.
      socketTimeout: 0,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
}
