import { createHash } from 'node:crypto'
import { z } from 'zod'

/** What became of a request. */
export type Outcome =
  | 'done'
  /** 429. */
  | 'limited'
  /** 503 of Sluice, with Retry-After. */
  | 'unavailable'
  /** 502 or 504 of nginx. */
  | 'no process'
  /** The connection ended, or nothing came within the deadline. */
  | 'no answer'
  /** A refusal that must be: bad input, no right, nothing there. */
  | 'refused'
  /** What no fault excuses. */
  | 'wrong'

export interface Answer {
  readonly outcome: Outcome
  readonly status: number | null
  readonly body: Buffer
  readonly headers: Headers
}

const DEADLINE_MS = 150_000

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

/** Sends a request to the site as a client at an address. Never rejects. */
export async function ask(site: string, path: string, address: string, asked: Asked = {}): Promise<Answer> {
  const headers = { 'x-forwarded-for': address, ...asked.headers }
  const body = typeof asked.body === 'string' ? asked.body : asked.body && new Uint8Array(asked.body)
  try {
    const answer = await fetch(site + path, {
      method: asked.method ?? 'GET',
      redirect: 'manual',
      headers,
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    const received = Buffer.from(await answer.arrayBuffer())
    return { outcome: outcomeOf(answer), status: answer.status, body: received, headers: answer.headers }
  } catch {
    return { outcome: 'no answer', status: null, body: Buffer.alloc(0), headers: new Headers() }
  }
}

function outcomeOf({ status, headers }: Response): Outcome {
  if (status < 400) return 'done'
  if (status === 429) return 'limited'
  if (status === 503 && headers.has('retry-after')) return 'unavailable'
  if (status === 502 || status === 504) return 'no process'
  return status < 500 ? 'refused' : 'wrong'
}

export const json = (input: object, cookie?: string): Asked => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
  body: JSON.stringify(input),
})

/** Returns the data of a procedure's answer. Throws if it is of another shape. */
export const dataOf = <T>(schema: z.ZodType<T>, { body }: Answer): T =>
  z.object({ result: z.object({ data: schema }) }).parse(JSON.parse(body.toString())).result.data

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
