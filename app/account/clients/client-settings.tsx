'use client'

import { Download } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { saveText } from './save-text.ts'
import { listProgramSettings, type Setting, type ProgramSettings as Settings } from './settings.ts'

interface Props {
  origin: string
  token: string
  /** Whether `token` is a placeholder, so that a file with it would be useless. */
  isExample?: boolean
}

/** Settings for programs that upload, one program per tab, each with a copy button. */
export function ClientSettings({ origin, token, isExample = false }: Props) {
  const t = useTranslations('clients')
  return (
    <Tabs
      label={t('program')}
      tabs={listProgramSettings(origin, token).map((settings) => ({
        id: settings.id,
        name: settings.name,
        panel: <Panel settings={settings} isExample={isExample} />,
      }))}
    />
  )
}

function Panel({ settings: { id, fields, text, file }, isExample }: { settings: Settings; isExample: boolean }) {
  const t = useTranslations('clients')
  return (
    <>
      <p className="text-sm text-ink-soft">{t(`hints.${id}`)}</p>
      {file && isExample && <p className="text-sm text-ink-soft">{t('needsToken')}</p>}
      {file && !isExample && (
        <Button size="small" className="self-start" onPress={() => saveText(file.name, file.value)}>
          <Download size={16} /> {file.name}
        </Button>
      )}
      {fields.length > 0 && (
        <ul className="overflow-hidden rounded-md border border-line bg-surface">
          {fields.map((field) => (
            <Line key={field.name} field={field} />
          ))}
        </ul>
      )}
      {text && (
        <div className="flex items-start gap-1 rounded-md border border-line bg-surface py-1 pr-1 pl-3">
          <pre className="min-w-0 flex-1 py-1.5 font-mono text-[0.8125rem] whitespace-pre-wrap wrap-anywhere">
            {text}
          </pre>
          <CopyButton text={text} label={file ? t('copyUploader') : t('copyCommand')} />
        </div>
      )}
    </>
  )
}

function Line({ field: { name, value } }: { field: Setting }) {
  const t = useTranslations('clients')
  return (
    <li className="flex min-h-10 items-center gap-x-3 border-line py-1 pr-1 pl-3 not-last:border-b">
      <span className="w-28 shrink-0 text-sm break-words">{name}</span>
      <code className="min-w-0 flex-1 font-mono text-[0.8125rem] wrap-anywhere text-ink-soft">{value}</code>
      <CopyButton text={value} label={t('copy', { name })} />
    </li>
  )
}
