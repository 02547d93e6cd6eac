'use client'

import { late } from '#app/ui/late.tsx'
import { type OpenDialog, useConsole } from './console.tsx'

const AddedEditor = late(() => import('./editor/added-editor.tsx').then((module) => module.AddedEditor))
const OverrideEditor = late(() => import('./editor/override-editor.tsx').then((module) => module.OverrideEditor))
export const BlockDialog = late(() => import('./blocks/block-dialog.tsx').then((module) => module.BlockDialog))
const ResetDialog = late(() => import('./subjects/reset-dialog.tsx').then((module) => module.ResetDialog))

/** The open dialog. Others may change what it edits. */
export function OpenedDialog({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
  const { ruleSets } = useConsole().list
  if (dialog.kind === 'block') return <BlockDialog {...dialog} onClose={onClose} />
  if (dialog.kind === 'reset') return <ResetDialog {...dialog} onClose={onClose} />
  if (dialog.kind === 'added') return <AddedEditor known={dialog.known} onClose={onClose} />
  const { set, target } = dialog
  const current = ruleSets.find(({ name }) => name === set.name) ?? set
  return <OverrideEditor set={current} initialTarget={target} onClose={onClose} />
}
