/** This project's host, as the drivers of its bars use it: every call is allowed, and nothing is kept unless a folder is given. */
import { configOf, Host } from '../../dist/host/index.js'

const POLICY = {
  rules: [],
  otherwise: 'allow',
  readOnlyOfTrusted: 'allow',
  flow: 'off',
  native: 'allow',
}

export function entry(key, { command, args }) {
  return {
    key,
    scope: 'user',
    place: { file: 'bench', pointer: '' },
    shape: 'deep-pilot',
    approved: true,
    disabled: false,
    start: 'optional',
    trusted: false,
    timeouts: {},
    labels: [],
    toolLabels: new Map(),
    secrets: [],
    origins: [],
    written: {},
    transport: 'stdio',
    command,
    args,
    env: {},
  }
}

export function openHost(entries, options = {}) {
  return Host.open(configOf(entries), { policy: POLICY, lock: false, ...options })
}
