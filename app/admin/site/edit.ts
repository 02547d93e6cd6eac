import type { Setting, SiteView, Texts } from './types.ts'

/** Changes that are not saved, made to the settings as they were shown. */
export interface SiteEdit {
  readonly base: SiteView
  /** New texts; an empty one is the default. */
  readonly texts: Texts
}

/** Returns the edit with another text; null if nothing differs from what was shown. */
export function withText(edit: SiteEdit, setting: Setting, text: string): SiteEdit | null {
  const { [setting]: _, ...others } = edit.texts
  const isSame = text === (edit.base.texts[setting] ?? '')
  const texts = isSame ? others : { ...others, [setting]: text }
  return Object.keys(texts).length === 0 ? null : { ...edit, texts }
}

const textOf = ({ base, texts }: SiteEdit, setting: Setting): string => texts[setting] ?? base.texts[setting] ?? ''

/** Returns what was changed after an edit was sent, as a change to what there is now; null if nothing was. */
export function changedSince(sent: SiteEdit, latest: SiteEdit | null, now: SiteView): SiteEdit | null {
  const last = latest ?? { base: sent.base, texts: {} }
  return differing(last.texts, sent.texts).reduce<SiteEdit | null>(
    (edit, setting) => withText(edit ?? { base: now, texts: {} }, setting, textOf(last, setting)),
    null,
  )
}

export const changedSettings = ({ base, texts }: SiteEdit): readonly Setting[] =>
  settingsIn({ ...base.texts, ...texts }, texts)

/** Returns the settings whose texts differ. */
export function differing(one: Texts, other: Texts): readonly Setting[] {
  return settingsIn({ ...one, ...other }, { ...one, ...other }).filter((setting) => one[setting] !== other[setting])
}

function settingsIn(all: Texts, wanted: Texts): readonly Setting[] {
  const isSetting = (name: string): name is Setting => name in all
  return Object.keys(wanted).filter(isSetting)
}

/** Returns an edit as site.update takes it. */
export const toChange = ({ texts }: SiteEdit): Record<string, string | null> =>
  Object.fromEntries(Object.entries(texts).map(([setting, text]) => [setting, text.trim() || null]))

/** Returns whether what was there before an edit is known. */
export const isUndoable = ({ texts }: SiteEdit): boolean => texts.SLUICE_MAIL_PASSWORD === undefined

/** Returns what takes an edit back. */
export const toUndo = (edit: SiteEdit): Record<string, string | null> =>
  Object.fromEntries(changedSettings(edit).map((setting) => [setting, edit.base.texts[setting] ?? null]))

/** Returns the settings that the server found invalid. */
export function invalidSettings(error: unknown): readonly string[] {
  if (!(error instanceof Error) || !('data' in error)) return []
  const { data } = error
  if (typeof data !== 'object' || data === null || !('issues' in data) || !Array.isArray(data.issues)) return []
  return data.issues.flatMap((issue: unknown) => {
    const path = typeof issue === 'object' && issue !== null && 'path' in issue ? issue.path : null
    return typeof path === 'string' && path.startsWith('change.') ? [path.slice('change.'.length)] : []
  })
}
