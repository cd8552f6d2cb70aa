/**
 * Everything that serving a link takes, in one piece: loaded when a server accepts its first link, so that a client that
 * imports the door of both does not pay for the half that it never uses.
 */

export { serveLink } from './serve.ts'
export { serverTasksOf } from './server-tasks.ts'
