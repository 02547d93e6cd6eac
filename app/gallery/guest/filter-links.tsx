import { type LucideIcon, Tag, UserRound, X } from 'lucide-react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { translatorOfRequest } from '#app/locale.ts'

/** What narrows the public gallery, by the names in its address. */
export interface GuestFilter {
  readonly tag?: string
  readonly owner?: string
}

const MOST = 12

export const writeFilter = (filter: GuestFilter): string => {
  const query = new URLSearchParams({ ...filter })
  return query.size === 0 ? '/' : `/?${query}`
}

interface Props {
  filter: GuestFilter
  /** The images of the page, with whose tags and owners the list can be narrowed further. */
  items: readonly ImageItem[]
  /** The name of the owner that the list is narrowed to. */
  ownerName: string | null
}

/** The filters of the public gallery as plain links: those that are set, which a press removes, and others to choose. */
export async function FilterLinks({ filter, items, ownerName }: Props) {
  const translate = await translatorOfRequest()
  const { tag, owner, ...others } = filter
  const tags = tag === undefined ? mostFrequent(items.flatMap((item) => item.tags ?? [])) : []
  const names = new Map(items.flatMap((item) => (item.owner.name === null ? [] : [[item.owner.id, item.owner.name]])))
  const owners = owner === undefined ? mostFrequent(items.map((item) => item.owner.id)) : []
  const people = owners.flatMap((id) => {
    const name = names.get(id)
    return name === undefined ? [] : [{ id, name }]
  })
  const by = ownerName === null ? translate('gallery.bySomeone') : translate('gallery.byOwner', { owner: ownerName })
  if (tag === undefined && owner === undefined && tags.length === 0 && people.length === 0) return null
  return (
    <nav aria-label={translate('gallery.filters')} className="flex flex-wrap items-center gap-2 pb-4 text-sm">
      {tag !== undefined && (
        <Remove
          href={writeFilter({ ...others, ...(owner !== undefined && { owner }) })}
          label={translate('gallery.removeFilter', { filter: tag })}
        >
          {tag}
        </Remove>
      )}
      {owner !== undefined && (
        <Remove
          href={writeFilter({ ...others, ...(tag !== undefined && { tag }) })}
          label={translate('gallery.removeFilter', { filter: by })}
        >
          {by}
        </Remove>
      )}
      <Choices
        icon={Tag}
        label={translate('gallery.filterTags')}
        choices={tags.map((name) => ({ name, href: writeFilter({ ...filter, tag: name }) }))}
      />
      <Choices
        icon={UserRound}
        label={translate('gallery.filterOwners')}
        choices={people.map(({ id, name }) => ({ name, href: writeFilter({ ...filter, owner: id }) }))}
      />
    </nav>
  )
}

function Remove({ href, label, children }: { href: string; label: string; children: string }) {
  return (
    <a
      href={href}
      aria-label={label}
      className="flex min-h-8 max-w-full items-center gap-1.5 rounded-md bg-water-soft px-2.5 py-1 font-medium text-water hover:underline"
    >
      <bdi className="truncate">{children}</bdi>
      <X size={15} aria-hidden="true" className="shrink-0" />
    </a>
  )
}

interface ChoicesProps {
  icon: LucideIcon
  label: string
  choices: readonly { name: string; href: string }[]
}

function Choices({ icon: Icon, label, choices }: ChoicesProps) {
  if (choices.length === 0) return null
  return (
    <ul aria-label={label} className="contents">
      {choices.map(({ name, href }) => (
        <li key={href} className="max-w-full">
          <a
            href={href}
            className="flex min-h-8 max-w-full items-center gap-1.5 rounded-md bg-sunken px-2.5 py-1 hover:bg-hover"
          >
            <Icon size={14} aria-hidden="true" className="shrink-0 text-ink-soft" />
            <bdi className="truncate">{name}</bdi>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Returns up to MOST of several values, the most frequent first. */
function mostFrequent(values: readonly string[]): readonly string[] {
  const counts = Map.groupBy(values, (value) => value)
  return [...counts]
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, MOST)
    .map(([value]) => value)
}
