import type { ownData as en } from '../en/own-data.ts'
import type { Shape } from '../shape.ts'

export const ownData: Shape<typeof en> = {
  delete: '删除账号…',
  deleted: '你的账号及其图片已删除。',
  deleteForever: '永久删除账号',
  deleteLead: '连同其所有图片。',
  deleteSection: '删除账号',
  deleteText: '删除前会列出哪些内容将被删除。删除后无法恢复，建议先导出数据。',
  deleteTitle: '删除你的账号？',
  export: '导出',
  exported: '{parts, plural, =1 {导出完成。} other {导出完成，共 # 个文件。}}',
  exportLead: '你的全部数据。',
  exportText:
    '打包全部原图（含回收站）、标题与日期，以及账号资料，不含密码和令牌。较大的导出分为多个部分，每部分最多 100 张图片，遇到限制时自动等待。可以用命令行 sluice import 重新导入。',
  exportTitle: '导出数据',
  goes: '将删除：',
  goesAccess:
    '所有访问立即失效：{sessions, number} 台登录设备、{tokens, number} 个 API 令牌、{invites, number} 个邀请，以及全部删除链接',
  goesImages: '{images, number} 张图片（{size}），其中回收站 {trashed, number} 张；链接随之失效',
  goesProfile: '显示名称、头像和设置',
  lastSuperadmin: '你是最后一个超级管理员。先任命另一个。',
  leave: '离开',
  preparing: '正在准备第 {part, number} 部分…',
  progress: '第 {part, number} 部分：{done} / {total}',
  resume: '从第 {part, number} 部分继续',
  startAgain: '重新开始',
  stays: '将保留：',
  staysText: '审计日志保留用户名 {username} 及其操作记录。备份在过期前保留全部内容，缓存会将公开图片保留几分钟。',
  stop: '停止',
  typeUsername: '输入你的用户名 {username}',
}
