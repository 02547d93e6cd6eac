import { Images, type LucideIcon, SlidersHorizontal, Trash2 } from 'lucide-react'
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
  return isAdmin(account) ? [...places, { href: '/admin/users', label: 'Admin', icon: SlidersHorizontal }] : places
}

/** Where an admin can go from the pages of administration. */
export function adminPlacesFor({ role }: Account): readonly { readonly href: string; readonly label: string }[] {
  const places = [
    { href: '/admin/users', label: 'Users' },
    { href: '/admin/limits', label: 'Limits' },
    { href: '/admin/jobs', label: 'Jobs' },
  ]
  const owners = [
    { href: '/admin/access', label: 'Access' },
    { href: '/admin/spending', label: 'Spending' },
  ]
  return role === 'superadmin' ? [...places, ...owners] : places
}

/** Whether `href` is the place that `pathname` belongs to; an image belongs to the gallery, each of an admin's pages to all of them. */
export function isCurrent(href: string, pathname: string): boolean {
  if (href === '/') return pathname === '/' || pathname.startsWith('/image/')
  return pathname.startsWith(href === '/admin/users' ? '/admin' : href)
}
