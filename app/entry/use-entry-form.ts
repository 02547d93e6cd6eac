'use client'

import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useHeldBack } from '#app/limits/form-failure.tsx'
import { refusalOfHeaders } from '#app/limits/refusal-of-headers.ts'
import { leaveTo } from '#app/shell/sign-in.ts'
import { CallFailed, type FormFailure } from './failure.ts'

interface Options {
  /** The failure of a post without script, which the page shows again. */
  readonly failure: FormFailure | null
  /** Returns whether the fields may be sent; shows what is wrong with them otherwise. */
  readonly check?: (fields: FormData) => boolean
  /** Adds to the fields what is asked for as the form is sent. What it throws with a sentence is shown like the server's failures. */
  readonly prepare?: (fields: FormData) => Promise<void>
  readonly onFail?: (error: Error) => void
  /** Whether the page stays, because the form ends in a file that the browser saves. */
  readonly stays?: boolean
}

/** Posts a form in place, and leaves the page when it is done. Without script, or before it has loaded, the browser posts it. */
export function useEntryForm({ failure, check, prepare, onFail, stays = false }: Options) {
  const t = useTranslations('failures')
  const [error, setError] = useState<Error | null>(() => failure && new CallFailed(failure))
  const [isBusy, setBusy] = useState(false)
  const isHeldBack = useHeldBack(error)
  const run = async (form: HTMLFormElement, fields: FormData) => {
    setBusy(true)
    try {
      await prepare?.(fields)
      leaveTo(await post(form.action, fields))
      if (!stays) return
      setBusy(false)
      setError(null)
    } catch (thrown) {
      setBusy(false)
      const isSaid = thrown instanceof Error && 'data' in thrown
      const failed = isSaid ? thrown : new CallFailed({ message: t('offline'), data: null })
      setError(failed)
      onFail?.(failed)
    }
  }
  /** Returns where to go. */
  const post = async (action: string, fields: FormData): Promise<string> => {
    const location = get(await send(action, fields, t('unknown')), 'location')
    if (typeof location === 'string') return location
    throw new CallFailed({ message: t('unknown'), data: {} })
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    if ((check?.(fields) ?? true) && !isHeldBack && !isBusy) void run(form, fields)
  }
  return { submit, error, reset: () => setError(null), isHeldBack, isBusy }
}

/** Returns why the server refused a form, as a name; null for most. */
export function reasonOf(error: Error): unknown {
  return 'data' in error ? get(error.data, 'reason') : null
}

const get = (content: unknown, name: string): unknown =>
  content instanceof Object ? Reflect.get(content, name) : undefined

/** Returns what the server answers. Throws CallFailed; `unknown` is its message where the server says none. */
export async function send(action: string, body: FormData, unknown: string): Promise<unknown> {
  const answer = await fetch(action, { method: 'POST', headers: { Accept: 'application/json' }, body })
  const content: unknown = await answer.json().catch(() => null)
  if (answer.ok && content instanceof Object) return content
  const message = get(content, 'message')
  if (typeof message === 'string') throw new CallFailed({ message, data: get(content, 'data') })
  // Refused before the form was read, by the limit of pages.
  if (answer.status === 429) throw new CallFailed({ message: unknown, data: { limit: limitIn(answer.headers) } })
  throw new CallFailed({ message: unknown, data: {} })
}

function limitIn(headers: Headers) {
  const { ruleSet, rule, waitMs } = refusalOfHeaders(headers)
  return { ruleSet, retryAfterMs: waitMs, parts: rule }
}
