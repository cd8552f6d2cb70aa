/** The words of `tools --for` and `types`, which no other command loads. */

import type { Language } from '../messages/messages.ts'
import type { OfferWords } from '../messages/offer-words.ts'

/** Those of a language. */
export async function offerWords(language: Language): Promise<OfferWords> {
  return language === 'zh'
    ? (await import('../messages/offer-zh.ts')).offerZh
    : (await import('../messages/offer-en.ts')).offerEn
}
