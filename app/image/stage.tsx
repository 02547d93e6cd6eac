'use client'

import { ArrowLeft, ChevronLeft, ChevronRight, ImageOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import type { ImageItem } from '#app/connection/trpc.ts'
import { RefusalNotice } from '#app/limits/refusal-notice.tsx'
import { pathOf } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import { usePicture } from './use-picture.ts'

interface Props {
  image: ImageItem
  onLeave: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** The picture as large as the window allows; a click opens the original. */
export function Stage({ image, onLeave, onPrevious, onNext }: Props) {
  return (
    <section
      aria-label="Picture"
      className="group relative flex h-[58dvh] items-center justify-center overflow-hidden bg-sunken sm:h-[66dvh] lg:sticky lg:top-14 lg:h-[calc(100dvh-3.5rem)]"
    >
      <Picture image={image} />
      <Corner label="Back" onPress={onLeave} className="top-3 left-3">
        <ArrowLeft size={20} />
      </Corner>
      {onPrevious && (
        <Corner label="Previous image" onPress={onPrevious} className="top-1/2 left-3 -translate-y-1/2">
          <ChevronLeft size={22} />
        </Corner>
      )}
      {onNext && (
        <Corner label="Next image" onPress={onNext} className="top-1/2 right-3 -translate-y-1/2">
          <ChevronRight size={22} />
        </Corner>
      )}
    </section>
  )
}

function Picture({ image }: { image: ImageItem }) {
  const large = image.url ? `${pathOf(image.url)}?w=1600` : null
  const { state, src, refusal, onLoad, onError, retry } = usePicture(large)
  if (!image.url || !src) return <p className="text-ink-soft">This picture is private.</p>
  if (state === 'refused' && refusal) return <RefusalNotice refusal={refusal} onOver={retry} className="m-6" />
  if (state === 'broken') {
    return (
      <div className="flex flex-col items-center gap-3 text-ink-soft">
        <ImageOff size={30} />
        <p>The picture could not be loaded.</p>
        <Button size="small" onPress={retry}>
          Try again
        </Button>
      </div>
    )
  }
  const preview = state === 'loading' && image.thumbnailUrl ? `url("${pathOf(image.thumbnailUrl)}")` : undefined
  return (
    <a
      href={pathOf(image.url)}
      target="_blank"
      rel="noreferrer"
      aria-label="Open the original"
      className="flex size-full cursor-zoom-in items-center justify-center p-3 focus-visible:-outline-offset-4 sm:p-6"
    >
      <img
        key={src}
        src={src}
        alt={image.title ?? ''}
        width={image.width}
        height={image.height}
        onLoad={onLoad}
        onError={onError}
        style={{ backgroundImage: preview }}
        className={`max-h-full max-w-full bg-cover object-contain shadow-raised ${image.mime === 'image/jpeg' ? '' : 'checks'}`}
      />
    </a>
  )
}

function Corner(props: { label: string; onPress: () => void; className: string; children: ReactNode }) {
  return (
    <AriaButton
      aria-label={props.label}
      onPress={props.onPress}
      className={`absolute grid size-10 place-items-center rounded-full bg-black/45 text-white transition-colors hover:bg-black/70 ${props.className}`}
    >
      {props.children}
    </AriaButton>
  )
}
