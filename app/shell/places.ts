import { Gauge, Images, type LucideIcon, Trash2, Users } from 'lucide-react'
import { type Account, isAdmin } from './session.tsx'

interface NavigationPlace {
  readonly href: string
  readonly label: string
  readonly icon: LucideIcon
}

/** Where an account can go from anywhere. */
export function placesFor(account: Account): readonly NavigationPlace[] {
  const places = [
    { href: '/', label: 'Images', icon: Images },
    { href: '/trash', label: 'Trash', icon: Trash2 },
  ]
  if (!isAdmin(account)) return places
  return [
    ...places,
    { href: '/admin/users', label: 'Users', icon: Users },
    { href: '/admin/limits', label: 'Limits', icon: Gauge },
  ]
}

/** Whether `href` is the place that `pathname` belongs to; an image belongs to the gallery. */
export function isCurrent(href: string, pathname: string): boolean {
  return href === '/' ? pathname === '/' || pathname.startsWith('/image/') : pathname.startsWith(href)
}
