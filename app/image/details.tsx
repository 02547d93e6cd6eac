import { Fragment } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { ownerName } from '#app/ui/owner-name.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { OwnerLine } from './owner-line.tsx'

const types: Readonly<Record<string, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
  'image/avif': 'AVIF',
}

interface Props {
  image: ImageItem
  /** Where the owner's name leads; nowhere without it. */
  ownerHref?: string | undefined
}

/** The properties of the stored image. */
export function Details({ image, ownerHref }: Props) {
  const t = useTranslations('image')
  const format = useFormat()
  const type = types[image.mime] ?? image.mime
  const rows = [
    [t('dimensions'), `${image.width} × ${image.height}`],
    [t('size'), format.bytes(image.size)],
    [t('type'), image.frames > 1 ? t('frames', { type, count: image.frames }) : type],
    ...(image.takenAt === null
      ? []
      : [[t('taken'), format.date(image.takenAt, { time: true, timeZone: 'UTC' })] as const]),
    ...(image.camera === null ? [] : [[t('camera'), <bdi key="camera">{image.camera}</bdi>] as const]),
    [t('uploaded'), <LocalDate key="uploaded" iso={image.createdAt} time />],
    ...(image.mine || ownerName(image.owner) === null
      ? []
      : [[t('owner'), <OwnerLine key="owner" owner={image.owner} href={ownerHref} />] as const]),
    ...(image.filename === null ? [] : [[t('file'), <bdi key="file">{image.filename}</bdi>] as const]),
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
          <dt className="text-ink-soft">{t('sha256')}</dt>
          <dd className="-my-1.5 flex items-center gap-1">
            <span className="truncate font-mono text-[0.8125rem]">{image.sha256}</span>
            <CopyButton text={image.sha256} label={t('copySha256')} />
          </dd>
        </>
      )}
      <dt className="text-ink-soft">{t('original')}</dt>
      <dd>{t(image.isConverted ? 'originalConverted' : 'originalText')}</dd>
    </dl>
  )
}
