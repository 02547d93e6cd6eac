'use client'

import { Download, Plus, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { late } from '#app/ui/late.tsx'
import { saveText } from '#app/ui/save.ts'
import { toast } from '#app/ui/toast-queue.ts'
import { useConsole } from '../console.tsx'

const ImportDialog = late(() => import('./import-dialog.tsx'))

/** Adds a rule set, and carries all overrides and added sets out and in as one file. */
export function Transfer() {
  const t = useTranslations('adminAdded')
  const { open } = useConsole()
  const exportAll = useExport()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<{ name: string; content: unknown } | null>(null)
  const take = async (chosen: HTMLInputElement) => {
    const [picked] = chosen.files ?? []
    if (!picked) return
    try {
      setFile({ name: picked.name, content: JSON.parse(await picked.text()) })
    } catch (error) {
      // The browser says what it did not expect, and often where.
      toast({
        title: t('notJson', { name: picked.name }),
        ...(error instanceof SyntaxError && { body: error.message }),
      })
    }
    // Otherwise choosing the same file again would change nothing.
    chosen.value = ''
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" onPress={() => open({ kind: 'added', known: null })}>
        <Plus size={15} /> {t('addTitle')}
      </Button>
      <Button size="small" onPress={() => void exportAll()}>
        <Download size={15} /> {t('export')}
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label={t('import')}
        onChange={({ currentTarget }) => void take(currentTarget)}
      />
      <Button size="small" onPress={() => input.current?.click()}>
        <Upload size={15} /> {t('import')}
      </Button>
      {file && <ImportDialog name={file.name} content={file.content} onClose={() => setFile(null)} />}
    </div>
  )
}

/** Returns a function that saves all overrides and added sets as a file. */
function useExport(): () => Promise<void> {
  const t = useTranslations('adminAdded')
  const client = useTRPCClient()
  const exportAll = async (): Promise<void> => {
    try {
      const json = `${JSON.stringify(await client.limits.export.query(), null, 2)}\n`
      saveText([json], { name: 'sluice-limits.json', type: 'application/json' })
    } catch (error) {
      reportFailure(t('exportFailed'), error, exportAll)
    }
  }
  return exportAll
}
