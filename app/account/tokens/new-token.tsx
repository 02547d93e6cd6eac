'use client'

import { useTranslations } from 'use-intl/react'
import { ClientSettings } from '#app/account/clients/client-settings.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'

/** Shows a new token, once, with the client settings that contain it. */
export function NewToken({ origin, token, onClose }: { origin: string; token: string; onClose: () => void }) {
  const tTokens = useTranslations('tokens')
  const tClients = useTranslations('clients')
  const tAccount = useTranslations('account')
  return (
    <>
      <p className="text-ink-soft">{tTokens('copyNow')}</p>
      <div className="flex items-center gap-3 rounded-md border border-water bg-water-soft py-1.5 pr-1.5 pl-3">
        <output aria-label={tTokens('token')} className="min-w-0 flex-1 font-mono text-sm break-all">
          {token}
        </output>
        <CopyButton text={token} label={tTokens('copyToken')} word={tTokens('copy')} autoFocus />
      </div>
      <section aria-label={tClients('settings')} className="flex flex-col gap-3 border-t border-line pt-4">
        <h3 className="font-semibold">{tAccount('clients')}</h3>
        <ClientSettings origin={origin} token={token} />
      </section>
      <DialogActions>
        <Button tone="primary" onPress={onClose}>
          {tTokens('done')}
        </Button>
      </DialogActions>
    </>
  )
}
