/** 服务器为什么处于这个状态，一句：先是原因，再是它出的错。 */

import { PilotError } from '../../base/errors.ts'
import type { HeldTool, HeldWhy } from '../../host/host-tool.ts'
import type { ServerStatus, WhyKind } from '../../host/state.ts'
import { tellZh } from './failure-zh.ts'
import { WHY_ZH } from './why-kinds-zh.ts'

const HELD: Readonly<Record<HeldWhy, string>> = {
  'never-approved': '从未批准',
  moved: '它的服务器现在的启动或访问方式与批准时不同',
  changed: '它的定义与批准时不同',
  returned: '它的定义中途变过，现在又变回了批准时的样子',
}

/** 工具为什么被扣留，接在冒号之后。 */
export function heldZh({ why, reason }: Omit<HeldTool, 'diff'>): string {
  return why === undefined ? reason : HELD[why]
}

/** Of which the error alone does not tell. */
const SAID_FIRST: ReadonlySet<WhyKind> = new Set<WhyKind>([
  'lists-failed',
  'reopening',
  'crash-loop',
  'start-loop',
  'bug',
])

export function whyZh({ whyKind, why, error, nextTryMs }: ServerStatus): string {
  const kind = WHY_ZH.get(whyKind) ?? why
  if (error === undefined) return kind
  // What is no error of ours has no words but its own.
  const told = error instanceof PilotError ? tellZh(error) : why
  const begin = SAID_FIRST.has(whyKind) ? `${kind}：` : ''
  const again = nextTryMs === undefined ? '' : `${Math.ceil(nextTryMs / 1000)} 秒后重试。`
  return `${begin}${told}${again}`
}
