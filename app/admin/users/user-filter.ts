import type { ReadonlyURLSearchParams } from 'next/navigation'

/** The values of each filter, in the order of its list. */
export const filters = {
  role: ['user', 'admin', 'superadmin'],
  state: ['active', 'banned', 'shared', 'never'],
  use: ['some', 'none', 'near', 'over'],
  seen: ['day', 'week', 'month', 'idle'],
  sort: ['seen', 'used', 'joined'],
} as const

export type FilterName = keyof typeof filters
export type UserFilter = { readonly [Name in FilterName]?: (typeof filters)[Name][number] } & {
  readonly search?: string
}

export const filterNames = ['role', 'state', 'use', 'seen', 'sort'] as const

/** Reads the filter in the page's address. Values that are not known are ignored. */
export function readFilter(params: Pick<ReadonlyURLSearchParams, 'get'>): UserFilter {
  const search = params.get('search')?.slice(0, 100)
  return {
    ...(search && { search }),
    ...pick('role', params),
    ...pick('state', params),
    ...pick('use', params),
    ...pick('seen', params),
    ...pick('sort', params),
  }
}

function pick<Name extends FilterName>(name: Name, params: Pick<ReadonlyURLSearchParams, 'get'>) {
  const value = filters[name].find((each) => each === params.get(name))
  return value === undefined ? {} : { [name]: value }
}

/** The query of the page's address for a filter, with its question mark; '' for none. */
export function writeFilter(filter: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams()
  for (const name of ['search', ...filterNames]) if (filter[name]) params.set(name, filter[name])
  const query = params.toString()
  return query && `?${query}`
}
