import { CallFailed } from '#app/entry/failure.ts'
import { finalStatuses } from '../problem.ts'

/** What a guest gets for an image. */
export interface GuestImage {
  readonly slug: string
  readonly url: string
  readonly thumbnailUrl: string
  readonly deletionUrl: string
  /** ISO 8601. */
  readonly endsAt: string
  readonly awaitsApproval: boolean
}

export type GuestFailure = CallFailed

type Outcome =
  | { readonly kind: 'done'; readonly image: GuestImage }
  | { readonly kind: 'failed'; readonly error: GuestFailure; readonly canRetry: boolean }

interface Options {
  readonly onProgress: (sent: number) => void
  /** Sentences for a lost connection, and for an answer that is not Sluice's. */
  readonly offline: string
  readonly unknown: string
}

/** Sends a file as the body of guest.upload. Uses XHR because fetch does not report upload progress. */
export function sendAsGuest(file: File, { onProgress, offline, unknown }: Options): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const fail = (message: string, data: unknown = {}) =>
      resolve({
        kind: 'failed',
        error: new CallFailed({ message, data }),
        canRetry: !finalStatuses.includes(request.status),
      })
    request.open('POST', '/api/trpc/guest.upload')
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('x-file-name', encodeURIComponent(file.name))
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onerror = () => fail(offline)
    request.onload = () => {
      const answer = parse(request.responseText)
      const image = request.status === 200 ? imageIn(field(field(answer, 'result'), 'data')) : null
      if (image) return resolve({ kind: 'done', image })
      const error = field(answer, 'error')
      const message = field(error, 'message')
      return typeof message === 'string' ? fail(message, field(error, 'data') ?? {}) : fail(unknown)
    }
    request.send(file)
  })
}

function imageIn(data: unknown): GuestImage | null {
  const names = ['slug', 'url', 'thumbnailUrl', 'deletionUrl', 'endsAt'] as const
  const [slug, url, thumbnailUrl, deletionUrl, endsAt] = names.map((name) => String(field(data, name) ?? ''))
  if (!slug || !url || !thumbnailUrl || !deletionUrl || !endsAt) return null
  return { slug, url, thumbnailUrl, deletionUrl, endsAt, awaitsApproval: field(data, 'awaitsApproval') === true }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const field = (value: unknown, name: string): unknown =>
  value instanceof Object ? Reflect.get(value, name) : undefined
