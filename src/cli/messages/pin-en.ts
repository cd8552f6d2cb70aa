/** What `pin` and `verify` say in English. */

import type { PinWords } from './host-words.ts'

const several = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

export const pinEn: PinWords = {
  different: 'not as approved',
  onlyNew: (changes) => `${changes} new, all else as approved`,
  same: (tools) => `${several(tools, 'tool')} as approved`,
  unreached: (why) => `cannot be compared: ${why}`,
  off: 'switched off, and not compared',
  unapproved: (servers) =>
    `Nothing of ${servers.join(', ')} was compared, as nobody approved the file. Look at it with: deep-pilot config approve. ` +
    'In CI: deep-pilot config approve --yes, or name the file with --config.',
  approveFirst: (server) =>
    `Nothing of ${server} was approved, as nobody approved its file yet. Look at it with: deep-pilot config approve`,
  noServers:
    'There is nothing to verify: no server is configured here. Go to the folder of the project, or name a file with --config.',
  noLock: (path) =>
    `The lock file ${path} is not there, or holds nothing. Make it with "deep-pilot pin", and commit it beside the configuration.`,
  faults: (count) =>
    `${several(count, 'error')} in the configuration, so not every server was compared.`,
  newTool: 'new',
  changedTool: 'changed',
  goneTool: 'gone',
  change: (tool, what) => `${tool} (${what})`,
  neverPinned: (tools) => `never approved, ${several(tools, 'tool')}`,
  launchChanged: 'it is started or reached in another way than when it was approved',
  instructions: 'instructions',
  warning: (text) => `warning: ${text}`,
  question: (server) => `Approve what the server ${server} offers now?`,
  yes: 'Yes, approve',
  no: 'No, leave it held back',
  approved: (server, tools, file) =>
    `${server}: ${several(tools, 'tool')} approved, written to ${file}.`,
  kept: (server) => `${server}: nothing was approved.`,
  needsYes: 'There is no terminal to ask at. Look at the difference, then repeat with --yes.',
  drift: (count) => `${several(count, 'server')} not as approved.`,
  fresh: (count) =>
    `${several(count, 'server')} with something that nobody approved yet. Look at it with: deep-pilot pin`,
  noDrift: (servers) => `${several(servers, 'server')}, all as approved.`,
}
