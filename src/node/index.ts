/** What needs Node: servers as child processes, this process as a server, and files of captures. */

export { http, sse, stdio, stdioServer } from '../transport/node/index.ts'
export type {
  NodeHttpOptions,
  StdioOptions,
  StdioServerOptions,
  TlsOptions,
} from '../transport/node/index.ts'
export { openCapture, readCaptureFile } from '../capture/node/file.ts'
export type { CaptureFile, OpenCaptureOptions } from '../capture/node/file.ts'
