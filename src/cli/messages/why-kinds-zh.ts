/** 服务器处于某个状态的原因的中文，每种一句。 */

import type { WhyKind } from '../../host/state.ts'

const WORDS: Readonly<Record<WhyKind, string>> = {
  'switched-off': '在配置中已停用',
  unapproved: '所在的项目文件尚未批准，请先查看：deep-pilot config approve',
  detached: '已移除',
  lazy: '用到时才启动',
  starting: '正在启动',
  downloading: '首次启动，正在下载程序',
  'reading-lists': '正在读取列表',
  connected: '已连接',
  'lists-failed': '无法读取列表',
  'no-sign-of-life': '没有响应',
  flood: '输出过多',
  crashed: '进程已退出',
  unreachable: '无法连接',
  'start-timeout': '启动超时',
  reopening: '正在重新连接',
  'restart-asked': '正按要求重启',
  'crash-loop': '反复崩溃，不再重试',
  'start-loop': '反复无法启动，不再重试',
  'cannot-start': '无法启动',
  'handshake-refused': '握手失败',
  'sign-in': '需要登录',
  bug: '内部错误',
}

export const WHY_ZH: ReadonlyMap<string, string> = new Map(Object.entries(WORDS))
