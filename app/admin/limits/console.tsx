'use client'

import { createContext, use } from 'react'
import type { useQuestion } from './explain/use-question.ts'
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
