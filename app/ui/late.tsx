'use client'

import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/** A component, its module's default export, that is loaded when it is first shown, or before that by `load`; until then its
 *  `standIn` is shown, and nothing in HTML. With `lazy` and `dynamic`, React would show it 300 ms later, since it holds back what
 *  comes after a fallback, and without a boundary near it would show nothing else of the page either: what is typed meanwhile
 *  would be lost. */
export function late<P extends object>(importing: () => Promise<{ readonly default: ComponentType<P> }>) {
  let Loaded: ComponentType<P> | null = null
  const load = async () => {
    Loaded = (await importing()).default
  }
  function Late(props: P & { readonly standIn?: ReactNode }) {
    const [Shown, show] = useState(() => Loaded)
    useEffect(() => {
      load().then(
        () => show(() => Loaded),
        (error) =>
          show(() => {
            throw error
          }),
      )
    }, [])
    return Shown ? <Shown {...props} /> : props.standIn
  }
  Late.load = () => void load().catch(() => {})
  return Late
}
