'use client'

import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import type { ChosenTarget } from '../places.ts'
import { TermsTable } from '../rule-sets/terms-table.tsx'
import { termsSummary } from '../terms-text.ts'
import type { DeclaredTerms, OverrideItem, RuleSetItem } from '../types.ts'
import { Editor, EntryForm, type Frame } from './entry-form.tsx'
import { TargetFields } from './target-fields.tsx'
import { useOverrideForm } from './use-override-form.ts'

interface Props {
  /** The current rule set: others may change it while the form is open. */
  set: RuleSetItem
  initialTarget: ChosenTarget
  onClose: () => void
}

/** A dialog to edit an override, or the rules of a trial. */
export default function OverrideEditor({ set, initialTarget, onClose }: Props) {
  const t = useTranslations('adminOverrides')
  const title = t(initialTarget.kind === 'trial' ? 'trial.title' : 'title', { ruleSet: set.name })
  return (
    <Editor title={title} onClose={onClose}>
      {(frame) => <OverrideForm set={set} initialTarget={initialTarget} frame={frame} />}
    </Editor>
  )
}

function OverrideForm({ set, initialTarget, frame }: Omit<Props, 'onClose'> & { frame: Frame }) {
  const t = useTranslations('adminOverrides')
  const form = useOverrideForm(set, initialTarget, frame)
  const { saving, known, all, isTrial, isUnchanged, isSeen } = form
  const isConflict = form.isConflict && !saving.isPending
  const label = isConflict && isSeen ? t('replace') : isTrial && !known ? t('trial.begin') : t('save')
  return (
    <EntryForm
      {...{ saving, draft: form.draft, note: form.note, onChange: form.type, onNote: form.typeNote }}
      {...{ unit: set.unit, canDegrade: set.canDegrade, isOnlyRules: isTrial, onCancel: frame.onCancel }}
      chargingDefault={t('asDeclared')}
      isValid={all !== null && form.target !== null}
      isDisabled={isUnchanged}
      onSubmit={form.submit}
      submitLabel={label}
      result={!isTrial && <Result declared={set.declared} all={all} />}
      notices={
        <>
          {isUnchanged && <Notice>{t('unchanged')}</Notice>}
          {isConflict && <ConflictNotice current={known} isSeen={isSeen} onDiscard={form.discardMine} />}
        </>
      }
    >
      {(isChecked) =>
        isTrial ? (
          <p className="text-sm text-ink-soft">{t('trial.text')}</p>
        ) : (
          <TargetFields set={set} form={form} isChecked={isChecked} />
        )
      }
    </EntryForm>
  )
}

/** The resulting terms beside the declared ones. */
function Result({ declared, all }: { declared: DeclaredTerms; all: DeclaredTerms | null }) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  return (
    <section aria-label={t('result')} className="rounded-md border border-line bg-ground px-3 py-2.5">
      {all ? (
        <TermsTable declared={declared} effective={all} heading={tLimits('afterSaving')} />
      ) : (
        <p className="text-sm text-ink-soft">{t('resultPending')}</p>
      )}
    </section>
  )
}

interface ConflictProps {
  /** The override that someone else has saved; null if it was cleared. */
  current: OverrideItem | null
  /** Whether the user has just tried to save: the notice then takes the focus, which scrolls it into view. */
  isSeen: boolean
  onDiscard: () => void
}

/** Reports that someone else has changed the override being edited, and shows its current terms. */
function ConflictNotice({ current, isSeen, onDiscard }: ConflictProps) {
  const t = useTranslations('adminOverrides')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isSeen) place.current?.focus()
  }, [isSeen])
  return (
    <div ref={place} tabIndex={-1} className="scroll-mb-24 rounded-md">
      <Notice tone="danger">
        <Sentence current={current} />{' '}
        <Button tone="quiet" size="small" onPress={onDiscard}>
          {t('discardMine')}
        </Button>
      </Notice>
    </div>
  )
}

function Sentence({ current }: Pick<ConflictProps, 'current'>) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  if (!current) return t('conflictCleared')
  const user = current.changedBy ?? t('deletedUser')
  if (!current.terms) return t('conflictChanged', { user })
  return t('conflictChangedTo', { user, terms: termsSummary(tLimits, format, current.terms) })
}
