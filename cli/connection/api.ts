import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client'
import { translate } from '#messages/translate.ts'
import type { AppRouter } from '#server/trpc/router.ts'
import { CommandFailed } from '../command.ts'
import { HttpFailure } from './server-error.ts'

export type Api = TRPCClient<AppRouter>

/** Sent with every request; the account page shows it beside the token. */
const USER_AGENT = 'sluice-cli'

type Headers = Readonly<Record<string, string>>

/** Returns the procedures of a server. The `headers` of a call's context are sent with that call. */
export function createApi(url: string, headers: Headers): Api {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/api/trpc`,
        headers: ({ op }) => ({ ...headers, ...headersIn(op.context), 'user-agent': USER_AGENT }),
        fetch: (input, init) => requestJson(String(input), watched({ ...init })),
      }),
    ],
  })
}

/** Fetches an address of the server. Throws HttpFailure for any status but 200. */
export async function fetchBytes(url: string, headers: Headers, signal: AbortSignal): Promise<Response> {
  const answer = await send(url, { headers: { ...headers, 'user-agent': USER_AGENT }, signal })
  if (answer.status !== 200) throw new HttpFailure(answer, await readText(answer))
  return answer
}

/** Sends a request. Redirects are not followed: they could take the token to another server. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...init, redirect: 'manual' })
  if (answer.status < 300 || answer.status > 399 || answer.status === 304) return answer
  const to = URL.parse(answer.headers.get('location') ?? '', url)
  if (to && to.origin !== new URL(url).origin)
    throw new CommandFailed(
      'usage',
      translate('cli.connection.redirected', { url: new URL(url).origin, target: to.origin }),
    )
  return answer
}

const watchers = new WeakMap<Blob, (bytes: number) => void>()

/** Calls `moved` for each chunk of a body that is sent. */
export function watchBody(body: Blob, moved: (bytes: number) => void): Blob {
  watchers.set(body, moved)
  return body
}

/** Turns a watched body into a stream that counts; fetch does not know its length. */
function watched(init: RequestInit): RequestInit & { readonly duplex?: 'half' } {
  const { body } = init
  const moved = body instanceof Blob ? watchers.get(body) : undefined
  if (!(body instanceof Blob) || !moved) return init
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      moved(chunk.byteLength)
      controller.enqueue(chunk)
    },
  })
  const headers = new Headers(init.headers)
  headers.set('content-length', `${body.size}`)
  return { ...init, headers, body: body.stream().pipeThrough(counter), duplex: 'half' }
}

/** Throws HttpFailure for an answer that is not JSON: it does not come from a procedure. */
async function requestJson(url: string, init: RequestInit): Promise<Response> {
  const answer = await send(url, init)
  if (/^application\/json\b/.test(answer.headers.get('content-type') ?? '')) return answer
  throw new HttpFailure(
    answer,
    /^text\/plain\b/.test(answer.headers.get('content-type') ?? '') ? await readText(answer) : '',
  )
}

function headersIn({ headers }: Readonly<Record<string, unknown>>): Headers {
  if (typeof headers !== 'object' || headers === null) return {}
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => typeof value === 'string'))
}

const readText = (answer: Response): Promise<string> => answer.text().catch(() => '')
