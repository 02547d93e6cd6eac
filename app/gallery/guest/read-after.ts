/** The part of an address that says where a page of a list begins. */
export interface PageAddress {
  readonly after?: string | readonly string[]
}

/** Returns where the page begins; undefined for the first. */
export const readAfter = ({ after = [] }: PageAddress): string | undefined => [after].flat().at(-1)
