'use client'

import { useTranslations } from 'use-intl/react'
import { useErrorText } from '#app/limits/use-error-text.ts'
import { FirstFew } from '#app/ui/first-few.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import type { BackupRun } from './types.ts'

const FEW = 10
const tones = { running: 'water', good: 'plain', failed: 'danger', interrupted: 'gate' } as const

/** The last backups, with what was sent and what failed. */
export function BackupRuns({ runs }: { runs: readonly BackupRun[] }) {
  const t = useTranslations('adminBackups')
  const newest = runs.find(({ state, name }) => state === 'good' && name !== null)
  return (
    <section aria-labelledby="runs">
      <h2 id="runs" className="mb-3 text-lg font-semibold">
        {t('runs')}
      </h2>
      {runs.length === 0 && <p className="text-sm text-ink-soft">{t('noRuns')}</p>}
      {runs.length > 0 && (
        <FirstFew items={runs} few={FEW}>
          {(few) => (
            <ul aria-labelledby="runs" className="divide-y divide-line rounded-lg border border-line bg-surface">
              {few.map((run) => (
                <RunRow key={run.id} run={run} />
              ))}
            </ul>
          )}
        </FirstFew>
      )}
      {newest && (
        <p className="mt-3 text-sm text-ink-soft">
          {t.rich('restoreHint', {
            command: () => <Command text={`npx sluice backup restore --snapshot ${newest.name}`} />,
          })}
        </p>
      )}
    </section>
  )
}

function Command({ text }: { text: string }) {
  return <code className="font-mono text-[0.8125rem] break-words">{text}</code>
}

function RunRow({ run }: { run: BackupRun }) {
  const t = useTranslations('adminBackups')
  const format = useFormat()
  const say = useErrorText()
  const { state, cause, startedAt, damaged, errorText, error } = run
  const reason = (errorText && say(errorText)) || error
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-2.5 text-sm md:grid-cols-[12rem_minmax(0,1fr)]">
      <span className="figures font-medium">
        <LocalDate iso={startedAt} time />
      </span>
      <div className="min-w-0">
        <p className="figures flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft">
          <Tag tone={tones[state]}>{t(`state.${state}`)}</Tag>
          <span>{format.parts([t(`cause.${cause}`), ...useFigures(run)])}</span>
        </p>
        {damaged > 0 && (
          <p className="mt-1 text-gate">{t('damaged', { count: damaged, command: 'npm run check:data' })}</p>
        )}
        {reason && <p className={`mt-1 break-words ${state === 'failed' ? 'text-danger' : ''}`}>{reason}</p>}
        {state === 'interrupted' && <p className="mt-1">{t('interruptedHint')}</p>}
      </div>
    </li>
  )
}

/** What the run has done, in figures. */
function useFigures({ startedAt, endedAt, state, ...run }: BackupRun): string[] {
  const t = useTranslations('adminBackups')
  const format = useFormat()
  const { objects, bytes, sentObjects, sentBytes, pruned, requests } = run
  return [
    ...(objects > 0 ? [t('contents', { objects, size: format.bytes(bytes) })] : []),
    ...(objects > 0 && state !== 'running' ? [t('sent', { sent: sentObjects, size: format.bytes(sentBytes) })] : []),
    ...(pruned > 0 ? [t('pruned', { count: pruned })] : []),
    ...(requests > 0 ? [t('requests', { count: requests })] : []),
    ...(endedAt
      ? [t('took', { time: format.wait(Math.max(1_000, Date.parse(endedAt) - Date.parse(startedAt))) })]
      : []),
  ]
}
