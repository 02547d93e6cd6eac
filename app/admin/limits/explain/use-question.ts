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

/** The question in the fields and the one that was asked, which stands in the page's address so that it can be sent. */
export function useQuestion() {
  const [asked, setAsked] = useState(readAddress)
  const [draft, setDraft] = useState(asked ?? NOTHING)
  const ask = (question: Question) => {
    setDraft(question)
    setAsked(question)
    const url = new URL(window.location.href)
    url.searchParams.set('explain', question.procedure)
    url.searchParams.set('caller', question.subject)
    if (question.argument === '') url.searchParams.delete('argument')
    else url.searchParams.set('argument', question.argument)
    window.history.replaceState(window.history.state, '', url)
  }
  return { asked, draft, setDraft, ask }
}

function readAddress(): Question | null {
  if (typeof window === 'undefined') return null
  const search = new URLSearchParams(window.location.search)
  const [procedure, subject] = [search.get('explain'), search.get('caller')]
  const argument = search.get('argument') ?? ''
  return procedure && subject ? { procedure, subject, argument } : null
}
