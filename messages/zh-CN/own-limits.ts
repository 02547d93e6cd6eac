import type { ownLimits as en } from '../en/own-limits.ts'
import type { Shape } from '../shape.ts'

export const ownLimits: Shape<typeof en> = {
  back: '{wait}后恢复一些',
  fewer: '收起',
  lead: '现在还剩多少可用。',
  left: '已用 {used}，剩余 {left}',
  more: '再显示 {count, number} 项',
  ruleOf: '{title}：{rule}',
  sets: {
    'account-view': '读取账号数据',
    bulk: '批量修改图片',
    delete: '删除与恢复',
    download: '下载原图',
    edit: '更改标题和可见范围',
    'own-limits': '查看这些限制',
    revalidate: '检查更新',
    'sent-bytes': '发送给你的数据',
    upload: '上传',
    'upload-bytes': '上传的数据',
    uploading: '并发上传数',
    view: '查看图片',
    'view-large': '查看大图',
    zipping: '并发打包下载数',
  },
  title: '你的限制',
  unlimited: '超级管理员不受限制。预算和配额对所有人有效。',
  unused: '未使用',
  wholeAccount: '{title}（账号合计）',
}
