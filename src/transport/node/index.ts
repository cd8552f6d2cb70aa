/** The door of the transports that need Node: a server as a child process, and this process as a server. */

export { stdio } from './stdio-client.ts'
export type { StdioOptions } from './stdio-client.ts'
export { stdioServer } from './stdio-server.ts'
export type { ServerHost, StdioServerOptions } from './stdio-server.ts'
export {
  childEnvironment,
  POSIX_VARIABLES,
  SLOW_START_TIMEOUT_MS,
  START_TIMEOUT_MS,
  startTimeoutFor,
  WINDOWS_VARIABLES,
} from './process.ts'
export type { Environment } from './process.ts'
export { systemProcesses } from './process-group.ts'
export type { PipedProcess, ProcessPort } from './process-group.ts'
export type { GroupWatch } from './server-process.ts'
export { createWatchdog, hostWatchdog } from './watchdog.ts'
export type { WatchdogOptions, WatchdogStart } from './watchdog.ts'
