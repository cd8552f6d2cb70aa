/**
 * The English sentence for every kind of problem. Each says what is wrong and what to do; where and whose is put before it.
 * Languages of the command line have a table of the same kinds.
 */

/** What a sentence is filled with. */
export type ProblemValues = Readonly<Record<string, string | number>>

/** Stable words for what can be wrong, to switch on. */
export type ProblemKind =
  | 'empty'
  | 'unreadable'
  | 'syntax'
  | 'no-servers'
  | 'too-many-servers'
  | 'not-a-list-of-servers'
  | 'duplicate-key'
  | 'replaced'
  | 'kept'
  | 'unapproved'
  | 'bad-key'
  | 'not-an-object'
  | 'no-target'
  | 'two-targets'
  | 'two-spellings'
  | 'wrong-type'
  | 'empty-text'
  | 'too-long'
  | 'nul-character'
  | 'unknown-transport'
  | 'unfit-transport'
  | 'not-mcp'
  | 'bad-url'
  | 'url-credentials'
  | 'bad-header-name'
  | 'bad-header-value'
  | 'bad-variable-name'
  | 'unset-variable'
  | 'unset-input'
  | 'unknown-input'
  | 'bad-reference'
  | 'placeholder'
  | 'file-reference'
  | 'env-file'
  | 'bad-timer'
  | 'short-timer'
  | 'bad-number'
  | 'bad-choice'
  | 'project-trust'
  | 'not-taken'
  | 'unsupported'
  | 'unknown-setting'
  | 'dangerous-variable'
  | 'unpinned'

type Sentence = (values: ProblemValues) => string

export const PROBLEM_WORDS: Readonly<Record<ProblemKind, Sentence>> = {
  // The file
  empty: () => 'The file is empty, so it names no server.',
  unreadable: ({ reason }) => `The file cannot be used: ${reason}.`,
  syntax: ({ reason }) => `The file is broken: ${reason}.`,
  'no-servers': ({ looked }) => `No servers are named here. Looked for: ${looked}.`,
  'too-many-servers': ({ limit }) =>
    `More than ${limit} servers are named. Those beyond are left out; split the file.`,
  'not-a-list-of-servers': ({ key, found }) =>
    `"${key}" must be an object that names servers, and is ${found}.`,
  'duplicate-key': ({ key, line, first }) =>
    `"${key}" stands here twice${lines(first, line)}. The last one counts; remove the other.`,
  replaced: ({ key, other }) => `"${key}" takes the place of the server of that name in ${other}.`,
  kept: ({ key, other }) =>
    `A server "${key}" is also in ${other}, which nobody approved yet; until then this one stays.`,
  unapproved: ({ count }) =>
    `Nobody approved this project file yet, so its servers (${count}) will not be started. Look at them with: deep-pilot config approve`,
  // The entry
  'bad-key': () =>
    'A server needs a name of 1 to 128 visible characters. Choose another name for it.',
  'not-an-object': ({ found }) =>
    `A server must be an object with "command" or "url", and this is ${found}.`,
  'no-target': () => 'Neither a command nor an address is given. Write "command" or "url".',
  'two-targets': ({ first, second }) =>
    `Both "${first}" and "${second}" are given. A server has one of them; remove the other.`,
  'two-spellings': ({ first, second }) =>
    `"${first}" and "${second}" mean the same and differ. Keep one.`,
  'wrong-type': ({ key, expected, found }) => `"${key}" must be ${expected}, and is ${found}.`,
  'empty-text': ({ key }) => `"${key}" is empty. Give it a value or remove it.`,
  'too-long': ({ key, limit }) => `"${key}" is longer than ${limit}, which no system takes.`,
  'nul-character': ({ key }) => `"${key}" holds a NUL character, which no command can be given.`,
  'unknown-transport': ({ key, value, choices }) =>
    `"${key}" cannot be "${value}". Use one of: ${choices}.`,
  'unfit-transport': ({ transport, key }) =>
    `The transport ${transport} does not go with "${key}". Change one of them.`,
  'not-mcp': ({ value }) =>
    `Servers of the kind "${value}" are built into their host and cannot be reached from elsewhere; it is left out.`,
  'bad-url': ({ key }) =>
    `"${key}" is no address that can be reached. Write http(s)://…, ws(s)://… or unix:PATH.`,
  'url-credentials': ({ key }) =>
    `"${key}" holds a user name or password. Send them in a header instead.`,
  'bad-header-name': ({ header }) => `"${header}" cannot be the name of a header.`,
  'bad-header-value': ({ header }) =>
    `The value of the header "${header}" holds a line end or another control character. Remove it.`,
  'bad-variable-name': ({ name }) => `"${name}" cannot be the name of a variable.`,
  'unset-variable': ({ name, key }) =>
    `"${key}" uses the variable ${name}, which is not set. Set it, or write behind its name what to take without it, as in "\${NAME:-value}".`,
  'unset-input': ({ id, key }) =>
    `"${key}" uses the input "${id}", for which there is no value. Enter it when asked, or give it as a variable.`,
  'unknown-input': ({ id, key }) =>
    `"${key}" uses the input "${id}", which "inputs" does not describe.`,
  'bad-reference': ({ reference, key }) =>
    `"${key}" uses "${reference}", which means nothing here. Write a variable as \${NAME}, and the signs themselves as $\${…}.`,
  placeholder: ({ reference, key }) =>
    `"${key}" uses "${reference}", which only its own host can fill in. Write a variable as \${NAME}.`,
  'file-reference': ({ key }) =>
    `"${key}" takes its value from a file, which is not done here. Put it in a variable: \${NAME}.`,
  'env-file': ({ file, reason }) => `The file of variables "${file}" cannot be used: ${reason}.`,
  'bad-timer': ({ key }) => `"${key}" must be a number of at least 1 ms and at most 24 days.`,
  'short-timer': ({ key, ms }) =>
    `"${key}" is read as ${ms} ms, which is too short, and ignored. If seconds are meant, write ${Number(ms) * 1000}.`,
  'bad-number': ({ key, least, most }) =>
    `"${key}" must be a whole number from ${least} to ${most}.`,
  'bad-choice': ({ key, choices }) => `"${key}" must be one of: ${choices}.`,
  // What the file may not say, or what is not done
  'project-trust': ({ key }) =>
    `A project file cannot set "${key}" for itself; it is ignored. Set it in your own file.`,
  'not-taken': ({ key }) =>
    `"${key}" lets calls pass unasked in another host. It is not taken over; write a rule under deepPilot.policy.`,
  unsupported: ({ key }) => `"${key}" is not supported here and is ignored.`,
  'unknown-setting': ({ key, choices }) => `"${key}" is no setting. There are: ${choices}.`,
  // Dangers
  'dangerous-variable': ({ name }) =>
    `It sets the variable ${name}, which can make any program run other code. Look at the value before you approve it.`,
  unpinned: ({ launcher, package: name }) =>
    `${launcher} takes whatever version of ${name} is newest at each start. Write the version behind the name.`,
}

function lines(first: string | number | undefined, second: string | number | undefined): string {
  return first === undefined || second === undefined ? '' : ` (lines ${first} and ${second})`
}
