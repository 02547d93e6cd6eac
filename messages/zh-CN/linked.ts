import type { linked as en } from '../en/linked.ts'
import type { Shape } from '../shape.ts'

export const linked: Shape<typeof en> = {
  email: '{email} · 关联于 <date></date>',
  failed: '未能开始。',
  lead: '可用于登录本站的其他账号。',
  link: '关联 {provider}',
  none: '没有关联的账号。',
  notUnlinked: '未能解除关联。',
  since: '关联于 <date></date>',
  title: '关联的账号',
  unlink: '解除关联',
  unlinkNamed: '解除关联 {provider}',
  unlinkText: '之后不能再用它登录，可以重新关联。',
  unlinkTitle: '解除关联“{provider}”？',
  unlinked: '已解除关联。',
  unusable: '本站已停用',
  used: '最近使用 <date></date>',
}
