'use client'

import { Ban, EyeOff, RotateCcw, Trash2, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { reasonName } from './reason-name.ts'
import { ReportNotes } from './report-notes.tsx'
import { ReportedPicture } from './reported-picture.tsx'
import type { ReportAct } from './use-report-actions.ts'
import type { ReportItem } from './use-reports.ts'

interface Props {
  report: ReportItem
  mayDecide: boolean
  mayReopen: boolean
  isBusy: boolean
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  onAct: (act: ReportAct) => void
  onReopen: () => void
}

const outcomes = ['hide', 'trash', 'ban', 'dismiss'] as const

/** A reported image: what it shows, why it was reported and by whom, and what can be done about it. */
export function ReportCard({ report, mayDecide, mayReopen, isBusy, onKeyDown, onAct, onReopen }: Props) {
  const t = useTranslations('adminReports')
  const tReporting = useTranslations('reporting')
  const format = useFormat()
  const { image, owner, count, reasons, lastAt, closedAt, closedBy } = report
  const outcome = outcomes.find((each) => each === report.outcome)
  const title = image.title ?? t('untitled')
  const words = reasons.map(({ reason, count: times }) => {
    const name = reasonName(reason, tReporting)
    return times > 1 ? t('reasonCount', { reason: name, count: times }) : name
  })
  return (
    <li
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move between the rows
      tabIndex={0}
      aria-label={title}
      aria-busy={isBusy}
      onKeyDown={(event) => event.target === event.currentTarget && onKeyDown(event)}
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4 sm:flex-row"
    >
      <ReportedPicture image={image} title={title} />
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div className="flex flex-col gap-1 text-sm">
          <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base font-semibold">
            <span dir="auto" className="wrap-anywhere">
              {title}
            </span>
            {closedAt && outcome && <Tag tone="plain">{t(`outcome.${outcome}`)}</Tag>}
            {!closedAt && outcome && <Tag tone="gate">{t(`before.${outcome}`)}</Tag>}
            <Tag tone="plain">{image.isTrashed ? t('trashed') : t(`visibility.${image.visibility}`)}</Tag>
            {owner.isBanned && <Tag tone="danger">{t('banned')}</Tag>}
          </h2>
          <p className="font-medium">{format.parts(words)}</p>
          <p className="figures flex flex-wrap gap-x-3 text-ink-soft">
            <span>{t('by', { username: owner.username })}</span>
            <span>{t('reporters', { count })}</span>
            <span>{t.rich('lastAt', { date: () => <LocalDate iso={lastAt} time /> })}</span>
            {closedAt && (
              <span>
                {t.rich('closedAt', { username: closedBy ?? '', date: () => <LocalDate iso={closedAt} time /> })}
              </span>
            )}
          </p>
        </div>
        <ReportNotes notes={report.notes} count={count} />
        {mayDecide && image.thumbnailUrl === null && <p className="text-sm text-ink-soft">{t('unseenHint')}</p>}
        <div className="mt-auto flex flex-wrap gap-1.5">
          {mayDecide && (
            <>
              <Button size="small" isPending={isBusy} onPress={() => onAct('hide')}>
                <EyeOff size={16} /> {t('act.hide')}
              </Button>
              <Button size="small" isPending={isBusy} onPress={() => onAct('trash')}>
                <Trash2 size={16} /> {t('act.trash')}
              </Button>
              {report.mayBan && (
                <Button tone="quiet-danger" size="small" isPending={isBusy} onPress={() => onAct('ban')}>
                  <Ban size={16} /> {t('act.ban')}
                </Button>
              )}
              <Button tone="quiet" size="small" isPending={isBusy} onPress={() => onAct('dismiss')}>
                <X size={16} /> {t('act.dismiss')}
              </Button>
            </>
          )}
          {mayReopen && (
            <Button size="small" isPending={isBusy} onPress={onReopen}>
              <RotateCcw size={16} /> {t('reopen')}
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}
