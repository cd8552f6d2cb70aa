/** 录制文件中读不出的内容的中文，每种一句。 */

import type { Damage, DamageCode } from '../../capture/reader.ts'

const WORDS: Readonly<Record<DamageCode, (damage: Damage) => string>> = {
  header: ({ line }) =>
    `第 ${line} 行应当是录制文件的文件头，却没有或已损坏。其余按格式版本 1 读取。`,
  version: ({ line }) => `第 ${line} 行的格式版本不认识，不再往下读。`,
  checksum: ({ line }) => `第 ${line} 行的校验和不符，已损坏。其余各行照常读取。`,
  shape: ({ line }) => `第 ${line} 行不是录制记录。其余各行照常读取。`,
  'too-long': ({ line }) => `第 ${line} 行太长，已跳过。其余各行照常读取。`,
  torn: ({ line }) => `最后一行（第 ${line} 行）没有写完。`,
  missing: ({ line, count }) =>
    count === undefined
      ? `第 ${line} 行与前一行接不上：其中一行来自别处。`
      : `第 ${line} 行之前缺少 ${count} 条记录。`,
  order: ({ line }) => `第 ${line} 行的记录排在更晚的记录之后：有行被移动或复制过。`,
  unfinished: () => '录制没有写上结尾：录制的进程被杀死，或仍在录制。',
}

export const damageZh = (damage: Damage): string => WORDS[damage.code](damage)
