import { type ComponentProps, useState } from 'react'
import { EmptyList } from '#app/ui/empty-list.tsx'

interface Props extends ComponentProps<'ol'> {
  title: string
  /** Shown after the title. */
  period?: string
  isEmpty: boolean
  /** Shown instead of an empty list. */
  empty: string
}

/** A list in order, the first that which is or uses most. */
export function Ranking({ title, period, isEmpty, empty, ...list }: Props) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-sm">
        <span className="font-semibold">{title}</span> <span className="text-ink-soft">{period}</span>
      </h3>
      {isEmpty ? (
        <EmptyList>{empty}</EmptyList>
      ) : (
        <ol
          {...list}
          aria-label={title}
          className="max-h-96 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface"
        />
      )}
    </div>
  )
}

/** A thumbnail, decorative beside the name. Stays empty for what is gone, or if a spent budget refuses it. */
export function Picture({ url }: { url: string | null }) {
  const [missing, setMissing] = useState<string | null>(null)
  return (
    <span className="size-9 shrink-0 overflow-hidden rounded-sm bg-sunken">
      {url && url !== missing && (
        <img src={url} alt="" loading="lazy" onError={() => setMissing(url)} className="size-full object-cover" />
      )}
    </span>
  )
}
