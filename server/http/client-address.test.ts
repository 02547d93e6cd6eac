import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { parseAddress } from '#server/counted-address.ts'
import { createAddressReader } from './client-address.ts'

function request(peer: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const req = new IncomingMessage(socket)
  Object.assign(req.headers, headers)
  req.rawHeaders.push(...Object.entries(headers).flat())
  return req
}

function read(peer: string, headers: Record<string, string> = {}, trusted: readonly string[] = []): string {
  return createAddressReader({ trustedProxies: trusted, nat64: [] }, () => undefined).read(request(peer, headers))
    .counted
}

describe('the client address', () => {
  it('is the peer, whatever a header says, unless the peer is trusted', () => {
    const lies = {
      'x-forwarded-for': '9.9.9.9',
      'x-real-ip': '9.9.9.8',
      'cf-connecting-ip': '9.9.9.7',
      forwarded: 'for=9.9.9.6',
    }
    expect(read('203.0.113.5', lies)).toBe('203.0.113.5')
    expect(read('203.0.113.5', lies, ['10.0.0.0/8'])).toBe('203.0.113.5')
  })

  it('is the rightmost untrusted hop behind trusted proxies', () => {
    const trusted = ['10.0.0.0/8', '192.0.2.1']
    expect(read('10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 8.8.8.8' }, trusted)).toBe('8.8.8.8')
    expect(read('10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 8.8.8.8, 10.2.3.4, 192.0.2.1' }, trusted)).toBe('8.8.8.8')
    expect(read('10.0.0.1', { 'x-forwarded-for': '10.9.9.9' }, trusted)).toBe('10.9.9.9')
    expect(read('10.0.0.1', {}, trusted)).toBe('10.0.0.1')
  })

  it('ignores everything left of an invalid hop', () => {
    expect(read('10.0.0.1', { 'x-forwarded-for': '8.8.8.8, junk' }, ['10.0.0.0/8'])).toBe('10.0.0.1')
    expect(read('10.0.0.1', { 'x-forwarded-for': '8.8.8.8, 0x7f.1, 10.0.0.2' }, ['10.0.0.0/8'])).toBe('10.0.0.2')
    expect(read('10.0.0.1', { 'x-forwarded-for': Array(100).fill('8.8.8.8').join(',') }, ['10.0.0.0/8'])).toBe(
      '8.8.8.8',
    )
  })

  it('parses ports, brackets, quotes and zones', () => {
    const trusted = ['10.0.0.0/8']
    expect(read('10.0.0.1', { 'x-forwarded-for': '8.8.8.8:4711' }, trusted)).toBe('8.8.8.8')
    expect(read('10.0.0.1', { 'x-forwarded-for': '"[2001:db8::1]:80"' }, trusted)).toBe('2001:db8::/64')
    expect(read('fe80::1%eth0')).toBe('fe80::/64')
  })

  it('counts every form of one IPv4 address as that, NAT64 by a setting too', () => {
    const forms = [
      ...['203.0.113.5', '::ffff:203.0.113.5', '::ffff:cb00:7105', '::ffff:0:cb00:7105', '::cb00:7105'],
      ...['2002:cb00:7105::1', '2002:cb00:7105:ffff:1:2:3:4', '2001:0:53aa:64c:1c2b:63bf:34ff:8efa'],
      ...['64:ff9b::cb00:7105', '2001:db8:64::cb00:7105'],
    ]
    const nat64 = ['2001:db8:64::/96']
    const reader = createAddressReader({ trustedProxies: [], nat64 }, () => undefined)
    expect(new Set(forms.map((form) => reader.read(request(form)).counted))).toEqual(new Set(['203.0.113.5']))
    expect(new Set(forms.map((form) => reader.peer(request(form).socket)))).toEqual(new Set(['203.0.113.5']))
  })

  it('trusts no address for the IPv4 address that it stands for', () => {
    const trusted = ['127.0.0.1', '10.0.0.0/8']
    expect(read('2002:7f00:1::1', { 'x-forwarded-for': '8.8.8.8' }, trusted)).toBe('127.0.0.1')
    expect(read('64:ff9b::a00:1', { 'x-forwarded-for': '8.8.8.8' }, trusted)).toBe('10.0.0.1')
  })

  it('counts IPv6 by its /64 and mapped IPv4 as its IPv4', () => {
    const one64 = Array.from({ length: 1000 }, (_, at) => read(`2001:db8:1:2:${at.toString(16)}::1`))
    expect(new Set(one64)).toEqual(new Set(['2001:db8:1:2::/64']))
    expect(read('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64')
    expect(read('::ffff:203.0.113.5')).toBe('203.0.113.5')
    expect(read('::ffff:cb00:7105')).toBe('203.0.113.5')
    expect(read('::ffff:203.0.113.6')).not.toBe(read('::ffff:203.0.113.5'))
  })

  it('recognizes a trusted IPv4 proxy by its mapped address', () => {
    expect(read('::ffff:10.0.0.1', { 'x-forwarded-for': '8.8.8.8' }, ['10.0.0.0/8'])).toBe('8.8.8.8')
  })

  it('accepts a mapped IPv4 address as a trusted proxy', () => {
    const forwarded = { 'x-forwarded-for': '8.8.8.8' }
    expect(read('10.0.0.1', forwarded, ['::ffff:10.0.0.0/104'])).toBe('8.8.8.8')
    expect(read('11.0.0.1', forwarded, ['::ffff:10.0.0.0/104'])).toBe('11.0.0.1')
  })

  it('removes every header that states an address, from both views of the headers', () => {
    const stated = [
      ...[
        'x-forwarded-for',
        'x-forwarded-host',
        'x-forwarded-proto',
        'forwarded',
        'x-real-ip',
        'cf-connecting-ip',
        'true-client-ip',
      ],
      ...[
        'cf-connecting-ipv6',
        'x-client-ip',
        'x-cluster-client-ip',
        'fastly-client-ip',
        'fly-client-ip',
        'x-original-forwarded-for',
      ],
      ...[
        'x-azure-socketip',
        'x-azure-clientip',
        'x-appengine-user-ip',
        'x-vercel-forwarded-for',
        'x-vercel-proxied-for',
      ],
      ...[
        'x-envoy-external-address',
        'x-sluice-address',
        'x-sluice-request-id',
        'x-forwarded',
        'x-originating-ip',
        'x-remote-addr',
      ],
    ]
    const req = request('203.0.113.5', {
      ...Object.fromEntries(stated.map((name) => [name, '1.2.3.4'])),
      accept: '*/*',
    })
    createAddressReader({ trustedProxies: [], nat64: [] }, () => undefined).read(req)
    expect(req.headers).toEqual({ accept: '*/*' })
    expect(req.rawHeaders).toEqual(['accept', '*/*'])
  })

  it('is exact, except behind an untrusted proxy', () => {
    const exact = (peer: string, headers: Record<string, string>, trusted: readonly string[]) =>
      createAddressReader({ trustedProxies: trusted, nat64: [] }, () => undefined)
        .read(request(peer, headers))
        .exact?.toString()
    expect(exact('2001:db8::1:2', {}, [])).toBe('2001:db8::1:2')
    expect(exact('::1', { 'x-forwarded-for': '2001:db8::7' }, ['::1'])).toBe('2001:db8::7')
    expect(exact('127.0.0.1', { 'x-forwarded-for': '9.9.9.9' }, [])).toBeUndefined()
    expect(exact('127.0.0.1', { 'x-real-ip': '9.9.9.9' }, [])).toBeUndefined()
    expect(exact('10.0.0.1', { 'x-forwarded-for': '10.0.0.2' }, ['10.0.0.0/8'])).toBe('10.0.0.2')
    expect(exact('10.0.0.1', {}, ['10.0.0.0/8'])).toBe('10.0.0.1')
  })

  it.each<Record<string, string>>([
    { 'x-real-ip': '9.9.9.9' },
    { forwarded: 'for=9.9.9.9' },
    { 'x-forwarded-for': 'unknown' },
    { 'x-forwarded-for': '9.9.9.9, unknown, 10.0.0.2' },
    { 'x-forwarded-for': '' },
  ])('is not exact if a trusted proxy does not name the client (%j)', (headers) => {
    const reader = createAddressReader({ trustedProxies: ['10.0.0.0/8'], nat64: [] }, () => undefined)
    expect(reader.read(request('10.0.0.1', headers)).exact).toBeNull()
  })

  it('warns once of an untrusted private proxy', () => {
    const peers: string[] = []
    const reader = createAddressReader({ trustedProxies: [], nat64: [] }, (peer) => peers.push(peer))
    reader.read(request('172.18.0.2', {}))
    reader.read(request('203.0.113.5', { 'x-forwarded-for': '1.1.1.1' }))
    expect(peers).toEqual([])
    reader.read(request('172.18.0.2', { 'x-forwarded-for': '1.1.1.1' }))
    reader.read(request('172.18.0.2', { 'x-forwarded-for': '1.1.1.2' }))
    expect(peers).toEqual(['172.18.0.2'])
  })
})

describe('an address', () => {
  it.each(['', 'localhost', '1.2.3', '0x7f.1', '1.2.3.4.5', '::g', '300.1.1.1', '2130706433'])(
    'is not read from %j',
    (text) => {
      expect(parseAddress(text)).toBeNull()
    },
  )
})
