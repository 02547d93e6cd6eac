import type { Inputs } from '#app/connection/trpc.ts'

export type ListScope = 'mine' | 'all' | 'gallery'
export type ListQuery = NonNullable<Extract<Inputs['image']['list'], object>['query']>

/** A list of images: whose, which of them and in which order. */
export interface ListPlace {
  readonly scope: ListScope
  readonly trash: boolean
  readonly query?: ListQuery
  readonly sort?: 'newest' | 'oldest' | 'title' | 'largest'
  readonly by?: 'uploaded' | 'taken'
}
