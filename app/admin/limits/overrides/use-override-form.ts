'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useHeldBack } from '#app/limits/form-failure.tsx'
import { isSame, saveSlot } from '../changes/slot-changes.ts'
import { type OverrideContent, type OverridePlace, useOverrideSlot } from '../changes/use-override-slot.ts'
import { type ChosenTarget, overrideAt, overrideForAll, toTarget } from '../places.ts'
import type { DeclaredTerms, OverrideItem, OverrideTerms, RuleSetItem } from '../types.ts'
import { useConflict } from './conflict.tsx'
import { differenceFrom, parseCharging, parseTermsDraft, type TermsDraft, toTermsDraft } from './override-draft.ts'

interface Options {
  set: RuleSetItem
  initialTarget: ChosenTarget
  onChanged: () => void
  onSaved: () => void
}

/** What is typed into the form of an override or a trial, what it means, and its saving. */
export function useOverrideForm({ set, initialTarget, onChanged, onSaved }: Options) {
  const [chosen, setChosen] = useState(initialTarget)
  const [typed, setTyped] = useState<TermsDraft | null>(null)
  const [typedNote, setTypedNote] = useState<string | null>(null)
  /** The conflicting override that the user has seen: saving again replaces it. */
  const [seenConflict, setSeenConflict] = useState<OverrideItem | null>()
  const saving = useSaving(onSaved, setSeenConflict)
  const { save, isSaving, reset, warnings } = saving
  const isHeldBack = useHeldBack(saving.error)
  /** A change discards the last error, but not a refusal, whose wait still applies. */
  const change = <T>(apply: (to: T) => void) => {
    return (to: T) => {
      apply(to)
      onChanged()
      if (!isHeldBack && !isSaving) reset()
    }
  }
  const target = toTarget(chosen)
  const place = target && { target, procedure: chosen.procedure }
  const known = place && overrideAt(set, place)
  const { isConflict, begun } = useConflict(place, known, typed !== null || typedNote !== null)
  const isSeen = seenConflict !== undefined && isSame(seenConflict, known)
  const draft = typed ?? toTermsDraft(set.declared, (begun ?? overrideForAll(set))?.terms ?? {})
  const note = typedNote ?? begun?.note ?? ''
  const charging = parseCharging(draft)
  const all = charging && parseTermsDraft(draft, set.unit)
  const isTrial = chosen.kind === 'trial'
  const isUnchanged =
    !isTrial && all !== null && Object.keys(charging ?? {}).length === 0 && hasNoEffect(set, all, chosen)
  const submit = () => {
    if (!target || !all || isUnchanged || isHeldBack || isSaving) return
    if (isConflict && !isSeen) return setSeenConflict(known)
    const terms = isTrial ? { rules: all.rules } : termsToSave(set, all, { ...charging, ...blockIn(known) })
    save({
      place: { ruleSet: set.name, procedure: chosen.procedure, target, subjectName: chosen.subjectName },
      content: { terms, note: note.trim() || null },
      shown: known,
      seen: warnings.length > 0,
    })
  }
  const discardMine = () => {
    setTyped(null)
    setTypedNote(null)
  }
  const setters = { choose: change(setChosen), type: change(setTyped), typeNote: change(setTypedNote) }
  const state = { chosen, draft, note, all, target, known, isTrial, isUnchanged, isConflict, isSeen, isHeldBack }
  return { ...state, ...saving, ...setters, submit, discardMine }
}

/** A block stays while the other terms of its override are edited. */
const blockIn = (known: OverrideItem | null): Pick<OverrideTerms, 'blockedUntil'> =>
  known?.terms?.blockedUntil === undefined ? {} : { blockedUntil: known.terms.blockedUntil }

function termsToSave(set: RuleSetItem, all: DeclaredTerms, more: OverrideTerms): OverrideTerms {
  const difference = { ...differenceFrom(set.declared, all), ...more }
  return Object.keys(difference).length > 0 ? difference : { rules: all.rules }
}

/** Whether the terms are the declared ones. They still have an effect where a more general override differs from them. */
function hasNoEffect(set: RuleSetItem, all: DeclaredTerms, { kind, procedure }: ChosenTarget): boolean {
  // Its calls then count by themselves.
  if (procedure) return false
  const isDeclared = Object.keys(differenceFrom(set.declared, all)).length === 0
  const general = set.overrides.filter((each) => {
    return !each.procedure && each.target.kind !== kind && each.target.kind !== 'subject'
  })
  return isDeclared && (kind === 'all' || general.length === 0)
}

interface Saving {
  readonly place: OverridePlace
  readonly content: OverrideContent
  readonly shown: OverrideItem | null
  /** Whether the warnings about the terms were seen. */
  readonly seen: boolean
}

function useSaving(onSaved: () => void, onConflict: (current: OverrideItem | null) => void) {
  const slotOf = useOverrideSlot()
  const { mutate, data, isPending, error, reset } = useMutation({
    mutationFn: ({ place, content, ...as }: Saving) => saveSlot(slotOf(place), content, as),
    onSuccess: ({ isSaved, warnings, now }) => {
      if (isSaved) onSaved()
      else if (warnings.length === 0) onConflict(now)
    },
  })
  return { save: mutate, isSaving: isPending, error, reset, warnings: data?.warnings ?? [] }
}
