'use client'

import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import type { ReportActions } from './use-report-actions.ts'
import type { ReportItem } from './use-reports.ts'

/** A decision that asks first, because it cannot be undone here. */
export interface ReportTask {
  readonly act: 'hide' | 'ban'
  readonly report: ReportItem
}

interface Props {
  readonly task: ReportTask | null
  readonly onDecide: ReportActions['decide']
  readonly onClose: () => void
}

/** The dialog of a decision. */
export function ReportDialogs({ task, onDecide, onClose }: Props) {
  const t = useTranslations('adminReports')
  if (!task) return null
  const { act, report } = task
  if (act === 'ban') return <BanOwner report={report} onDecide={onDecide} onClose={onClose} />
  return (
    <Confirm
      isOpen
      title={t('hideTitle')}
      action={t('act.hide')}
      onClose={onClose}
      onConfirm={() => onDecide(report, 'hide')}
    >
      {t('hideText')}
    </Confirm>
  )
}

function BanOwner({ report, onDecide, onClose }: Omit<Props, 'task'> & { readonly report: ReportItem }) {
  const t = useTranslations('adminReports')
  const tUi = useTranslations('ui')
  const [reason, setReason] = useState('')
  const { username } = report.owner
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    onDecide(report, 'ban', reason.trim())
  }
  return (
    <Dialog role="alertdialog" title={t('banTitle', { username })} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-ink-soft">{t('banText')}</p>
        <Field
          label={t('banReason')}
          hint={t('banReasonHint', { username })}
          value={reason}
          onChange={setReason}
          maxLength={300}
          autoFocus
        />
        <DialogActions>
          <Button onPress={onClose}>{tUi('cancel')}</Button>
          <Button type="submit" tone="danger">
            {t('act.ban')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
