'use client'

import { useState } from 'react'

/** A call whose decision is explained. */
export interface Question {
  readonly procedure: string
  /** As `limits.explain` takes it. */
  readonly subject: string
  /** The value of the argument that is counted; '' for none. */
  readonly argument: string
}

const NOTHING: Question = { procedure: '', subject: '', argument: '' }

/** The question in the fields and the one that was asked, which stands in the page's address so that it can be sent. `isNear` if the
 *  lower parts of the page are wanted. */
export function useQuestion() {
  const [asked, setAsked] = useState(() => toQuestion(readAddress()))
  const [draft, setDraft] = useState(asked ?? NOTHING)
  const [isNear, setNear] = useState(() => asked !== null || readAddress().has('refusal'))
  const comeNear = () => setNear(true)
  const ask = (question: Question) => {
    setDraft(question)
    setAsked(question)
    comeNear()
    const { procedure, subject, argument } = question
    writeAddress({ explain: procedure, caller: subject, argument })
  }
  return { asked, draft, setDraft, ask, isNear, comeNear }
}

/** The query of the page's address; empty on the server. */
export const readAddress = (): URLSearchParams =>
  new URLSearchParams(typeof window === 'undefined' ? '' : window.location.search)

/** Changes the query of the page's address, without a history entry. Empty values leave it. */
export function writeAddress(values: Readonly<Record<string, string>>): void {
  const url = new URL(window.location.href)
  for (const [name, value] of Object.entries(values)) {
    if (value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  window.history.replaceState(window.history.state, '', url)
}

function toQuestion(address: URLSearchParams): Question | null {
  const [procedure, subject, argument] = ['explain', 'caller', 'argument'].map((name) => address.get(name) ?? '')
  return procedure && subject ? { procedure, subject, argument: argument ?? '' } : null
}
