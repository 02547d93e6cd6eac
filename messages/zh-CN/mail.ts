import type { mail as en } from '../en/mail.ts'
import type { Shape } from '../shape.ts'

export const mail: Shape<typeof en> = {
  whyAccount: '收到此邮件，是因为这是你在 {site} 的账号所用的邮箱。',
  whyEntered: '收到此邮件，是因为有人在 {site} 为账号 {username} 填写了此邮箱。',
  whyFormer: '收到此邮件，是因为这曾是账号 {username} 在 {site} 所用的邮箱。',
  whyInvited: '收到此邮件，是因为 {site} 的管理员填写了此邮箱。',
  whyTest: '收到此邮件，是因为 {site} 的超级管理员正在设置邮件。',
  time: '时间',
  utc: '{time} UTC',
  address: 'IP 地址',
  browser: '浏览器',
  program: '其他程序',
  openAccount: '打开账号页面',
  reset: {
    title: '设置新密码',
    text: '有人请求为你的账号 {username} 设置新密码。',
    link: '设置密码',
    until: '链接 30 分钟内有效，只能使用一次。设置新密码后，所有设备都会退出登录。',
    ignore: '如果不是你本人操作，忽略此邮件即可，密码不会改变。',
  },
  confirm: {
    title: '确认邮箱地址',
    text: '{site} 的账号 {username} 希望使用此邮箱接收邮件。',
    link: '确认邮箱',
    until: '链接一天内有效，只能使用一次。',
    ignore: '如果这不是你的账号，忽略此邮件即可，之后不会再收到邮件。',
  },
  moved: {
    title: '邮箱已从账号移除',
    text: '账号 {username} 不再使用此邮箱接收邮件。',
    check: '如果不是你本人操作，说明有人用过你的账号。可以向本站的超级管理员要一个设置新密码的链接。',
  },
  invite: {
    title: '{site} 邀请你加入',
    text: '{site} 的管理员邀请你创建账号。',
    link: '创建账号',
    until: '邀请有效期至 {date} UTC。',
  },
  device: {
    title: '账号有新的登录',
    text: '一个陌生的浏览器登录了你的账号 {username}。',
    check: '如果是你本人操作，无需理会。如果不是，立即更改密码，其他设备都会退出登录。',
  },
  noteCheck: '如果是你本人操作，无需理会。如果不是，立即更改密码，或在登录页面通过邮件设置新密码。',
  note: {
    password: { title: '密码已更改', text: '你的账号 {username} 已设置新密码。' },
    'app-set': { title: '已设置身份验证器', text: '你的账号 {username} 已设置身份验证器。' },
    'app-removed': { title: '已移除身份验证器', text: '你的账号 {username} 的身份验证器已移除。' },
    'factors-ended': {
      title: '两步验证已结束',
      text: '你的账号 {username} 的两步验证已重置，现在凭密码即可登录。',
    },
    'recovery-codes': { title: '新的恢复码', text: '你的账号 {username} 已有新的恢复码，之前的已失效。' },
    'recovery-code-used': { title: '恢复码已使用', text: '有人使用恢复码登录了你的账号 {username}。' },
    'passkey-added': { title: '已添加通行密钥', text: '你的账号 {username} 已添加一个通行密钥。' },
    'passkey-removed': { title: '已移除通行密钥', text: '你的账号 {username} 的一个通行密钥已移除。' },
    'provider-linked': { title: '已关联登录服务', text: '你的账号 {username} 已关联登录服务的账号。' },
    'provider-unlinked': { title: '已取消关联登录服务', text: '你的账号 {username} 已取消与登录服务账号的关联。' },
  },
  budget: {
    near: { title: '预算即将用完', text: '{budget}：预算已使用 {share}。' },
    spent: { title: '预算已用完', text: '{budget}：预算已用完。在重置或提高预算之前，会产生费用的操作会被拒绝。' },
    link: '打开费用页面',
  },
  share: {
    near: { title: '分享接近上限', text: '你的分享“{name}”已使用{limit}中的 {share}。' },
    spent: {
      title: '分享已达上限',
      text: '你的分享“{name}”已达到{limit}的上限，恢复额度之前访问会被拒绝。',
    },
    limit: {
      requestsPerHour: '每小时 {amount} 次请求',
      requestsPerDay: '每天 {amount} 次请求',
      bytesPerDay: '每天 {amount}',
    },
    unnamed: '未命名',
    link: '打开分享页面',
    off: '不想收到关于分享的邮件，可以在账号页面关闭：{url}',
  },
  test: { title: '邮件设置有效', text: '{site} 的邮件设置有效。' },
}
