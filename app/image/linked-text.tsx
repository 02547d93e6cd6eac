import { findLinks } from './find-links.ts'

/** Plain text of several lines, whose addresses are links. Others wrote it, so that links name no referrer and carry no weight. */
export function LinkedText({ text }: { text: string }) {
  let at = 0
  const parts = findLinks(text).map((part) => {
    const start = at
    at += part.text.length
    return { ...part, start }
  })
  return (
    <p dir="auto" className="text-sm leading-relaxed break-words whitespace-pre-wrap">
      {parts.map(({ text, href, start }) =>
        href === null ? (
          text
        ) : (
          <a
            key={start}
            href={href}
            target="_blank"
            rel="nofollow noopener noreferrer ugc"
            className="text-water underline underline-offset-3"
          >
            <bdi>{text}</bdi>
          </a>
        ),
      )}
    </p>
  )
}
