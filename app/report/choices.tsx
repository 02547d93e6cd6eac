import { Check } from 'lucide-react'
import { useRef, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl/react'
import { toPath } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'

/** An image that can be reported. */
export interface ReportChoice {
  /** As the form sends it. */
  readonly value: string
  readonly thumbnailUrl: string
  readonly title: string
  readonly width: number
  readonly height: number
}

/** The image that is reported, or a choice of some. */
export function Choices({ choices }: { choices: readonly ReportChoice[] }) {
  const [only, ...others] = choices
  if (!only || others.length > 0) return <Several choices={choices} />
  const { value, thumbnailUrl, title, width, height } = only
  return (
    <figure className="flex items-center gap-4">
      <input type="hidden" name="id" value={value} />
      <img
        src={toPath(thumbnailUrl)}
        alt=""
        width={width}
        height={height}
        className="checks h-auto max-h-32 w-auto max-w-40 rounded-md object-contain shadow-raised"
      />
      {title && (
        <figcaption dir="auto" className="min-w-0 text-sm wrap-anywhere text-ink-soft">
          {title}
        </figcaption>
      )}
    </figure>
  )
}

const never = () => () => undefined

function Several({ choices }: { choices: readonly ReportChoice[] }) {
  const t = useTranslations('reporting')
  const fieldset = useRef<HTMLFieldSetElement>(null)
  const hasScript = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const selectAll = () => {
    for (const box of fieldset.current?.querySelectorAll('input') ?? []) box.checked = true
  }
  return (
    <fieldset ref={fieldset} className="flex flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">{t('which')}</legend>
      <div className="grid max-h-96 grid-cols-[repeat(auto-fill,minmax(5rem,1fr))] gap-2 overflow-y-auto p-1">
        {choices.map(({ value, thumbnailUrl, title }, at) => (
          <label
            key={value}
            title={title}
            className="relative cursor-pointer rounded-md has-checked:outline-3 has-checked:outline-offset-1 has-checked:outline-water has-focus-visible:outline-3 has-focus-visible:outline-water"
          >
            <input
              type="checkbox"
              name="id"
              value={value}
              aria-label={title || t('imageAt', { at: at + 1 })}
              className="peer absolute inset-0 appearance-none outline-none"
            />
            <img
              src={toPath(thumbnailUrl)}
              alt=""
              loading="lazy"
              className="checks aspect-square w-full rounded-md object-cover"
            />
            <span
              aria-hidden="true"
              className="absolute top-1.5 right-1.5 hidden size-6 place-items-center rounded-full bg-water text-white peer-checked:grid"
            >
              <Check size={15} />
            </span>
          </label>
        ))}
      </div>
      {hasScript && (
        <Button size="small" onPress={selectAll} className="self-start">
          {t('all')}
        </Button>
      )}
    </fieldset>
  )
}
