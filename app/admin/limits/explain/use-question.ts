'use client'

import { useState } from 'react'

/** A call whose decision is explained. */
export interface Question {
  readonly procedure: string
  /** As `limits.explain` takes it. */
  readonly subject: string
}

const NOTHING: Question = { procedure: '', subject: '' }

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
    window.history.replaceState(window.history.state, '', url)
  }
  return { asked, draft, setDraft, ask }
}

function readAddress(): Question | null {
  if (typeof window === 'undefined') return null
  const search = new URLSearchParams(window.location.search)
  const [procedure, subject] = [search.get('explain'), search.get('caller')]
  return procedure && subject ? { procedure, subject } : null
}
