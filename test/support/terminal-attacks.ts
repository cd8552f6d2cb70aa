/** Texts that try to make a terminal do something, and how to see that none of them got there. */

/** CSI, OSC, DCS, APC, PM, SOS, 8 bits, overwriting, and what else terminals obey. */
export const SEQUENCES: readonly string[] = [
  ...[
    '2J',
    'H',
    '31m',
    '8m',
    '1A',
    '2K',
    '10D',
    '?25l',
    '?1049h',
    '6n',
    'c',
    '5i',
    '>c',
    '1;1r',
    's',
    '3J',
    '?2004l',
  ].map((end) => `\u001b[${end}`),
  ...[
    '0;title',
    '8;;https://evil.example/',
    '52;c;Y2FuYXJ5',
    '4;1;?',
    '11;?',
    '1337;File=:AAAA',
    '7;file:///x',
    '9;note',
    '104',
  ].flatMap((body) => [`\u001b]${body}\u0007`, `\u001b]${body}\u001b\\`]),
  '\u001bP+q544e\u001b\\',
  '\u001b_Gi=1\u001b\\',
  '\u001b^x\u001b\\',
  '\u001bXx\u001b\\',
  '\u001bc',
  '\u001b(0',
  '\u001b#8',
  '\u009b2J',
  '\u009d0;t\u009c',
  '\u0090x\u009c',
  'safe\rEVIL',
  'EVIL\b\b\b\bsafe',
  '\u007f\u007f',
  '\u0000\u0007\u000b\u000c\u000e\u0018',
  '\u0085\u2028',
]
/** What no line of a terminal may hold: controls, and what turns text around or is drawn as nothing. */
export const CONTROL: RegExp =
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b-\u200f]/
