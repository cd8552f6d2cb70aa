import { describe, expect, it } from 'vitest'
import { parentsOf } from './subscriptions.ts'
import { ownMetaOf } from './trace.ts'

describe('metadata of a caller', () => {
  it('is what neither the protocol nor a trace has taken [META-02, META-03, META-05]', () => {
    const _meta = {
      'example.org/a': 1,
      plain: 2,
      'com.example.mcp/free': 3,
      'mcp/free': 4,
      'io.modelcontextprotocol/x': 5,
      'dev.mcp/x': 6,
      'com.mcp.tools/x': 7,
      'mcp.dev/x': 8,
      'modelcontextprotocol.io/x': 9,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=1',
      baggage: 'a=1',
    }
    expect({ ...ownMetaOf({ _meta }) }).toEqual({
      'example.org/a': 1,
      plain: 2,
      'com.example.mcp/free': 3,
      'mcp/free': 4,
    })
    expect({ ...ownMetaOf({}) }).toEqual({})
  })

  it('has no prototype, whatever its keys are called', () => {
    const own = ownMetaOf(JSON.parse('{"_meta":{"__proto__":{"polluted":true}}}'))
    expect(Object.getPrototypeOf(own)).toBeNull()
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(Object.keys(own)).toEqual(['__proto__'])
  })
})

describe('what stands above a URI', () => {
  it.each([
    ['file:///a/b', ['file:///a/b', 'file:///a/', 'file:///a', 'file:///']],
    ['x://host/a/', ['x://host/a/', 'x://host/a', 'x://host/', 'x://host']],
    ['x://host', ['x://host']],
    ['urn:a:b', ['urn:a:b']],
    ['x:/a', ['x:/a', 'x:/']],
    ['x:a/b', ['x:a/b', 'x:a/', 'x:a']],
  ])('%s is heard of by who watches %j [RES-15]', (uri, parents) => {
    expect(parentsOf(uri).toSorted()).toEqual(parents.toSorted())
  })

  it('is bounded, however many slashes a URI has', () => {
    expect(parentsOf(`x://h${'/a'.repeat(4000)}`).length).toBeLessThan(200)
  })
})
