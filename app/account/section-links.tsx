interface Props {
  label: string
  sections: readonly { readonly id: string; readonly title: string }[]
}

/** Leads to the parts of a long page: a column beside it, or on narrow screens a row that stays below the site's header. */
export function SectionLinks({ label, sections }: Props) {
  return (
    <nav
      aria-label={label}
      className="sticky top-14 z-10 max-lg:-mx-4 max-lg:overflow-x-auto max-lg:border-b max-lg:border-line max-lg:bg-ground/95 max-lg:px-4 max-lg:backdrop-blur-sm max-lg:[scrollbar-width:none] sm:max-lg:-mx-6 sm:max-lg:px-6 lg:top-20 lg:self-start lg:pt-6"
    >
      <ul className="flex gap-0.5 max-lg:-ml-2.5 max-lg:w-max max-lg:py-2 lg:flex-col">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="block rounded-md px-2.5 py-1.5 text-sm text-ink-soft hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 max-lg:whitespace-nowrap lg:-ml-2.5"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
