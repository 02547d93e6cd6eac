'use client'

import { Download } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { useSession } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import { saveText } from '#app/ui/save.ts'

interface Props {
  codes: readonly string[]
  username: string
  onDone: () => void
}

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, username, onDone }: Props) {
  const t = useTranslations('factors')
  const { site } = useSession()
  const download = () => {
    const text = `${t('fileTitle', { site: site.name, username })}\n\n${codes.join('\n')}\n`
    saveText([text], { name: `recovery-codes-${username}.txt`, type: 'text/plain' })
  }
  return (
    <>
      <p className="text-ink-soft">{t('codesLead')}</p>
      <ol
        aria-label={t('codes')}
        dir="ltr"
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-md border border-water bg-water-soft px-4 py-3 font-mono text-sm min-[24rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} label={t('copyCodes')} word={t('copy')} autoFocus />
        <Button size="small" onPress={download}>
          <Download size={16} /> {t('download')}
        </Button>
      </div>
      <DialogActions>
        <Button tone="primary" onPress={onDone}>
          {t('codesKept')}
        </Button>
      </DialogActions>
    </>
  )
}
