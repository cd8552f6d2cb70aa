/** What became of a call, in one word each: the same wherever it is told. */

/**
 * `refused` by a rule, a pin or a person; `not-called` nothing was sent; `no-result` it was called, or may have been, and nothing
 * came of it.
 */
export type Outcome = 'ok' | 'failed' | 'refused' | 'not-called' | 'no-result'

export type OutcomeWords = Readonly<Record<Outcome, string>>

export const OUTCOMES_EN: OutcomeWords = {
  ok: 'ok',
  failed: 'failed',
  refused: 'refused',
  'not-called': 'not called',
  'no-result': 'no result',
}

export const OUTCOMES_ZH: OutcomeWords = {
  ok: '成功',
  failed: '失败',
  refused: '已拒绝',
  'not-called': '未调用',
  'no-result': '没有结果',
}
