import type { invites as en } from '../en/invites.ts'
import type { Shape } from '../shape.ts'

export const invites: Shape<typeof en> = {
  another: '再创建一个',
  copyLink: '复制链接',
  copyLinkLabel: '复制邀请链接',
  create: '创建链接',
  createAndSend: '创建并发送',
  created: '可供 {count, number} 人使用，有效期至 <date></date>。链接只显示这一次，现在就复制。',
  createdBy: '由 {username} 创建',
  days: '有效天数',
  email: '发送到（可选）',
  emailHint: '邮箱地址。你也会得到链接。',
  fewerDays: '减少天数',
  fewerPeople: '减少人数',
  moreDays: '增加天数',
  morePeople: '增加人数',
  none: '目前没有有效的邀请。',
  open: '有效的邀请',
  people: '人数',
  revoke: '撤销',
  revokeFailed: '未能撤销邀请。',
  sent: '邀请正在发送到 {email}。',
  text: '拿到链接的人都可以注册，角色为“用户”。',
  title: '邀请用户',
  usesLeft: '还可使用 {count, number} 次，有效期至 <date></date>',
}
