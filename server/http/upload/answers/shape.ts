import type { SentRefusal } from '../refusal.ts'
import type { Item, Report } from '../report.ts'

export type Stored = Extract<Item, { outcome: 'stored' }>

/** The format of an endpoint's JSON responses. */
export interface Shape {
  /** `first` is the first file that was stored. */
  taken(origin: string, first: Stored, report: Report): object
  /** If no file was stored. */
  refused(refusal: SentRefusal, report: Report | null): object
}

/** The request ID of a refusal that is in the log, for every shape. */
export const withRequestId = ({ requestId }: SentRefusal): { readonly request_id?: string } =>
  requestId === null ? {} : { request_id: requestId }
