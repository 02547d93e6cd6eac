import type { mailLinks as en } from '../en/mail-links.ts'
import type { Shape } from '../shape.ts'

export const mailLinks: Shape<typeof en> = {
  confirm: '确认邮箱',
  confirmText: '账号 {username} 的邮件将发送到 {email}。',
  confirmTitle: '确认邮箱地址',
  confirmed: '邮箱已确认',
  confirmedText: '之后账号的邮件会发送到此邮箱，可以在账号页面更改。',
  linkInvalidText: '链接已使用、已过期或已被新链接取代。可以在账号页面重新填写邮箱。',
  lead: '输入用户名或邮箱地址。如果账号有已确认的邮箱，设置新密码的链接会发送到那里。',
  login: '用户名或邮箱地址',
  send: '发送链接',
  sentText: '如果账号存在并且有已确认的邮箱，链接会在几分钟内送达。没有已确认的邮箱时，可以向本站管理员要一个链接。',
  sentTitle: '查看邮箱',
  title: '忘记密码',
  openAccount: '打开账号页面',
  signIn: '登录',
}
