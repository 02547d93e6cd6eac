import { buttonClass } from '#app/ui/button-class.ts'

interface Props {
  /** The address without its query. */
  path: string
  /** What narrows the list, on each of its pages. */
  filter?: Readonly<Record<string, string>>
  label: string
  previous: string
  next: string
  /** Where this page begins; undefined for the first. */
  after: string | undefined
  /** The list's answer to a query for `previous`; missing if it was refused. */
  cursors: { readonly previousCursor?: string | null; readonly nextCursor: string | null } | null | undefined
}

/** The links between the pages of a list, as guests follow them. */
export function PageLinks({ path, filter = {}, label, previous, next, after, cursors }: Props) {
  if (after === undefined && !cursors?.nextCursor) return null
  const write = (cursor: string | null | undefined) => {
    const query = new URLSearchParams({ ...filter, ...(cursor && { after: cursor }) })
    return query.size === 0 ? path : `${path}?${query}`
  }
  return (
    <nav aria-label={label} className="flex flex-wrap justify-center gap-2 py-8">
      {after !== undefined && (
        <a rel="prev" href={write(cursors?.previousCursor)} className={buttonClass('plain')}>
          {previous}
        </a>
      )}
      {cursors?.nextCursor && (
        <a rel="next" href={write(cursors.nextCursor)} className={buttonClass('plain')}>
          {next}
        </a>
      )}
    </nav>
  )
}
