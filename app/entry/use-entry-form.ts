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
  readonly onFail?: (error: CallFailed) => void
  /** Whether the page stays, because the form ends in a file that the browser saves. */
  readonly stays?: boolean
}

/** Posts a form in place, and leaves the page when it is done. Without script, or before it has loaded, the browser posts it. */
export function useEntryForm({ failure, check, onFail, stays = false }: Options) {
  const t = useTranslations('failures')
  const [error, setError] = useState(() => failure && new CallFailed(failure))
  const [isBusy, setBusy] = useState(false)
  const isHeldBack = useHeldBack(error)
  const post = async (form: HTMLFormElement, fields: FormData) => {
    setBusy(true)
    try {
      leaveTo(await send(form.action, fields, t('unknown')))
      if (!stays) return
      setBusy(false)
      setError(null)
    } catch (thrown) {
      setBusy(false)
      const failed = thrown instanceof CallFailed ? thrown : new CallFailed({ message: t('offline'), data: null })
      setError(failed)
      onFail?.(failed)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    if ((check?.(fields) ?? true) && !isHeldBack && !isBusy) void post(form, fields)
  }
  return { submit, error, reset: () => setError(null), isHeldBack, isBusy }
}

/** Returns where to go. Throws CallFailed. */
async function send(action: string, body: FormData, unknown: string): Promise<string> {
  const answer = await fetch(action, { method: 'POST', headers: { Accept: 'application/json' }, body })
  const content: unknown = await answer.json().catch(() => null)
  const get = (name: string): unknown => (content instanceof Object ? Reflect.get(content, name) : undefined)
  const location = get('location')
  if (answer.ok && typeof location === 'string') return location
  const message = get('message')
  if (typeof message === 'string') throw new CallFailed({ message, data: get('data') })
  // Refused before the form was read, by the limit of pages.
  if (answer.status === 429) throw new CallFailed({ message: unknown, data: { limit: limitIn(answer.headers) } })
  throw new CallFailed({ message: unknown, data: {} })
}

function limitIn(headers: Headers) {
  const { ruleSet, rule, waitMs } = refusalOfHeaders(headers)
  return { ruleSet, retryAfterMs: waitMs, parts: rule }
}
