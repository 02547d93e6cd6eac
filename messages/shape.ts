/** What another language says in place of an area of the English catalogue: the same keys, in other words. */
export type Shape<T> = { readonly [K in keyof T]: T[K] extends string ? string : Shape<T[K]> }
