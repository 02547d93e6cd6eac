import { writeFilter } from '#app/gallery/guest/filter-links.tsx'
import { PlainTags } from '#app/tags/plain-tags.tsx'

interface Props {
  tags: readonly string[] | null
  title: string
  /** Whether the public gallery lists the image, so that its tags lead to others. */
  isListed: boolean
}

/** The part Tags of a guest's page, rendered on the server alone, as the description is: guests load no script for either. */
export function GuestTags({ tags, title, isListed }: Props) {
  if (!tags || tags.length === 0) return null
  return (
    <section className="flex flex-col gap-2.5">
      <h2 className="text-sm font-semibold">{title}</h2>
      {isListed ? <LinkedTags tags={tags} label={title} /> : <PlainTags tags={tags} label={title} />}
    </section>
  )
}

function LinkedTags({ tags, label }: { tags: readonly string[]; label: string }) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {tags.map((tag) => (
        <li key={tag} className="max-w-full">
          <a
            href={writeFilter({ tag })}
            className="flex h-8 items-center rounded-full bg-sunken px-3 text-sm hover:bg-hover"
          >
            <span dir="auto" className="truncate">
              {tag}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
