'use client'

import { createContext, use, useState } from 'react'
import type { Inputs } from '#app/connection/trpc.ts'
import type { ChosenTarget } from './places.ts'
import type { AddedSetItem, LimitsList, RuleSetItem, Stats, Subject } from './types.ts'

/** A dialog of the page. */
export type OpenDialog =
  | { readonly kind: 'override'; readonly set: RuleSetItem; readonly target: ChosenTarget }
  /** For a new set, null. */
  | { readonly kind: 'added'; readonly known: AddedSetItem | null }
  | {
      readonly kind: 'block'
      /** The set that it begins with; everything without one. */
      readonly ruleSet?: string
      readonly subject?: Pick<Subject, 'key' | 'name'>
      /** The value of an argument, in place of a subject. */
      readonly value?: string
    }
  | {
      readonly kind: 'reset'
      readonly input: Inputs['limits']['reset']
      /** Whose count it is, in words. */
      readonly subject: string
      readonly ruleSet: string
    }

interface Console {
  readonly list: LimitsList
  /** Null until the first figures have arrived. */
  readonly stats: Stats | null
  /** Only superadmins change limits. */
  readonly mayChange: boolean
  readonly open: (dialog: OpenDialog) => void
  readonly question: ReturnType<typeof useQuestion>
}

const Context = createContext<Console | null>(null)

export const ConsoleProvider = Context

/** What all parts of the page show and do. */
export function useConsole(): Console {
  const value = use(Context)
  if (!value) throw new Error('a part of the page of limits stands outside of it')
  return value
}

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
