/** The first letters of the first two words, as people write them. */
function initials(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(word))
  // Browsers take long to load what a Segmenter needs.
  const first = (word: string) =>
    /^[!-~](?![^!-~])/.test(word) ? word.slice(0, 1) : ([...new Intl.Segmenter().segment(word)][0]?.segment ?? '')
  return words.slice(0, 2).map(first).join('').toUpperCase()
}

/** The picture of an account, or its initials. Decorative: the name stands beside it, so the initials are no text of the page. */
export function Avatar({ name, picture, className }: { name: string; picture: string | null; className: string }) {
  const shape = `shrink-0 overflow-hidden rounded-full ${className}`
  if (picture) return <img src={picture} alt="" width={256} height={256} className={`${shape} object-cover`} />
  return (
    <span
      aria-hidden="true"
      data-initials={initials(name)}
      className={`${shape} grid place-items-center bg-water-soft font-semibold text-water select-none before:content-[attr(data-initials)]`}
    />
  )
}
