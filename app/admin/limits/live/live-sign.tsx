import type { LiveState } from './use-live-stats.ts'

const faces = {
  live: { dot: 'bg-good', word: 'Live' },
  polling: { dot: 'bg-line-strong', word: 'Every 3 seconds' },
  connecting: { dot: 'bg-line-strong', word: 'Connecting' },
  reconnecting: { dot: 'bg-gate', word: 'Reconnecting' },
  signedOut: { dot: 'bg-danger', word: 'Signed out' },
  paused: { dot: 'bg-line-strong', word: 'Paused' },
} as const satisfies Record<LiveState, object>

/** How fresh the figures are. Only a change of that is read aloud, not the figures. */
export function LiveSign({ state }: { state: LiveState }) {
  const { dot, word } = faces[state]
  return (
    <p role="status" className="flex items-center gap-2 text-sm font-medium text-ink-soft">
      <span aria-hidden="true" className={`size-2 rounded-full ${dot}`} />
      {word}
    </p>
  )
}
