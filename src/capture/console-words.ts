/**
 * The words of the console view in both languages. Protocol words (methods, codes) are never translated. What became of a call is
 * said in the same words as by the command line, which a test over there holds: nothing of it is imported here.
 */

import { malformedZh } from './malformed-zh.ts'

export type ConsoleLanguage = 'en' | 'zh'

export interface ConsoleWords {
  /** What stands after the arrow of a request, an answer, a notification, anything else. */
  readonly request: string
  readonly response: string
  readonly notification: string
  readonly batch: string
  readonly malformed: string
  /** Why it is no message, by the English words for it. */
  readonly fault: (reason: string) => string
  readonly ok: string
  readonly toolError: string
  readonly inputRequired: string
  readonly error: string
  /** An answer to nothing that was seen. */
  readonly unasked: string
  readonly opened: string
  readonly closed: string
  /** The agent's way to its model and back, and what became of a call on the way. */
  readonly modelRequest: string
  readonly modelReply: string
  readonly modelRetry: string
  /** Words that were recorded, as such where they are in another language. */
  readonly quoted: (text: string) => string
  readonly toolCall: string
  readonly decision: string
  readonly allowed: string
  readonly refused: string
  readonly toolResult: string
  readonly failed: string
  /** Names of notes; others are shown by their own name. */
  readonly notes: Readonly<Record<string, string>>
}

export const CONSOLE_WORDS: Readonly<Record<ConsoleLanguage, ConsoleWords>> = {
  en: {
    request: '',
    response: '',
    notification: '',
    batch: 'batch',
    malformed: 'no message',
    fault: (reason) => reason,
    ok: 'ok',
    toolError: 'tool error',
    inputRequired: 'input required',
    error: 'error',
    unasked: '(no such request)',
    opened: 'open',
    closed: 'closed',
    modelRequest: 'model',
    modelReply: 'model',
    modelRetry: 'asking the model again',
    quoted: (text) => text,
    toolCall: 'call',
    decision: 'decision',
    allowed: 'allowed',
    refused: 'refused',
    toolResult: 'shown to the model',
    failed: 'failed',
    notes: {
      stray: 'stray output',
      late: 'late answer',
      'unknown-id': 'unknown id',
      'not-utf8': 'not UTF-8',
      'too-large': 'too large',
      'close-frame': 'close frame',
      reopen: 'opening again',
      'not-accepted': 'not accepted',
      'no-listening': 'nothing to listen to',
      'session-ignored': 'session ignored',
      'sse-event': 'event',
    },
  },
  zh: {
    request: 'MCP 请求: ',
    response: 'MCP 响应: ',
    notification: 'MCP 通知: ',
    batch: '批量',
    malformed: '不是消息',
    fault: malformedZh,
    ok: '成功',
    toolError: '工具出错',
    inputRequired: '需要输入',
    error: '错误',
    unasked: '(没有对应的请求)',
    opened: '已打开',
    closed: '已关闭',
    modelRequest: '模型请求:',
    modelReply: '模型响应:',
    modelRetry: '再次请求模型',
    quoted: (text) => (text === '' ? '' : `（原文：${text}）`),
    toolCall: '工具调用',
    decision: '决定',
    allowed: '已允许',
    refused: '已拒绝',
    toolResult: '给模型看的结果',
    failed: '失败',
    notes: {
      stderr: '标准错误',
      stray: '杂散输出',
      spawn: '启动进程',
      probe: '探测',
      exit: '进程退出',
      late: '迟到的响应',
      'unknown-id': '未知 id',
      duplicate: '重复的响应',
      'too-large': '过大',
      'not-utf8': '不是 UTF-8',
      timeout: '超时',
      stop: '停止',
      'close-frame': '关闭帧',
      refused: '被拒绝',
      reopen: '重新连接',
      'not-accepted': '未被接受',
      'no-listening': '没有可监听的流',
      'session-ignored': '忽略的会话',
      'sse-event': '事件',
      resuming: '续接',
    },
  },
}
