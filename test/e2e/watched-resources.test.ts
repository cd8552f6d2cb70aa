/** Single resources that clients watch: by a request each, or on a listen stream. */

import { describe, expect, it } from 'vitest'
import { defineResource } from '../../src/tools/resource.ts'
import { LEGACY, MODERN, ofMethod, pairUp } from '../support/pair.ts'

const turn = (): Promise<void> => new Promise(setImmediate)
const readme = defineResource({ uri: 'file:///readme.md', name: 'readme', read: () => 'x' })

describe.each([...LEGACY, ...MODERN])('watched resources at %s', (revision) => {
  const folder = defineResource({ uri: 'file:///notes', name: 'notes', read: () => 'x' })

  it('are told to whoever watches them, once for all of one breath [RES-05, RES-06]', async () => {
    const pair = await pairUp(revision, { resources: [readme, folder] })
    const changes = pair.client.changes({ uris: ['file:///readme.md'] })
    const first = changes.next()
    await turn()
    pair.server.resourceUpdated('file:///notes')
    pair.server.resourceUpdated('file:///readme.md')
    pair.server.resourceUpdated('file:///readme.md')
    expect(await first).toMatchObject({ value: { kind: 'resource', uri: 'file:///readme.md' } })
    await turn()
    expect(ofMethod(pair, 'notifications/resources/updated')).toHaveLength(1)
    await changes.return?.()
    await turn()
    pair.server.resourceUpdated('file:///readme.md')
    await turn()
    expect(ofMethod(pair, 'notifications/resources/updated')).toHaveLength(1)
  })

  it('are told when something in them changes, and not what stands beside [RES-15]', async () => {
    const pair = await pairUp(revision, { resources: [folder] })
    pair.client.changes({ uris: ['file:///notes'] })
    await turn()
    for (const uri of ['file:///notes2', 'file:///', 'file:///note', 'other:///notes/x'])
      pair.server.resourceUpdated(uri)
    pair.server.resourceUpdated('file:///notes/monday/1')
    pair.server.resourceUpdated('file:///notes/')
    await turn()
    const told = ofMethod(pair, 'notifications/resources/updated').map(
      ({ params }) => params?.['uri'],
    )
    expect(told).toEqual(['file:///notes/monday/1', 'file:///notes/'])
  })

  it('must be URIs for the server as well', async () => {
    const { server } = await pairUp(revision, { resources: [folder] })
    expect(() => server.resourceUpdated('notes')).toThrow(/no absolute URI/)
  })
})

describe.each(LEGACY)('subscriptions to resources at %s', (revision) => {
  it('end by a request, are known to be none for what is missing, and are limited [RES-05]', async () => {
    const resources = ['a', 'b', 'c'].map((name) =>
      defineResource({ uri: `x://${name}`, name, read: () => name }),
    )
    const pair = await pairUp(revision, { resources, maxWatched: 2 })
    pair.unjudged() // a URI that is none
    const ask = (what: string, uri: string): Promise<unknown> =>
      pair.client.request(`resources/${what}`, { uri })
    expect(await ask('subscribe', 'x://a')).toEqual({})
    expect(await ask('subscribe', 'x://a')).toEqual({})
    expect(await ask('subscribe', 'x://b')).toEqual({})
    await expect(ask('subscribe', 'x://c')).rejects.toMatchObject({ rpcCode: -32603 })
    await expect(ask('subscribe', 'x://none')).rejects.toMatchObject({ rpcCode: -32002 })
    await expect(ask('subscribe', 'no uri')).rejects.toMatchObject({ rpcCode: -32602 })
    expect(await ask('unsubscribe', 'x://a')).toEqual({})
    expect(await ask('unsubscribe', 'x://never')).toEqual({})
    expect(await ask('subscribe', 'x://c')).toEqual({})
    for (const { resource } of resources) pair.server.resourceUpdated(resource.uri)
    await turn()
    const told = ofMethod(pair, 'notifications/resources/updated').map(
      ({ params }) => params?.['uri'],
    )
    expect(told).toEqual(['x://b', 'x://c'])
  })
})

describe.each(MODERN)('listening for resources at %s', (revision) => {
  it('is granted for what exists, as far as there is room, and every notice is tagged [SUB-04, SUB-06, RES-06]', async () => {
    const resources = ['a', 'b', 'c'].map((name) =>
      defineResource({ uri: `x://${name}`, name, read: () => name }),
    )
    const pair = await pairUp(revision, { resources, maxWatched: 2 })
    const first = pair.client.changes({ uris: ['x://none', 'no uri', 'x://a'] })
    pair.client.changes({ uris: ['x://b', 'x://c'] })
    await turn()
    const granted = ofMethod(pair, 'notifications/subscriptions/acknowledged').map(
      ({ params }) => params?.['notifications'],
    )
    expect(granted).toEqual([
      { resourceSubscriptions: ['x://a'] },
      { resourceSubscriptions: ['x://b'] },
    ])
    await first.return?.()
    await turn()
    pair.client.changes({ uris: ['x://c'] })
    await turn()
    pair.server.resourceUpdated('x://c')
    await turn()
    const listens = ofMethod(pair, 'subscriptions/listen')
    expect(ofMethod(pair, 'notifications/resources/updated').map(({ params }) => params)).toEqual([
      {
        uri: 'x://c',
        _meta: { 'io.modelcontextprotocol/subscriptionId': listens.at(-1)?.id },
      },
    ])
  })

  it('has no requests of the handshake era [LIFE-12]', async () => {
    const pair = await pairUp(revision, { resources: [readme] })
    await expect(
      pair.client.request('resources/subscribe', { uri: 'file:///readme.md' }),
    ).rejects.toMatchObject({ code: 'DP_CAPABILITY_METHOD' })
  })
})
