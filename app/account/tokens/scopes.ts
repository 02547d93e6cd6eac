import type { Outputs } from '#app/connection/trpc.ts'

export type TokenItem = Outputs['token']['list']['items'][number]
export type Scope = TokenItem['scopes'][number]

/** Every scope, in the order of display. */
export const scopes = ['upload', 'read', 'manage'] as const satisfies readonly Scope[]

export const expiries = ['30', '90', '365', 'never'] as const

export type Expiry = (typeof expiries)[number]

/** The argument of token.create: days, or null for a token that never expires. */
export const expiryDays = (expiry: Expiry): number | null => (expiry === 'never' ? null : Number(expiry))
