'use client'

import { ClientSettings } from '#app/account/clients/client-settings.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'

/** A token, this once, and the settings of programs with it. */
export function NewToken({ origin, token, onClose }: { origin: string; token: string; onClose: () => void }) {
  return (
    <>
      <p className="text-ink-soft">Copy it now, or the settings below: it is not shown again.</p>
      <div className="flex items-center gap-3 rounded-md border border-water bg-water-soft py-1.5 pr-1.5 pl-3">
        <output aria-label="Token" className="min-w-0 flex-1 font-mono text-sm break-all">
          {token}
        </output>
        <CopyButton text={token} label="Copy the token" word="Copy" autoFocus />
      </div>
      <section aria-label="Settings of programs" className="flex flex-col gap-3 border-t border-line pt-4">
        <h3 className="font-semibold">Upload from programs</h3>
        <ClientSettings origin={origin} token={token} />
      </section>
      <DialogActions>
        <Button tone="primary" onPress={onClose}>
          Done
        </Button>
      </DialogActions>
    </>
  )
}
