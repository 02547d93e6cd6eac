import { buttonClass } from '#app/ui/button-class.ts'

/** How many pages back the address leads; further back is the first page. */
const MOST_STEPS = 20

interface Props {
  /** The address without its query. */
  path: string
  /** What narrows the list, on each of its pages. */
  filter?: Readonly<Record<string, string>>
  label: string
  previous: string
  next: string
  /** Where this page and those before it begin: the cursors that led here. */
  after: readonly string[]
  nextCursor: string | null | undefined
}

/** The links between the pages of a list, as guests follow them. */
export function PageLinks({ path, filter = {}, label, previous, next, after, nextCursor }: Props) {
  if (after.length === 0 && !nextCursor) return null
  const write = (cursors: readonly string[]) => {
    const steps = cursors.slice(-MOST_STEPS).map((cursor) => ['after', cursor])
    const query = new URLSearchParams([...Object.entries(filter), ...steps])
    return query.size === 0 ? path : `${path}?${query}`
  }
  return (
    <nav aria-label={label} className="flex flex-wrap justify-center gap-2 py-8">
      {after.length > 0 && (
        <a rel="prev" href={write(after.slice(0, -1))} className={buttonClass('plain')}>
          {previous}
        </a>
      )}
      {nextCursor && (
        <a rel="next" href={write([...after, nextCursor])} className={buttonClass('plain')}>
          {next}
        </a>
      )}
    </nav>
  )
}
