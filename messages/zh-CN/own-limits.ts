import type { ownLimits as en } from '../en/own-limits.ts'
import type { Shape } from '../shape.ts'

export const ownLimits: Shape<typeof en> = {
  back: '{wait}后恢复一些',
  fewer: '收起',
  lead: '现在还剩多少可用。',
  left: '已用 {used}，剩余 {left}',
  more: '再显示 {count, number} 项',
  ruleOf: '{title}：{rule}',
  title: '你的限制',
  unlimited: '超级管理员不受限制。预算和配额对所有人有效。',
  unused: '未使用',
}
