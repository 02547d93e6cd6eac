import type { Outputs } from '#app/connection/trpc.ts'

/** The site's providers as the server describes them. */
export type Listed = Outputs['provider']['list']
export type ListedProvider = Listed['items'][number]
