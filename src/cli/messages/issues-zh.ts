/** 值与 schema 不符之处的中文：在哪里，缺什么或错在哪。 */

import type { SchemaIssue } from '../../base/errors.ts'

export function issuesZh(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ pointer, message }) => (pointer === '' ? message : `${pointer}：${message}`))
    .join('；')
}
