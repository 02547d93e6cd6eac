'use client'

import { useMutation } from '@tanstack/react-query'
import { ImageUp } from 'lucide-react'
import { useRef } from 'react'
import { useTranslations } from 'use-intl/react'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { SettingRow, useSetting } from './setting.tsx'
import { readSiteImage, uploadSiteImage } from './site-image.ts'

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

interface Props {
  setting: 'logo' | 'icon'
  label: string
  hint: string
}

/** The logo or the icon. A chosen file is uploaded at once and shown in the preview; saving makes it the site's. */
export function ImageSetting({ setting, label, hint }: Props) {
  const t = useTranslations('adminSite')
  const { text, isDisabled, change } = useSetting(setting)
  const upload = useMutation({ mutationFn: (file: File) => uploadSiteImage(setting, file), onSuccess: change })
  const input = useRef<HTMLInputElement>(null)
  const take = (chosen: HTMLInputElement) => {
    const [file] = chosen.files ?? []
    // Otherwise choosing the same file again would change nothing.
    chosen.value = ''
    if (file) upload.mutate(file)
  }
  const image = readSiteImage(setting, text)
  return (
    <SettingRow setting={setting} label={label}>
      <fieldset className="flex min-w-0 flex-col gap-1.5">
        <legend className="mb-1.5 text-sm font-medium">{label}</legend>
        <div className="flex flex-wrap items-center gap-3">
          <span className="grid h-14 min-w-14 place-items-center rounded-md border border-line bg-surface px-2">
            {image ? (
              <img src={image.url} alt={t('imageNow', { label })} className="max-h-10 max-w-40 object-contain" />
            ) : (
              <span className="px-1 text-sm text-ink-soft">{t('imageOwn')}</span>
            )}
          </span>
          <input
            ref={input}
            type="file"
            accept={ACCEPTED}
            hidden
            onChange={({ currentTarget }) => take(currentTarget)}
          />
          <Button
            isPending={upload.isPending}
            isDisabled={isDisabled}
            aria-label={t('chooseFor', { label })}
            onPress={() => input.current?.click()}
          >
            <ImageUp size={17} aria-hidden="true" /> {t('choose')}
          </Button>
        </div>
        <p className="text-sm text-ink-soft">{hint}</p>
        <FormFailure error={upload.error} />
      </fieldset>
    </SettingRow>
  )
}
