import type { reporting as en } from '../en/reporting.ts'
import type { Shape } from '../shape.ts'

export const reporting: Shape<typeof en> = {
  linkOfMany: '举报图片',
  title: '举报图片',
  titleOfMany: '举报图片',
  lead: '由本站管理员处理。管理员会看到你的用户名；没有账号则看到你的 IP 地址。',
  which: '哪些图片？',
  all: '全选',
  imageAt: '第 {at, number} 张',
  reasonLabel: '原因',
  reason: {
    illegal: '违法内容',
    sexual: '裸露或色情内容',
    violence: '暴力、仇恨或骚扰',
    privacy: '未经同意展示我或他人',
    copyright: '侵犯版权',
    spam: '垃圾信息或欺诈',
    other: '其他原因',
  },
  text: '详情（可选）',
  textHint: '最多 1,000 个字符。涉及版权时，写明作品和联系方式。',
  send: '提交举报',
  cancel: '取消',
  sent: '举报已提交',
  sentText: '本站管理员现在可以看到。',
  back: '返回',
}
