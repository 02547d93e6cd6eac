/** Tags of an image for those who cannot change them, without script. */
export function PlainTags({ tags, label }: { tags: readonly string[]; label: string }) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {tags.map((tag) => (
        <li key={tag} className="flex h-8 max-w-full items-center rounded-full bg-sunken px-3 text-sm">
          <span dir="auto" className="truncate">
            {tag}
          </span>
        </li>
      ))}
    </ul>
  )
}
