import type { Inputs } from '#app/connection/trpc.ts'

type ListInput = Extract<Inputs['image']['list'], object>
export type Query = NonNullable<ListInput['query']>

/** What narrows and orders a list, as the address has it: days are those of the reader. */
export interface Finding {
  readonly query: Query
  readonly sort?: ListInput['sort']
  readonly by?: ListInput['by']
}

export const types = ['jpeg', 'png', 'gif', 'webp', 'avif'] as const
export const sizes = ['small', 'medium', 'large'] as const
export const shapes = ['landscape', 'portrait', 'square'] as const
export const visibilities = ['private', 'link', 'public'] as const
const sorts = ['newest', 'oldest', 'title', 'largest'] as const
const dates = ['uploaded', 'taken'] as const

/** The longest text that the server searches for, and the longest tag. */
export const MAX_TEXT = 200
const MAX_TAG = 64

const names = [
  ...['q', 'type', 'size', 'shape', 'visibility', 'animated', 'favourite', 'album', 'tag', 'owner', 'from', 'to'],
  ...['sort', 'by'],
]

/** Reads an address. What it cannot read is left out. */
export function readFinding(params: Pick<URLSearchParams, 'get'>): Finding {
  const read = (name: string) => params.get(name) ?? ''
  const query: Query = {
    text: read('q').replaceAll('\0', '').trim().slice(0, MAX_TEXT) || undefined,
    type: oneOf(types, read('type')),
    size: oneOf(sizes, read('size')),
    shape: oneOf(shapes, read('shape')),
    visibility: oneOf(visibilities, read('visibility')),
    animated: flag(read('animated')),
    favourite: flag(read('favourite')),
    album: id(read('album')),
    tag: read('tag').trim().slice(0, MAX_TAG) || undefined,
    owner: id(read('owner')),
    from: day(read('from')),
    to: day(read('to')),
  }
  return { query: said(query), sort: oneOf(sorts, read('sort')), by: oneOf(dates, read('by')) }
}

/** Returns an address with this in place of what it narrows its list by. */
export function writeFinding(params: URLSearchParams, { query, sort, by }: Finding): URLSearchParams {
  const written = new URLSearchParams(params)
  for (const name of names) written.delete(name)
  const { text: q, ...filters } = query
  // An address does not say what is so without it.
  const order = { sort: sort === 'newest' ? undefined : sort, by: by === 'uploaded' ? undefined : by }
  for (const [name, value] of Object.entries({ q, ...filters, ...order })) {
    if (value !== undefined && value !== '') written.set(name, value === true ? '1' : value === false ? '0' : value)
  }
  // A place in the list that is left.
  written.delete('at')
  return written
}

/** Returns what `image.list` takes. Days of uploads begin by the reader's clock; those of cameras have no zone. */
export function toInput({ query, sort, by }: Finding): Pick<ListInput, 'query' | 'sort' | 'by'> {
  const { from, to } = query
  const days = by === 'taken' ? { from, to } : { from: from && startOf(from, 0), to: to && startOf(to, 1) }
  return { query: said({ ...query, ...days }), sort, by }
}

/** Whether the list has fewer images than all. */
export const isNarrowed = ({ query }: Finding): boolean => Object.values(query).some((value) => value !== undefined)

/** Whether the list is all images, in the order of a gallery. */
export const isPlain = (finding: Finding): boolean =>
  !isNarrowed(finding) && (finding.sort ?? 'newest') === 'newest' && finding.by !== 'taken'

/** Without what is undefined, so that equal lists are equal keys. */
const said = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))

const oneOf = <T extends string>(values: readonly T[], text: string): T | undefined =>
  values.find((value) => value === text)
const flag = (text: string) => (text === '1' ? true : text === '0' ? false : undefined)
const id = (text: string) => (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? text : undefined)
const day = (text: string) => (/^[12]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined)

function startOf(text: string, later: number): string {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}
