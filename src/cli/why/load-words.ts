/** The words of `why`, which no other command loads. */

import type { Language } from '../messages/messages.ts'
import type { WhyWords } from '../messages/why-words.ts'

/** Those of a language. */
export async function whyWords(language: Language): Promise<WhyWords> {
  return language === 'zh'
    ? (await import('../messages/why-zh.ts')).whyZh
    : (await import('../messages/why-en.ts')).whyEn
}
