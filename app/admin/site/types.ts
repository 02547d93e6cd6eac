import type { Outputs } from '#app/connection/trpc.ts'

/** The settings as the server describes them. */
export type SiteView = Outputs['site']['settings']
export type Setting = keyof SiteView['texts']
export type Texts = SiteView['texts']
