import type { ownEmail as en } from '../en/own-email.ts'
import type { Shape } from '../shape.ts'

export const ownEmail: Shape<typeof en> = {
  title: '邮箱',
  lead: '忘记密码时用来设置新密码，也用来接收账号通知。只有你和管理员能看到。',
  address: '邮箱地址',
  addressHint: '链接会发送到此邮箱，使用链接后才会生效。',
  change: '更改',
  confirmed: '已确认',
  notRemoved: '未能移除邮箱。',
  notSent: '未能发送链接。',
  notSet: '未能更改通知设置。',
  pending: '待确认：使用发送到此邮箱的链接。',
  remove: '移除',
  removed: '已移除邮箱。',
  removeText: '移除后不再收到邮件，也无法通过邮件设置新密码。',
  removeTitle: '移除邮箱地址？',
  send: '发送链接',
  sendAgain: '重新发送链接',
  sent: '链接已发送到 {email}。',
  shareMails: '通过邮件通知分享的用量',
  shareMailsHint: '分享接近或达到上限时通知，每种每天最多一次。',
}
