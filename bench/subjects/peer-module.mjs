/** Loads a package from a peer's own folder, which lies outside the project's dependencies. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { peerFolder } from '../peers/install.mjs'

export async function fromPeer(peer, name) {
  const { load } = await import(pathToFileURL(join(peerFolder(peer), 'load.mjs')).href)
  return await load(name)
}
