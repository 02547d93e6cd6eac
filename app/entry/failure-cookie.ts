import { cookies } from 'next/headers'
import { z } from 'zod'
import type { FormFailure } from './failure.ts'

/** What a form posted without script shows again: why it failed, and the user name that was typed. */
export interface LastPost {
  readonly failure: FormFailure
  readonly username: string
}

const NAME = 'sluice.form'

/** How long a page shows the failure (s). While a limit refuses, it stays for up to ten minutes. */
const SHOWN_SECONDS = 30
const LONGEST_SECONDS = 600

const limitSchema = z.looseObject({ retryAfterMs: z.number().nonnegative() })
const dataSchema = z.looseObject({ limit: limitSchema.nullish() }).nullish()
const schema = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  username: z.string(),
  failure: z.object({ message: z.string(), data: dataSchema }),
})

/** Returns the Set-Cookie header that shows a failure on the form's page, or removes it with null. Only that page gets it. */
export function writeFailure(path: string, post: LastPost | null): string {
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax`
  if (!post) return `${NAME}=; Max-Age=0; ${attributes}`
  const value = encodeURIComponent(JSON.stringify({ at: Date.now(), ...post }))
  const waitMs = dataSchema.safeParse(post.failure.data).data?.limit?.retryAfterMs ?? 0
  const seconds = Math.min(LONGEST_SECONDS, Math.max(SHOWN_SECONDS, Math.ceil(waitMs / 1000)))
  return `${NAME}=${value}; Max-Age=${seconds}; ${attributes}`
}

/** Returns the failure that this page shows; null for none. The wait of a limit is what is left of it. */
export async function readFailure(): Promise<LastPost | null> {
  const value = (await cookies()).get(NAME)?.value
  const post = value === undefined ? null : schema.safeParse(parse(value)).data
  if (!post) return null
  const { limit } = post.failure.data ?? {}
  if (!limit) return post
  const retryAfterMs = limit.retryAfterMs - (Date.now() - post.at)
  if (retryAfterMs <= 0) return null
  // In whole seconds, so that the countdown is the same in the page and in its script.
  const left = { ...limit, retryAfterMs: Math.ceil(retryAfterMs / 1000) * 1000 }
  return { ...post, failure: { ...post.failure, data: { ...post.failure.data, limit: left } } }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
