import type { Translate } from '#app/ui/translate.ts'

const reasons = ['illegal', 'sexual', 'violence', 'privacy', 'copyright', 'spam', 'other'] as const

/** Returns a reason in words; as it is stored if it is one of another version. */
export function reasonName(reason: string, t: Translate<'reporting'>): string {
  const known = reasons.find((each) => each === reason)
  return known ? t(`reason.${known}`) : reason
}
