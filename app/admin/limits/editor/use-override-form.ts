'use client'

import { useState } from 'react'
import type { Unit } from '#server/limits/rule-set.ts'
import { isSame, saveSlot } from '../changes/slot.ts'
import { useOverrideSlot } from '../changes/use-slots.ts'
import { type ChosenTarget, overrideAt, overrideForAll, toTarget } from '../places.ts'
import { placeKey } from '../terms-text.ts'
import type { DeclaredTerms, OverrideItem, OverrideTerms, Place, RuleSetItem } from '../types.ts'
import { type Frame, useSaving } from './entry-form.tsx'
import { differenceFrom, parseCharging, parseTermsDraft, type TermsDraft, toTermsDraft } from './terms-draft.ts'

/** What is typed into the form of an override or a trial, what it means, and its saving. */
export function useOverrideForm(set: RuleSetItem, initialTarget: ChosenTarget, frame: Frame) {
  const [chosen, setChosen] = useState(initialTarget)
  const [typed, setTyped] = useState<{ draft?: TermsDraft; note?: string }>({})
  /** The conflicting override that the user has seen: saving again replaces it. */
  const [seenConflict, setSeenConflict] = useState<OverrideItem | null>()
  const slotOf = useOverrideSlot()
  const saving = useSaving<OverrideItem>(frame, setSeenConflict)
  const target = toTarget(chosen)
  const place = target && { target, procedure: chosen.procedure }
  const known = place && overrideAt(set, place)
  const { isConflict, begun } = useConflict(place, known, Object.keys(typed).length > 0)
  const isSeen = seenConflict !== undefined && isSame(seenConflict, known)
  const general = overrideForAll(set, chosen.procedure) ?? overrideForAll(set)
  const draft = typed.draft ?? toTermsDraft(set.declared, (begun ?? general)?.terms ?? {})
  const note = typed.note ?? begun?.note ?? ''
  const { all, charging } = parseAll(draft, set.unit)
  const isTrial = chosen.kind === 'trial'
  const isUnchanged = !isTrial && all !== null && isEmpty(charging) && hasNoEffect(set, all, chosen)
  const submit = () => {
    if (!target || !all) return
    if (isConflict && !isSeen) return setSeenConflict(known)
    const terms = isTrial ? { rules: all.rules } : termsToSave(set, all, { ...charging, ...blockIn(known) })
    const slot = slotOf({ ...place, target, ruleSet: set.name, subjectName: chosen.subjectName })
    saving.save((seen) => saveSlot(slot, { terms, note: note.trim() || null }, { shown: known, seen }))
  }
  const change = <T>(apply: (to: T) => void) => {
    return (to: T) => {
      apply(to)
      saving.touch()
    }
  }
  const setters = {
    choose: change(setChosen),
    type: change((to: TermsDraft) => setTyped({ ...typed, draft: to })),
    typeNote: change((to: string) => setTyped({ ...typed, note: to })),
    discardMine: () => setTyped({}),
  }
  const state = { chosen, draft, note, all, target, known, isTrial, isUnchanged, isConflict, isSeen }
  return { ...state, ...setters, saving, submit }
}

/** The fields of an override or a trial. */
export type OverrideForm = ReturnType<typeof useOverrideForm>

/** Whether someone else has changed the override of a place since the user began to edit it, and what it was then. */
function useConflict(at: Place | null, known: OverrideItem | null, isTyped: boolean) {
  const place = at && placeKey(at)
  const [seen, setSeen] = useState({ place, known })
  const isOther = !isSame(seen.known, known)
  const isHere = seen.place === place
  if (!isHere || (isOther && !isTyped)) setSeen({ place, known })
  return { isConflict: isOther && isHere, begun: isHere ? seen.known : known }
}

/** All terms of a draft and how it charges calls; the terms are null while a field is invalid. */
function parseAll(draft: TermsDraft, unit: Unit) {
  const charging = parseCharging(draft)
  return { all: charging && parseTermsDraft(draft, unit), charging: charging ?? {} }
}

const isEmpty = (terms: OverrideTerms): boolean => Object.keys(terms).length === 0

/** A block stays while the other terms of its override are edited. */
const blockIn = (known: OverrideItem | null): Pick<OverrideTerms, 'blockedUntil'> =>
  known?.terms?.blockedUntil === undefined ? {} : { blockedUntil: known.terms.blockedUntil }

function termsToSave(set: RuleSetItem, all: DeclaredTerms, more: OverrideTerms): OverrideTerms {
  const difference = { ...differenceFrom(set.declared, all), ...more }
  return isEmpty(difference) ? { rules: all.rules } : difference
}

/** Whether the terms are the declared ones. They still have an effect where a more general override differs from them. */
function hasNoEffect(set: RuleSetItem, all: DeclaredTerms, { kind, procedure }: ChosenTarget): boolean {
  // Its calls then count by themselves.
  if (procedure) return false
  const isDeclared = isEmpty(differenceFrom(set.declared, all))
  const general = set.overrides.filter((each) => {
    return !each.procedure && each.target.kind !== kind && each.target.kind !== 'subject'
  })
  return isDeclared && (kind === 'all' || general.length === 0)
}
