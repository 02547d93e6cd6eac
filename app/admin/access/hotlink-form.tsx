'use client'

import { useId, useState } from 'react'
import { SettingsForm } from '#app/admin/settings-form.tsx'
import { Overtaken } from '#app/limits/overtaken.ts'
import { inputClass } from '#app/ui/field.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { type Hotlink, useAccessActions } from './use-access-actions.ts'

/** On whose pages images may stand, and what is sent elsewhere. */
export function HotlinkForm({ rule }: { rule: Hotlink }) {
  const id = useId()
  const [edit, setEdit] = useState<Edit | null>(null)
  const { saveHotlink } = useAccessActions()
  const { before, sites, ...draft } = edit ?? editOf(rule)
  const change = (part: Partial<Edit>) => setEdit({ ...draft, sites, before, ...part })
  const save = async () => {
    try {
      await saveHotlink({ ...draft, sites: sites.split(/[\s,]+/).filter(Boolean) }, before)
      setEdit(null)
    } catch (error) {
      if (error instanceof Overtaken) change({ before: error.now })
      throw error
    }
  }
  return (
    <section aria-labelledby="hotlink">
      <h2 id="hotlink" className="text-lg font-semibold">
        Other sites
      </h2>
      <p className="mb-3 max-w-prose text-sm text-ink-soft">
        On whose pages images may stand, by what browsers say. Pages of this site always may.
      </p>
      <SettingsForm save={save} className="items-start rounded-lg border border-line bg-surface p-4">
        <Segments
          label="Where images are shown"
          value={draft.isOn ? 'named' : 'all'}
          onChange={(value) => change({ isOn: value === 'named' })}
          options={[
            { value: 'all', label: 'Every site' },
            { value: 'named', label: 'Named sites' },
          ]}
        />
        {draft.isOn && (
          <>
            <div className="flex w-full max-w-xl flex-col gap-1.5">
              <label htmlFor={id} className="text-sm font-medium">
                Sites
              </label>
              <textarea
                id={id}
                value={sites}
                onChange={(event) => change({ sites: event.target.value })}
                rows={5}
                autoCapitalize="none"
                spellCheck={false}
                aria-describedby={`${id}-hint`}
                className={`${inputClass} h-auto py-2 font-mono text-[0.8125rem]`}
              />
              <p id={`${id}-hint`} className="text-sm text-ink-soft">
                A host a line: example.org is that alone, *.example.org all below it.
              </p>
            </div>
            <Choice
              words="Where a browser does not say"
              value={draft.allowsEmpty ? 'pass' : 'hold'}
              onChange={(value) => change({ allowsEmpty: value === 'pass' })}
              options={[
                { value: 'pass', label: 'Show it' },
                { value: 'hold', label: 'Do not' },
              ]}
            />
            <Choice
              words="On all other sites"
              value={draft.answer}
              onChange={(answer) => change({ answer })}
              options={[
                { value: 'refusal', label: 'Refuse' },
                { value: 'placeholder', label: 'Send a placeholder' },
              ]}
            />
          </>
        )}
      </SettingsForm>
    </section>
  )
}

/** What is typed over a rule. */
interface Edit extends Omit<Hotlink, 'sites'> {
  readonly sites: string
  /** What held when it was begun, or was last told of. */
  readonly before: Hotlink
}

const editOf = (rule: Hotlink): Edit => ({ ...rule, sites: rule.sites.join('\n'), before: rule })

interface ChoiceProps<T extends string> {
  words: string
  value: T
  onChange: (value: T) => void
  options: readonly { value: T; label: string }[]
}

function Choice<T extends string>({ words, ...props }: ChoiceProps<T>) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
      <span className="text-sm font-medium">{words}</span>
      <Segments label={words} {...props} />
    </div>
  )
}
