import type { Refusal } from './refusal.ts'
import type { Item, Report } from './report.ts'

export type Stored = Extract<Item, { outcome: 'stored' }>

/** How a road words its answers, which are JSON. */
export interface Shape {
  /** `first` of the files that were stored. */
  taken(origin: string, first: Stored, report: Report): object
  /** When none was. */
  refused(refusal: Refusal, report: Report | null): object
}

/** What every shape says of a refusal that has an id in the log. */
export const withRequestId = ({ requestId }: Refusal): { readonly request_id?: string } =>
  requestId === null ? {} : { request_id: requestId }
