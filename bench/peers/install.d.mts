/** The types of `install.mjs`, which stays plain so that measured processes load it without a build. */
export interface PeerPlan {
  readonly packages: readonly string[]
  readonly node?: number
}
export type PeerName =
  | 'sdk-v1'
  | 'sdk-v2-client'
  | 'fastmcp'
  | 'ai-sdk'
  | 'mcporter'
  | 'inspector'
  | 'node-22'
  | 'node-24'
export declare const PEERS: Readonly<Record<PeerName, PeerPlan>>
export declare function peerFolder(name: PeerName): string
export declare function nodeFor(name: PeerName): string
export declare function nodeFrom(major: 22 | 24): string
export declare function install(name: PeerName): string | undefined
export declare function installPackages(
  folder: string,
  packages: readonly string[],
): string | undefined
export declare function npmCommand(): readonly [string, ...string[]]
