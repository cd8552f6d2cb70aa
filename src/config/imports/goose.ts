/** goose: `extensions` in YAML, `cmd`, waits in seconds, secrets by the names of their variables; older files nest in `config`. */

import type { ConfigNode } from '../document.ts'
import { callTimer, endsIn, type Shape } from './shape.ts'

export const goose: Shape = {
  name: 'goose',
  title: 'goose',
  owns: (path) => endsIn(path, 'goose/config.yaml', 'goose/config/config.yaml'),
  timers: [callTimer('timeout', 1000)],
  variables: {},
  marks: ['cmd', 'envs', 'env_keys'],
  prepare: (node) => {
    const inner = node.members.get('config')
    return inner?.kind === 'object' ? joined(node, inner) : node
  },
  files: [
    { path: '~/.config/goose/config.yaml', platform: 'linux' },
    { path: '~/.config/goose/config.yaml', platform: 'darwin' },
    { path: '%APPDATA%/Block/goose/config/config.yaml', platform: 'win32' },
  ],
}

function joined(outer: ConfigNode, inner: ConfigNode): ConfigNode {
  return { ...outer, members: new Map([...outer.members, ...inner.members]) }
}
