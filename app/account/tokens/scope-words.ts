import type { Outputs } from '#app/connection/trpc.ts'

export type TokenItem = Outputs['token']['list']['items'][number]
export type Scope = TokenItem['scopes'][number]

/** What a token may do, in the order in which it is asked. */
export const scopeWords = [
  { scope: 'upload', name: 'Upload', meaning: 'Adds images to your account.' },
  { scope: 'read', name: 'Read', meaning: 'Sees and downloads your images, private ones too.' },
  { scope: 'manage', name: 'Manage', meaning: 'Renames, shares, deletes and restores your images.' },
] as const satisfies readonly { scope: Scope; name: string; meaning: string }[]

export const isScope = (value: string): value is Scope => scopeWords.some(({ scope }) => scope === value)

export const expiries = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'Never' },
] as const

export type Expiry = (typeof expiries)[number]['value']

/** As token.create takes it. */
export const daysOf = (expiry: Expiry): number | null => (expiry === 'never' ? null : Number(expiry))
