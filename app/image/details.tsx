import { Fragment } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Moment } from '#app/ui/moment.tsx'
import { formatBytes } from '#format/bytes.ts'

const types: Readonly<Record<string, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
  'image/avif': 'AVIF',
}

function typeOf({ mime, frames }: ImageItem): string {
  const name = types[mime] ?? mime
  return frames > 1 ? `${name}, ${frames} frames` : name
}

/** What the stored image is, in figures. */
export function Details({ image }: { image: ImageItem }) {
  const rows = [
    ['Dimensions', `${image.width} × ${image.height}`],
    ['Size', formatBytes(image.size)],
    ['Type', typeOf(image)],
    ['Uploaded', <Moment key="uploaded" iso={image.createdAt} time />],
    ...(image.mine ? [] : [['By', image.owner.username] as const]),
    ...(image.filename === null ? [] : [['File', <bdi key="file">{image.filename}</bdi>] as const]),
  ] as const
  return (
    <dl className="figures grid grid-cols-[6.5rem_minmax(0,1fr)] gap-y-1.5 text-sm">
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="text-ink-soft">{name}</dt>
          <dd className="break-words">{value}</dd>
        </Fragment>
      ))}
      {image.sha256 && (
        <>
          <dt className="text-ink-soft">SHA-256</dt>
          <dd className="-my-1.5 flex items-center gap-1">
            <span className="truncate font-mono text-[0.8125rem]">{image.sha256}</span>
            <CopyButton text={image.sha256} label="Copy the SHA-256" />
          </dd>
        </>
      )}
      <dt className="text-ink-soft">Original</dt>
      <dd>Every pixel as uploaded, metadata removed.</dd>
    </dl>
  )
}
