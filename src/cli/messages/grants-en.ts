/** What `policy grants` and `policy revoke` say in English. */

import type { GrantWords } from './host-words.ts'

export const grantsEn: GrantWords = {
  none: 'Nothing is granted: every question will be asked.',
  head: ['UNTIL', 'FOR', 'TOOL'],
  anyArguments: 'any arguments',
  theseArguments: (hash) => `arguments ${hash}…`,
  notConfigured: (name) => `${name} (its server is not configured here)`,
  builtIn: (name) => `${name} (built in)`,
  hint: 'Take one back with: deep-pilot policy revoke SERVER.TOOL',
  nameOrAll: 'Name what to take back, as SERVER or SERVER.TOOL, or give --all.',
  noSuch: (name) => `Nothing is granted to "${name}". "deep-pilot policy grants" lists what is.`,
  revoked: (count) => `${count} ${count === 1 ? 'grant' : 'grants'} taken back.`,
  running:
    'A host that is running (a chat, say) has read them before, and goes by them until it ends. End it to be sure.',
}
