'use client'

import { Pencil, X } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { LocalDate } from '#app/ui/moment.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { useConsole } from '../console.tsx'
import { overrideAt, toChosenTarget } from '../places.ts'
import { targetName, termsSummary } from '../terms-text.ts'
import type { AddedSetItem, OverrideItem, RuleSetItem } from '../types.ts'
import { Action, Apply, EntryLine } from './entry-line.tsx'
import { clearSlot, saveSlot } from './slot.ts'
import { useAddedSlot, useOverrideSlot } from './use-slots.ts'

interface Props {
  set: RuleSetItem
  override: OverrideItem
  /** Called before the row is removed, and the focused button with it. */
  onClear: () => void
}

/** One override: its target, terms, author and note. */
export function OverrideLine({ set, override, onClear }: Props) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const { mayChange, open } = useConsole()
  const { procedure, target, subjectName } = override
  const name = targetName(tLimits, target, subjectName, procedure)
  const clear = useClear(set, override, onClear)
  const edit = () => open({ kind: 'override', set, target: toChosenTarget(override) })
  const actions = (
    <>
      {target.kind !== 'argument' && (
        <Action icon={Pencil} label={t('edit')} longLabel={t('editLabel', { target: name })} onPress={edit} />
      )}
      <Action icon={X} label={t('clear')} longLabel={t('clearLabel', { target: name })} onPress={clear} />
    </>
  )
  return (
    <li>
      <EntryLine name={t('for', { target: name })} entry={override} actions={mayChange && actions}>
        <Terms override={override} />
      </EntryLine>
    </li>
  )
}

/** Rules that are tried beside those of a set, and what they would have refused. */
export function TrialLine({ set, override: trial, onClear }: Props) {
  const t = useTranslations('adminOverrides')
  const { mayChange, open } = useConsole()
  const names = { ruleSet: set.name }
  const apply = useApply(set, trial)
  const end = useClear(set, trial, onClear)
  const edit = () => open({ kind: 'override', set, target: toChosenTarget(trial) })
  const actions = (
    <>
      <Apply label={t('trial.apply')} failed={t('trial.applyFailed', names)} change={apply} />
      <Action icon={Pencil} label={t('edit')} longLabel={t('trial.editLabel', names)} onPress={edit} />
      <Action icon={X} label={t('trial.end')} onPress={end} />
    </>
  )
  return (
    <EntryLine name={t('trial.line', { count: set.usedBy.length })} entry={trial} actions={mayChange && actions}>
      <Terms override={trial} />
      {!trial.problem && <TrialCounts set={set} />}
    </EntryLine>
  )
}

/** All processes have learned of a trial by then. */
const LEARNING_MS = 10_000

/** Figures of an earlier version of a trial may still arrive. */
function TrialCounts({ set: { name, trial } }: { set: RuleSetItem }) {
  const t = useTranslations('adminOverrides')
  const counts = useConsole().stats?.trials.find((each) => each.ruleSet === name && each.version === trial?.changedAt)
  if (!counts) return <p className="font-medium">{t('trial.nothingYet')}</p>
  const { refused, asked, since, wholeSince } = counts
  const at = (ms: number) => () => <LocalDate iso={new Date(ms).toISOString()} time />
  return (
    <>
      <p className="figures font-medium">{t.rich('trial.counts', { refused, asked, since: at(since) })}</p>
      {wholeSince - since > LEARNING_MS && (
        <p className="figures text-ink-soft">{t.rich('trial.whole', { since: at(wholeSince) })}</p>
      )}
    </>
  )
}

/** Who added a rule set and why, with what can be done about it. `shadowed`: the calls that shadow mode has let pass since the
 *  processes began. */
export function AddedLine({ item, shadowed }: { item: AddedSetItem; shadowed: number }) {
  const t = useTranslations('adminAdded')
  const format = useFormat()
  const slotOf = useAddedSlot()
  const { mayChange, open } = useConsole()
  const { name, procedure, set, note, problem } = item
  const slot = slotOf({ name, procedure })
  const isInShadow = set?.mode === 'shadow' && !problem
  const enforce = async () => {
    const content = set && { set: { ...set, mode: 'enforce' as const }, note }
    if (content) await saveSlot(slot, content, { shown: item, seen: true })
  }
  const edit = () => open({ kind: 'added', known: item })
  const remove = () => void clearSlot(slot, item)
  const actions = (
    <>
      {isInShadow && <Apply label={t('enforce')} failed={t('applyFailed', { name })} change={enforce} />}
      {set && <Action icon={Pencil} label={t('edit')} longLabel={t('editLabel', { name })} onPress={edit} />}
      <Action icon={X} label={t('remove')} longLabel={t('removeLabel', { name })} onPress={remove} />
    </>
  )
  return (
    <EntryLine name={t('line', { name, procedure })} entry={item} actions={mayChange && actions}>
      {isInShadow && <p className="figures">{format.sentences([t('inShadow'), t('soFar', { count: shadowed })])}</p>}
    </EntryLine>
  )
}

/** The added rule sets that are not in effect, and so not among the others. */
export default function BrokenSets() {
  const t = useTranslations('adminAdded')
  const broken = useConsole().list.added.filter(({ problem }) => problem)
  return (
    <section aria-label={t('notInEffect')} className="mt-10 flex flex-col gap-2">
      <h3 className="text-sm font-semibold">{t('notInEffect')}</h3>
      {broken.map((item) => (
        <AddedLine key={item.name} item={item} shadowed={0} />
      ))}
    </section>
  )
}

function Terms({ override: { terms } }: { override: OverrideItem }) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  return terms && <p className="figures">{termsSummary(t, format, terms)}</p>
}

function useClear({ name }: RuleSetItem, override: OverrideItem, onClear: () => void) {
  const slotOf = useOverrideSlot()
  return () => {
    onClear()
    const { procedure, target, subjectName } = override
    void clearSlot(slotOf({ ruleSet: name, procedure, target, subjectName }), override)
  }
}

/** Makes the rules in trial those of the set for everyone, and ends the trial. */
function useApply(set: RuleSetItem, trial: OverrideItem) {
  const slotOf = useOverrideSlot()
  return async (): Promise<void> => {
    if (!trial.terms) return
    const place = { ruleSet: set.name, target: { kind: 'all' }, subjectName: null } as const
    const shown = overrideAt(set, place)
    const terms = { ...shown?.terms, ...trial.terms }
    const { isSaved } = await saveSlot(slotOf(place), { terms, note: trial.note }, { shown, seen: true })
    if (isSaved) await clearSlot(slotOf({ ...place, target: trial.target }), trial)
  }
}
